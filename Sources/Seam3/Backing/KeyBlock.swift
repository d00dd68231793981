/// Numbers of objects that are taken together, for those who need one after the other.
///
/// A transaction that is taken back gives the numbers back, too; then the block as it was before counts.
struct KeyBlock {
    private var next: Int64 = 0
    private var end: Int64 = 0
    /// How many are taken at once.
    private let size: Int

    /// - Parameter expectedCount: How many are needed at the most, as far as can be told.
    init(expectedCount: Int) { size = max(1, expectedCount) }

    /// A number that no object has had.
    mutating func take(from sequence: SequenceTable) throws -> Int64 {
        if next == end {
            next = try sequence.takeKeys(size)
            end = next + Int64(size)
        }
        defer { next += 1 }
        return next
    }
}
