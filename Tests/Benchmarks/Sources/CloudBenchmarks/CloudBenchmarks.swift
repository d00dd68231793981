import ArgumentParser
import Measurement

/// Measures CloudKit on a local cloud against the same work done directly with SQLite.
@main
struct CloudBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares CloudKit on a local cloud with a loop over plain SQLite.")

    @OptionGroup var options: MeasurementOptions

    func run() async throws {
        let clouds = Clouds(largestSize: options.largestSize)
        defer { clouds.remove() }
        try await ComparisonRunner(options: options).run(ZoneComparisons(clouds: clouds).all)
    }
}
