import ArgumentParser
import Console
import CoreData
import Seam3

/// Shows the state of a store's sync, and the store's contents.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show pending changes, the last sync, and the objects by entity.",
        discussion: "Example: seam3 status Clock.sqlite --model Clock.xcdatamodeld")

    @OptionGroup var file: StoreArgument
    @OptionGroup var model: ModelOption
    @OptionGroup var log: LogOption

    func run() async throws {
        StoreLogger.start(log)
        let open = try OpenStore(file.url(), model: model)
        let status = try open.store.syncStatus()
        let statistics = try open.store.statistics()
        let facts = [
            ("Objects:", "\(statistics.rowCount)"),
            ("Pending changes:", "\(status.pendingChangeCount)"),
            ("Last sync:", status.lastSuccess.map { "\($0)" } ?? "never"),
            ("Last error:", status.lastError ?? "none"),
            ("Not fetched:", "\(status.unfetchedRecords.count) records"),
            ("Size:", "\(statistics.size) bytes"),
        ]
        print(TextTable.list(facts.map { (name: $0.0, text: $0.1) }))
        print("")
        print(Self.table(statistics))
        for (record, reason) in status.unfetchedRecords.sorted(by: { $0.key < $1.key }) {
            print("Not fetched: \(record): \(reason)")
        }
    }

    private static func table(_ statistics: SMStoreStatistics) -> String {
        // The links of many-to-many relationships have changes but are not objects.
        let names = Set(statistics.rowCounts.keys).union(statistics.pendingChanges.keys)
        let rows = names.sorted().map { name -> [String] in
            let pending = statistics.pendingChanges[name]
            let counts = [
                statistics.rowCounts[name], pending?.insertions ?? 0, pending?.updates ?? 0,
                pending?.deletions ?? 0, pending?.refused ?? 0,
            ]
            return [name] + counts.map { count in count.map { "\($0)" } ?? "–" }
        }
        return TextTable.lines(
            ["Entity", "Objects", "To insert", "To update", "To delete", "Refused"], rows)
    }
}
