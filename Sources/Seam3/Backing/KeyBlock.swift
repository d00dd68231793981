/// A block of numbers for new objects that are needed one by one.
///
/// If the transaction is rolled back, the numbers are released as well; restore the previous value
/// of the block then.
struct KeyBlock {
    private var next: Int64 = 0
    private var end: Int64 = 0
    /// How many numbers are reserved at once.
    private let size: Int

    /// - Parameter expectedCount: The expected maximum of numbers that are needed.
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
