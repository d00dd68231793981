import FoundationGaps

/// Numbers as objects. Small ones are created once: most numbers of most rows are small, and shared
/// objects need neither time nor memory of their own.
enum SharedNumbers {
    private static let least: Int64 = -1
    private static let small = (least...1023).map { NSNumber(value: $0) }
    private static let yes = NSNumber(value: true)
    private static let no = NSNumber(value: false)

    /// An integer as an object.
    static func number(_ value: Int64) -> NSNumber {
        value >= least && value < least + Int64(small.count)
            ? small[Int(value - least)] : NSNumber(value: value)
    }

    /// A Boolean as an object.
    static func number(_ value: Bool) -> NSNumber { value ? yes : no }
}
