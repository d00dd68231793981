import ArgumentParser
import Measurement
import Seam3

/// Measures the cost of sync without the cloud's work, and its effect on the app.
@main
struct SyncBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures pushes and pulls of SMStore with the cloud's share taken out.")

    @Option(
        help: "The numbers of records, smallest first, separated by commas.",
        transform: SyncBenchmarks.sizes)
    var sizes = [1_000, 10_000, 100_000]

    @Option(help: "How often each side is measured at each size; small sizes more often.")
    var rounds = 3

    @Option(help: "Make only tables whose title has this text.")
    var only: String?

    @Flag(help: "Print Markdown tables.")
    var markdown = false

    func run() async throws {
        SMStore.logger = nil
        SMStore.syncAutomatically = false
        let style: Table.Style = markdown ? .markdown : .text
        var tables: [(title: String, make: () async throws -> Table)] = [
            (Throughput.pushTitle, { try await Throughput(sizes: sizes, rounds: rounds).push() }),
            (Throughput.pullTitle, { try await Throughput(sizes: sizes, rounds: rounds).pull() }),
            (PullMemory.title, { try await PullMemory.table(sizes: sizes) }),
            (FirstScreen.title, { try await FirstScreen.table(sizes: sizes) }),
        ]
        tables += AppBesideSync.Sync.allCases.map { sync in
            (
                AppBesideSync.title(sync),
                { try await AppBesideSync.table(sync, size: sizes.last ?? 1000) }
            )
        }
        for table in tables where only.map(table.title.localizedCaseInsensitiveContains) ?? true {
            try await table.make().print(as: style)
        }
    }

    private static func sizes(_ text: String) throws -> [Int] {
        try text.split(separator: ",").map { part in
            guard let size = Int(part), size > 0 else {
                throw ValidationError("\(part) is not a number of records.")
            }
            return size
        }
    }
}
