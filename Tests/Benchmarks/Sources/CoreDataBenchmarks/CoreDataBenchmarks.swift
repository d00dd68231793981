import ArgumentParser
import Measurement

/// Measures Core Data on its in-memory store against plain Swift objects in a dictionary.
@main
struct CoreDataBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares Core Data on its in-memory store with plain objects in a dictionary.")

    @OptionGroup var options: MeasurementOptions

    func run() async throws {
        try await ComparisonRunner(options: options).run(SavingComparisons.all)
    }
}
