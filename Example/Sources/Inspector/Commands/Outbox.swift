import ArgumentParser
import Console
import CoreData

/// Lists the changes that wait for the server.
struct Outbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the changes that the server has not acknowledged.",
        discussion: "Example: seam3 outbox Clock.sqlite --limit 20")

    /// The public interface only counts the changes, so they are read from the tables.
    private static let changes = """
        SELECT coalesce(e.name, '–') AS Entity, c.kind AS Change, c.state AS State,
        c.attempts AS Attempts, o.record_name AS Record, coalesce(c.error, '') AS Error
        FROM sm_outbox AS c JOIN sm_object AS o ON o.pk = c.pk
        LEFT JOIN sm_entity AS e ON e.number = o.entity
        ORDER BY c.revision, c.pk
        """

    @OptionGroup var file: StoreArgument

    @Option(help: "How many changes are listed, the oldest first.")
    var limit = 100

    func validate() throws {
        guard limit > 0 else { throw ValidationError("The limit must be positive.") }
    }

    func run() async throws {
        let database = try ReadOnlyDatabase(file.url())
        try database.checkIsStore()
        let result = try database.run(Self.changes)
        guard !result.rows.isEmpty else { return print("No change waits for the server.") }
        print(TextTable.lines(result.columns, Array(result.rows.prefix(limit))))
        let rest = result.rows.count - limit
        if rest > 0 { print("  … and \(rest) more") }
    }
}
