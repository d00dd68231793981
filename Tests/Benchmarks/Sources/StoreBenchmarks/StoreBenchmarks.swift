import ArgumentParser
import Measurement

/// Measures Core Data on `SMStore` against SQLite's C API, which is the lower limit, and against
/// GRDB.
@main struct StoreBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StoreBenchmarks",
        abstract:
            "SMStore against SQLite's C API and GRDB, on files with the same rows and indexes.")

    @OptionGroup var options: MeasurementOptions

    func run() async throws {
        defer { BenchmarkFiles.shared.removeAll() }
        try await ComparisonRunner(options: options).run(Self.comparisons)
        if options.chooses(SaveMemory.title) {
            try SaveMemory.table(options).print(as: options.tableStyle)
        }
        if options.chooses(OrderedInsertions.title) {
            try OrderedInsertions.table(options).print(as: options.tableStyle)
        }
    }

    private static var works: [(String, store: Workload, c: Workload, grdb: Workload)] {
        [
            ("fetch with all values", StoreSide.allValues, CSide.allValues, GRDBSide.allValues),
            (
                "fetch with all values by typed accessors", StoreSide.typedValues,
                CSide.allValues, GRDBSide.allValues
            ),
            ("fetch again", StoreSide.again, CSide.rows, GRDBSide.rows),
            ("the store's share of all values", StoreSide.nodes, CSide.rows, GRDBSide.rows),
            (
                "fetch 1,000 times one by an index", StoreSide.oneByIndex, CSide.oneByIndex,
                GRDBSide.oneByIndex
            ),
            ("count", StoreSide.count, CSide.count, GRDBSide.count),
            ("fetch IDs", StoreSide.identifiers, CSide.identifiers, GRDBSide.identifiers),
            ("fetch by a to-many predicate", StoreSide.toMany, CSide.toMany, GRDBSide.toMany),
            ("walk parents with 10 children", StoreSide.walk, CSide.walk, GRDBSide.walk),
            ("group by", StoreSide.groups, CSide.groups, GRDBSide.groups),
            (
                "fetch dictionaries", StoreSide.dictionaries, CSide.dictionaries,
                GRDBSide.dictionaries
            ),
            ("insert and save", StoreSide.insertion, CSide.insertion, GRDBSide.insertion),
            ("update", StoreSide.update, CSide.update, GRDBSide.update),
            (
                "fetch, change and save 1,000 times one", StoreSide.smallSaves, CSide.smallSaves,
                GRDBSide.smallSaves
            ),
            ("delete", StoreSide.deletion, CSide.deletion, GRDBSide.deletion),
        ]
    }

    private static var comparisons: [Comparison] {
        works.flatMap { name, store, c, grdb in
            [
                Comparison("\(name), against the C API", yardstick: c, subject: store),
                Comparison("\(name), against GRDB", yardstick: grdb, subject: store),
            ]
        }
    }
}
