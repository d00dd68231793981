/// The same work done by a yardstick, which is as fast as is reasonably possible, and by the
/// subject.
public struct Comparison {
    /// The name of the work, for the table and for the command line.
    public let name: String
    /// What the subject is measured against.
    public let yardstick: Workload
    /// What is measured.
    public let subject: Workload
    /// The sizes beyond which the comparison is not made, as it would take too long.
    public let largestSize: Int

    /// Describes a comparison.
    ///
    /// - Parameters:
    ///   - name: What the work is.
    ///   - yardstick: The yardstick.
    ///   - subject: What is measured.
    ///   - largestSize: The largest number of objects at which the comparison makes sense.
    public init(
        _ name: String, yardstick: Workload, subject: Workload, largestSize: Int = .max
    ) {
        self.name = name
        self.yardstick = yardstick
        self.subject = subject
        self.largestSize = largestSize
    }
}
