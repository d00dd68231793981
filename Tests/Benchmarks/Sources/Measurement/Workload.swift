/// Work that can be done at any size: one side of a comparison.
///
/// The work falls into two parts. The preparation is not timed; it returns the run, which is. A run is made once and then
/// dropped, so that nothing it freed or cached helps the next one; what only the run holds is freed
/// outside the timing as well.
public struct Workload {
    /// The timed part. It returns a checksum over what it read or wrote: both sides of a comparison
    /// must return the same one, which shows that they did the same work.
    public typealias Run = () async throws -> Int

    /// A run that leaves something behind, which is looked at when the time has been taken.
    public struct ChangingRun {
        let run: () async throws -> Void
        let checksum: () async throws -> Int

        /// Describes a run.
        ///
        /// - Parameters:
        ///   - run: The timed part.
        ///   - checksum: A checksum over what the run has left behind, which both sides of a
        ///     comparison must agree on. It is not timed.
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

    /// Describes work on several copies of the same objects, which know nothing of each other.
    ///
    /// There are so many of them that a run at any size has to do with as many objects altogether
    /// as one at the largest. Otherwise the smaller sizes would find everything in the processor's
    /// caches, and the figures would tell of these and not of how the work grows. Single objects
    /// should be visited in one order through all copies that favors no size.
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
