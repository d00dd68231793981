import ArgumentParser
import Measurement

/// Measures Core Data on its in-memory store against plain Swift objects in a dictionary.
@main
struct CoreDataBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares Core Data on its in-memory store with plain objects in a dictionary.")

    @OptionGroup var options: MeasurementOptions

    func run() async throws {
        let comparisons =
            SavingComparisons.all + FetchingComparisons.all + ReadingComparisons.all
        try await ComparisonRunner(options: options).run(comparisons)
        if options.chooses(MemoryOfObjects.title) {
            try MemoryOfObjects.table(size: 100_000).print(as: options.tableStyle)
        }
        if options.chooses(ModelReading.title) {
            try ModelReading.table().print(as: options.tableStyle)
        }
    }
}
