/// The result of comparing two workloads.
public struct ComparisonResult {
    /// Both sides' samples at one size.
    public struct Measurement {
        /// The number of objects.
        public let size: Int
        /// The samples of the yardstick.
        public let yardstick: WorkloadSamples
        /// The samples of the subject.
        public let subject: WorkloadSamples

        /// The subject's time divided by the yardstick's, both as medians.
        public var ratio: Double { subject.median / yardstick.median }
    }

    /// The factor by which the ratios of one comparison may differ before the subject counts as
    /// growing differently from its yardstick.
    public static let allowedSpread = 1.3

    let comparison: Comparison
    /// One entry for each size, in the given order.
    public let measurements: [Measurement]

    /// The largest ratio divided by the smallest.
    public var spread: Double {
        let ratios = measurements.map(\.ratio)
        guard let least = ratios.min(), let most = ratios.max() else { return .nan }
        return most / least
    }

    /// All figures, a line for each size.
    public var table: Table {
        let (yardstick, subject) = (comparison.yardstick.name, comparison.subject.name)
        var table = Table(
            title: comparison.name,
            columns: [
                "objects", "\(yardstick) ms", "min – max", "\(subject) ms", "min – max", "ratio",
                "\(yardstick) peak MB", "\(subject) peak MB",
            ])
        for measurement in measurements {
            table.add([
                measurement.size.grouped,
                milliseconds(measurement.yardstick.median), range(measurement.yardstick),
                milliseconds(measurement.subject.median), range(measurement.subject),
                measurement.ratio.rounded(toPlaces: 2),
                megabytes(measurement.yardstick.peakBytes),
                megabytes(measurement.subject.peakBytes),
            ])
        }
        return table
    }

    /// A sentence that tells whether the ratio stays the same from the smallest to the largest
    /// size.
    public var verdict: String {
        guard measurements.count > 1 else { return "One size only: nothing to say of growth." }
        let allowed = Self.allowedSpread
        return "Largest ratio / smallest ratio: \(spread.rounded(toPlaces: 2)), "
            + (spread <= allowed ? "within \(allowed)." : "NOT within \(allowed).")
    }

    private func range(_ samples: WorkloadSamples) -> String {
        "\(milliseconds(samples.least)) – \(milliseconds(samples.most))"
    }

    private func milliseconds(_ seconds: Double) -> String {
        let value = seconds * 1000
        return value.rounded(toPlaces: value < 10 ? 3 : 1)
    }

    private func megabytes(_ bytes: Int) -> String {
        (Double(bytes) / 1_000_000).rounded(toPlaces: 1)
    }
}
