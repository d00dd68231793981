/// The same work done twice: by a yardstick, which is as fast as the work can sensibly be done, and by the subject.
public struct Comparison {
    /// What the work is, for the table and for choosing it in the command line.
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
    ///   - yardstick: What the subject is measured against.
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
