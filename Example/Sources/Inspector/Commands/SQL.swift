import ArgumentParser
import Console
import CoreData

/// Runs an SQL statement that reads a file.
struct SQL: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sql",
        abstract: "Run an SQL statement that reads.",
        discussion: """
            Example: seam3 sql Clock.sqlite "SELECT kind, count(*) FROM sm_outbox GROUP BY 1"

            The collations that the store defines for decimals are not known here.
            """)

    @OptionGroup var file: StoreArgument

    @Argument(help: "The statement.")
    var statement: String

    func run() async throws {
        let result = try ReadOnlyDatabase(file.url()).run(statement)
        if !result.columns.isEmpty { print(TextTable.lines(result.columns, result.rows)) }
        print(result.rows.count == 1 ? "1 row" : "\(result.rows.count) rows")
    }
}
