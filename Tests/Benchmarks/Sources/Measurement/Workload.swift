/// Work that can be done at any size: one side of a comparison.
///
/// The work has two parts. The preparation is not timed, and returns the run, which is timed. A run
/// is executed once and then released, so that nothing that it freed or cached helps the next one.
/// Objects that only the run retains are also freed outside the timing.
public struct Workload {
    /// The timed part. It returns a checksum of the data that it read or wrote. Both sides of a
    /// comparison must return the same one, which shows that they did the same work.
    public typealias Run = () async throws -> Int

    /// A run whose results are checked after the timing.
    public struct ChangingRun {
        let run: () async throws -> Void
        let checksum: () async throws -> Int

        /// Describes a run.
        ///
        /// - Parameters:
        ///   - run: The timed part.
        ///   - checksum: A checksum of the run's results, which must be the same for both sides of
        ///     a comparison. It is not timed.
        public init(
            _ run: @escaping () async throws -> Void,
            checksum: @escaping () async throws -> Int
        ) {
            self.run = run
            self.checksum = checksum
        }
    }

    enum Prepared {
        case reading(Run)
        case changing(ChangingRun)
    }

    /// What is measured, for the table's heading.
    public let name: String
    let prepare: (_ size: Int, _ copies: Int) async throws -> Prepared
    let hasCopies: Bool

    /// Describes work.
    ///
    /// - Parameters:
    ///   - name: What is measured, in a word or two.
    ///   - prepare: Makes everything that a run of the given number of objects needs.
    public init(_ name: String, prepare: @escaping (_ size: Int) async throws -> Run) {
        self.name = name
        self.prepare = { size, _ in .reading(try await prepare(size)) }
        hasCopies = false
    }

    /// Describes work on several independent copies of the same objects.
    ///
    /// There are enough copies that a run of any size involves as many objects in total as one of
    /// the largest size. Otherwise the objects of the smaller sizes would all be in the processor's
    /// caches, and the results would not show how the work grows. Objects should be visited in a
    /// single order across all copies, which favors no size.
    ///
    /// - Parameters:
    ///   - name: What is measured, in a word or two.
    ///   - prepare: Makes everything that a run of the given number of objects in each of the given
    ///     number of copies needs.
    public init(
        _ name: String,
        prepareCopies prepare: @escaping (_ size: Int, _ copies: Int) async throws -> Run
    ) {
        self.name = name
        self.prepare = { .reading(try await prepare($0, $1)) }
        hasCopies = true
    }

    /// Describes work that leaves something behind.
    ///
    /// - Parameters:
    ///   - name: What is measured, in a word or two.
    ///   - prepareChanges: Makes everything that a run of the given number of objects needs.
    public init(
        _ name: String,
        prepareChanges: @escaping (_ size: Int) async throws -> ChangingRun
    ) {
        self.name = name
        self.prepare = { size, _ in .changing(try await prepareChanges(size)) }
        hasCopies = false
    }
}
