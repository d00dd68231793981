/// Work that can be done at any size: one side of a comparison.
///
/// The work falls into two parts. The preparation is not timed; it returns the run, which is. A run is made once and then
/// dropped, so that nothing it freed or cached helps the next one; what only the run holds is freed
/// outside the timing as well.
public struct Workload {
    /// The timed part. It returns a checksum over what it read or wrote: both sides of a comparison
    /// must return the same one, which shows that they did the same work.
    public typealias Run = () async throws -> Int

    /// What is measured, for the table's heading.
    public let name: String
    let prepare: (_ size: Int) async throws -> Run

    /// Describes work.
    ///
    /// - Parameters:
    ///   - name: What is measured, in a word or two.
    ///   - prepare: Makes everything that a run of the given number of objects needs.
    public init(_ name: String, prepare: @escaping (_ size: Int) async throws -> Run) {
        self.name = name
        self.prepare = prepare
    }
}
