/// Runs comparisons, with several rounds for each size, and both sides in turn in each round.
///
/// Alternating prevents other load on the machine from favoring one side. A different side begins
/// in each round.
public struct ComparisonRunner {
    private let options: MeasurementOptions

    /// Creates a runner.
    ///
    /// - Parameter options: The sizes, the number of rounds and the form of the tables.
    public init(options: MeasurementOptions) {
        self.options = options
    }

    /// Runs the selected comparisons, and prints a table for each as soon as it is done.
    ///
    /// - Parameter comparisons: All comparisons.
    /// - Throws: ``ChecksumMismatch`` if the two sides of a comparison did different work, and
    ///   errors of the work itself.
    public func run(_ comparisons: [Comparison]) async throws {
        for comparison in comparisons where options.chooses(comparison.name) {
            let result = try await measure(comparison)
            result.table.print(as: options.tableStyle)
            print(result.verdict + "\n")
        }
    }

    /// Measures one comparison at all sizes.
    ///
    /// - Parameter comparison: The comparison.
    /// - Returns: The times, ratios and memory by size.
    /// - Throws: As ``run(_:)``.
    public func measure(_ comparison: Comparison) async throws -> ComparisonResult {
        var measurements: [ComparisonResult.Measurement] = []
        for size in options.sizes where size <= comparison.largestSize {
            var yardstick = WorkloadSamples()
            var subject = WorkloadSamples()
            // The first round is discarded, because it includes lazy initialization and page
            // faults.
            for round in 0...options.rounds {
                for yardstickTurn in round.isMultiple(of: 2) ? [true, false] : [false, true] {
                    if yardstickTurn {
                        try await yardstick.sample(comparison.yardstick, size: size, options)
                    } else {
                        try await subject.sample(comparison.subject, size: size, options)
                    }
                }
                guard yardstick.checksum == subject.checksum else {
                    throw ChecksumMismatch(
                        comparison: comparison.name, size: size,
                        yardstick: yardstick.checksum, subject: subject.checksum)
                }
                if round == 0 {
                    yardstick.forgetTimes()
                    subject.forgetTimes()
                }
            }
            measurements.append(.init(size: size, yardstick: yardstick, subject: subject))
        }
        return ComparisonResult(comparison: comparison, measurements: measurements)
    }
}

/// The two sides of a comparison did different work.
public struct ChecksumMismatch: Error, CustomStringConvertible {
    let comparison: String
    let size: Int
    let yardstick: Int
    let subject: Int

    /// Both checksums.
    public var description: String {
        "\(comparison), size \(size): the yardstick's checksum is \(yardstick), the subject's \(subject)."
    }
}
