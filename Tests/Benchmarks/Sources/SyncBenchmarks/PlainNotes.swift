import CSQLite
import Foundation
import SyncedNotes

/// The rows that a sync reads and writes, in a plain file through SQLite's C functions: notes with
/// a name, a version and the server's system fields, and an outbox.
final class PlainNotes {
    private let database: OpaquePointer
    private let folder: Folder

    struct Failure: Error { let message: String }

    /// System fields of the usual size.
    private static let systemFields = Data(repeating: 7, count: 300)
    private static let pageSize = 200

    init() throws {
        folder = try Folder()
        var handle: OpaquePointer?
        let path = folder.url("Plain.sqlite").path
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
            throw Failure(message: path)
        }
        database = handle
        for sql in [
            "PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL",
            "PRAGMA cache_size = -8192",
            """
            CREATE TABLE object (
                pk INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, version INTEGER NOT NULL,
                tag TEXT, system_fields BLOB)
            """,
            "CREATE TABLE note (pk INTEGER PRIMARY KEY, title TEXT, body TEXT, number, date)",
            "CREATE TABLE change (pk INTEGER PRIMARY KEY, kind INTEGER NOT NULL)",
            "CREATE TABLE state (token BLOB)",
        ] { try execute(sql) }
    }

    deinit { sqlite3_close_v2(database) }

    /// Writes notes from the server, with one transaction for each page.
    func pull(_ count: Int) throws {
        let object = try prepare(
            "INSERT INTO object (pk, name, version, tag, system_fields) VALUES (?, ?, 1, ?, ?)")
        let note = try prepare("INSERT INTO note VALUES (?, ?, ?, ?, ?)")
        defer { for statement in [object, note] { sqlite3_finalize(statement) } }
        for start in stride(from: 0, to: count, by: Self.pageSize) {
            try execute("BEGIN IMMEDIATE")
            for index in start..<min(start + Self.pageSize, count) {
                sqlite3_bind_int64(object, 1, Int64(index))
                bind(Self.name(index), object, 2)
                bind("tag\(index)", object, 3)
                bind(Self.systemFields, object, 4)
                try step(object)
                try insert(index, with: note)
            }
            try execute("UPDATE state SET token = zeroblob(16)")
            try execute("COMMIT")
        }
    }

    /// Writes notes like an app that creates them.
    func insert(_ count: Int) throws {
        let object = try prepare("INSERT INTO object (pk, name, version) VALUES (?, ?, 1)")
        let note = try prepare("INSERT INTO note VALUES (?, ?, ?, ?, ?)")
        let change = try prepare("INSERT INTO change VALUES (?, 1)")
        defer { for statement in [object, note, change] { sqlite3_finalize(statement) } }
        try execute("BEGIN IMMEDIATE")
        for index in 0..<count {
            sqlite3_bind_int64(object, 1, Int64(index))
            bind(Self.name(index), object, 2)
            try step(object)
            try insert(index, with: note)
            sqlite3_bind_int64(change, 1, Int64(index))
            try step(change)
        }
        try execute("COMMIT")
    }

    /// Reads the waiting rows, and records that the server has them, with one transaction for each
    /// batch.
    ///
    /// - Returns: The number of rows.
    func push() throws -> Int {
        let waiting = try prepare(
            """
            SELECT change.pk, name, title, body, number, date FROM change
            JOIN object USING (pk) JOIN note USING (pk) ORDER BY change.pk LIMIT \(Self.pageSize)
            """)
        let update = try prepare("UPDATE object SET tag = ?, system_fields = ? WHERE pk = ?")
        let delete = try prepare("DELETE FROM change WHERE pk = ?")
        defer { for statement in [waiting, update, delete] { sqlite3_finalize(statement) } }
        var count = 0
        while true {
            var keys: [Int64] = []
            var bytes = 0
            while sqlite3_step(waiting) == SQLITE_ROW {
                keys.append(sqlite3_column_int64(waiting, 0))
                for column in 1...3 as ClosedRange<Int32> {
                    guard let text = sqlite3_column_text(waiting, column) else { continue }
                    bytes += String(cString: text).utf8.count
                }
            }
            sqlite3_reset(waiting)
            if keys.isEmpty { return count }
            count += bytes == 0 ? 0 : keys.count
            try execute("BEGIN IMMEDIATE")
            for key in keys {
                bind("tag\(key)", update, 1)
                bind(Self.systemFields, update, 2)
                sqlite3_bind_int64(update, 3, key)
                try step(update)
                sqlite3_bind_int64(delete, 1, key)
                try step(delete)
            }
            try execute("COMMIT")
        }
    }

    /// The name of a record. Like the store's names, they ascend in the order of creation.
    private static func name(_ index: Int) -> String {
        let number = String(index, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - number.count) + number
            + UUID().uuidString.dropFirst(8)
    }

    // MARK: - SQLite

    private func insert(_ index: Int, with statement: OpaquePointer?) throws {
        let values = NoteValues(index)
        sqlite3_bind_int64(statement, 1, Int64(index))
        bind(values.title, statement, 2)
        bind(values.body, statement, 3)
        sqlite3_bind_int64(statement, 4, Int64(index))
        sqlite3_bind_double(statement, 5, values.date.timeIntervalSinceReferenceDate)
        try step(statement)
    }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(database))) }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure
        }
        return statement
    }

    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private func bind(_ text: String, _ statement: OpaquePointer?, _ index: Int32) {
        sqlite3_bind_text(statement, index, text, -1, Self.transient)
    }

    private func bind(_ data: Data, _ statement: OpaquePointer?, _ index: Int32) {
        _ = data.withUnsafeBytes { bytes in
            sqlite3_bind_blob(
                statement, index, bytes.baseAddress, Int32(bytes.count), Self.transient)
        }
    }

    private func step(_ statement: OpaquePointer?) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
        sqlite3_reset(statement)
    }
}
