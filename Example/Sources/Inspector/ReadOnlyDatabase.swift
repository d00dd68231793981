import CSQLite
import Console
import CoreData

/// A read-only connection to an SQLite file.
final class ReadOnlyDatabase {
    /// What a statement returned, as text.
    struct Result {
        let columns: [String]
        var rows: [[String]]
    }

    private let connection: OpaquePointer
    private let path: String

    /// Opens a file.
    init(_ url: URL) throws {
        path = url.path
        var connection: OpaquePointer?
        let code = sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil)
        guard code == SQLITE_OK, let connection else {
            sqlite3_close_v2(connection)
            throw Console.Failure(
                "\(path) cannot be opened: \(String(cString: sqlite3_errstr(code))).")
        }
        self.connection = connection
        sqlite3_busy_timeout(connection, 5000)
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs one statement.
    func run(_ sql: String) throws -> Result {
        var statement: OpaquePointer?
        var isOnly = true
        let code = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(connection, text, -1, &statement, &tail)
            let rest = tail.map { String(cString: $0) } ?? ""
            isOnly = rest.allSatisfy { $0.isWhitespace || $0 == ";" }
            return code
        }
        defer { sqlite3_finalize(statement) }
        guard code == SQLITE_OK else { throw failure() }
        guard let statement else { throw Console.Failure("The statement is empty.") }
        guard isOnly else { throw Console.Failure("One statement at a time, please.") }
        let count = sqlite3_column_count(statement)
        let columns = (0..<count).map { String(cString: sqlite3_column_name(statement, $0)) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<count).map { Self.text(statement, $0) })
            case SQLITE_DONE: return Result(columns: columns, rows: rows)
            default: throw failure()
            }
        }
    }

    /// Checks that the file belongs to an `SMStore`.
    func checkIsStore() throws {
        let tables = try run("SELECT name FROM sqlite_master WHERE name = 'sm_outbox'")
        guard !tables.rows.isEmpty else {
            throw Console.Failure("\(path) is an SQLite file, but not a store of Seam3.")
        }
    }

    private static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return "NULL"
        case SQLITE_BLOB: return "\(sqlite3_column_bytes(statement, column)) bytes"
        default:
            guard let text = sqlite3_column_text(statement, column) else { return "" }
            return String(cString: text).replacingOccurrences(of: "\n", with: "⏎")
        }
    }

    private func failure() -> Console.Failure {
        Console.Failure("SQLite refuses: \(String(cString: sqlite3_errmsg(connection))).")
    }
}
