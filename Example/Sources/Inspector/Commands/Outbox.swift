import ArgumentParser
import Console
import CoreData

/// Lists the changes that wait for the server.
struct Outbox: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the changes that the server has not acknowledged.",
        discussion: """
            Properties are those that somebody has changed. Resent are those that are sent although nobody has, because \
            the record lacks them.

            Example: seam3 outbox Clock.sqlite --limit 20
            """)

    /// The public interface only counts the changes, so they are read from the tables.
    private static let changes = """
        SELECT coalesce(e.name, '–') AS Entity, c.kind AS Change, c.state AS State,
        hex(CASE c.kind WHEN 'update' THEN coalesce(c.changes, X'') END) AS Properties,
        coalesce(c.resend, '') AS Resent, o.record_name AS Record, coalesce(c.error, '') AS Error
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
        var result = try database.run(Self.changes)
        if let column = result.columns.firstIndex(of: "Properties") {
            for row in result.rows.indices {
                result.rows[row][column] = Self.properties(
                    kind: result.rows[row][1], changes: result.rows[row][column])
            }
        }
        guard !result.rows.isEmpty else { return print("No change waits for the server.") }
        print(TextTable.lines(result.columns, Array(result.rows.prefix(limit))))
        let rest = result.rows.count - limit
        if rest > 0 { print("  … and \(rest) more") }
    }

    /// The changed properties of an update.
    ///
    /// - Parameter changes: The column `changes` in hexadecimal digits: names and values in turn, each with a byte for
    ///   the kind, and the number of its bytes. A name is a letter and that of a property, or begins a layer.
    private static func properties(kind: String, changes: String) -> String {
        guard kind == "update" else { return kind == "insert" ? "all" : "–" }
        let digits = Array(changes)
        let bytes = stride(from: 0, to: digits.count - 1, by: 2)
            .compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        var parts: [ArraySlice<UInt8>] = []
        var position = 0
        while position + 5 <= bytes.count {
            let count = bytes[position + 1..<position + 5].reversed().reduce(0) {
                $0 << 8 | Int($1)
            }
            let start = position + 5
            guard count <= bytes.count - start else { break }
            position = start + count
            parts.append(bytes[start..<position])
        }
        let names = stride(from: 0, to: parts.count, by: 2)
            .map { String(decoding: parts[$0], as: UTF8.self) }
            .filter { $0.count > 1 && !$0.hasPrefix("u") }.map { String($0.dropFirst()) }
        return Set(names).sorted().joined(separator: ", ")
    }
}
