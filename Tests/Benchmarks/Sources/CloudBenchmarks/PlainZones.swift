import CSQLite
import Foundation

/// The same zones in a plain SQLite file, with a row for each record, a column for each field, and
/// indexes for the names, the feed and the queried field.
final class PlainZones {
    private let database: OpaquePointer
    private var sequence: Int64 = 0
    /// The number of records in each zone.
    private let size: Int
    private let count: Int

    struct Failure: Error {
        let message: String
    }

    init(path: String, size: Int, count: Int) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
            throw Failure(message: path)
        }
        database = handle
        self.size = size
        self.count = count
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        try run("PRAGMA cache_size = -32768")
        try run(
            """
            CREATE TABLE record (
                id INTEGER PRIMARY KEY, zone_id INTEGER NOT NULL, name TEXT NOT NULL,
                type TEXT NOT NULL, sequence INTEGER NOT NULL, created_at INTEGER NOT NULL,
                modified_at INTEGER NOT NULL, title TEXT, body TEXT, number INTEGER, date INTEGER,
                UNIQUE (zone_id, name))
            """)
        try run("CREATE INDEX record_feed ON record (zone_id, sequence)")
        for zone in 0..<count { try fill(zone) }
        try run("CREATE INDEX record_number ON record (zone_id, number)")
    }

    deinit { sqlite3_close_v2(database) }

    private func fill(_ zone: Int) throws {
        let insert = try prepared(
            """
            INSERT INTO record
                (zone_id, name, type, sequence, created_at, modified_at, title, body, number, date)
            VALUES (\(zone), ?, 'Note', ?, ?, ?, ?, ?, ?, ?)
            """)
        defer { sqlite3_finalize(insert) }
        for start in stride(from: 0, to: size, by: 400) {
            try run("BEGIN IMMEDIATE")
            for index in start..<min(start + 400, size) {
                let note = Note(index)
                sequence += 1
                bind(note.name, insert, 1)
                sqlite3_bind_int64(insert, 2, sequence)
                sqlite3_bind_int64(insert, 3, note.date)
                sqlite3_bind_int64(insert, 4, note.date)
                bind(note.title, insert, 5)
                bind(note.body, insert, 6)
                sqlite3_bind_int64(insert, 7, note.number)
                sqlite3_bind_int64(insert, 8, note.date)
                try finish(insert)
            }
            try run("COMMIT")
        }
    }

    /// A random zone.
    func randomZone() -> Int { Int.random(in: 0..<count) }

    /// A position in the older half of a zone's feed.
    func randomPosition(in zone: Int) -> Int64 {
        Int64(zone * size) + Int64.random(in: 0..<Int64(max(size / 2, 1)))
    }

    func changes(in zone: Int, after position: Int64, limit: Int) throws -> [Note] {
        let select = try prepared(
            """
            SELECT \(Self.columns) FROM record WHERE zone_id = \(zone) AND sequence > ?
            ORDER BY sequence LIMIT ?
            """)
        defer { sqlite3_finalize(select) }
        sqlite3_bind_int64(select, 1, position)
        sqlite3_bind_int64(select, 2, Int64(limit))
        return notes(select)
    }

    /// The notes of a zone with these names, without those that do not exist.
    func notes(in zone: Int, named names: [String]) throws -> [Note] {
        let select = try prepared(Self.selectByName(zone))
        defer { sqlite3_finalize(select) }
        return names.compactMap { note(named: $0, select) }
    }

    private static func selectByName(_ zone: Int) -> String {
        "SELECT \(columns) FROM record WHERE zone_id = \(zone) AND name = ?"
    }

    private func note(named name: String, _ select: OpaquePointer?) -> Note? {
        bind(name, select, 1)
        defer { sqlite3_reset(select) }
        return sqlite3_step(select) == SQLITE_ROW ? note(select) : nil
    }

    func notes(in zone: Int, withNumberFrom start: Int, limit: Int) throws -> [Note] {
        let select = try prepared(
            """
            SELECT \(Self.columns) FROM record WHERE zone_id = \(zone) AND number >= ?
            ORDER BY number LIMIT ?
            """)
        defer { sqlite3_finalize(select) }
        sqlite3_bind_int64(select, 1, Int64(start))
        sqlite3_bind_int64(select, 2, Int64(limit))
        return notes(select)
    }

    /// Saves changed notes of a zone in one transaction if nobody has changed them since they were
    /// read.
    func save(_ notes: [Note], in zone: Int) throws -> Int {
        try run("BEGIN IMMEDIATE")
        let update = try prepared(
            """
            UPDATE record SET sequence = ?, modified_at = ?, title = ?, body = ?, number = ?, date = ?
            WHERE id = ?
            """)
        defer { sqlite3_finalize(update) }
        let select = try prepared(Self.selectByName(zone))
        defer { sqlite3_finalize(select) }
        for note in notes {
            guard let stored = self.note(named: note.name, select), stored.sequence == note.sequence
            else {
                try run("ROLLBACK")
                return 0
            }
            sequence += 1
            sqlite3_bind_int64(update, 1, sequence)
            sqlite3_bind_int64(update, 2, Int64(Date().timeIntervalSince1970 * 1000))
            bind(note.title, update, 3)
            bind(note.body, update, 4)
            sqlite3_bind_int64(update, 5, Int64.random(in: 0..<Int64(size)))
            sqlite3_bind_int64(update, 6, note.date)
            sqlite3_bind_int64(update, 7, stored.id)
            try finish(update)
        }
        try run("COMMIT")
        return notes.count
    }

    // MARK: - SQLite

    private static let columns =
        "id, name, type, sequence, created_at, modified_at, title, body, number, date"

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(database))) }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    private func prepared(_ sql: String) throws -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure
        }
        return statement
    }

    private func bind(_ text: String, _ statement: OpaquePointer?, _ index: Int32) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_bind_text(statement, index, text, -1, transient)
    }

    private func finish(_ statement: OpaquePointer?) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
        sqlite3_reset(statement)
    }

    private func notes(_ select: OpaquePointer?) -> [Note] {
        var notes: [Note] = []
        while sqlite3_step(select) == SQLITE_ROW { notes.append(note(select)) }
        return notes
    }

    /// The note in the current row.
    private func note(_ select: OpaquePointer?) -> Note {
        func text(_ column: Int32) -> String {
            sqlite3_column_text(select, column).map { String(cString: $0) } ?? ""
        }
        var note = Note(
            name: text(1), title: text(6), body: text(7),
            number: sqlite3_column_int64(select, 8), date: sqlite3_column_int64(select, 9))
        note.id = sqlite3_column_int64(select, 0)
        note.sequence = sqlite3_column_int64(select, 3)
        return note
    }
}
