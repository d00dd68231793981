import CoreData

/// The table `sm_unfetched`: the records of the change feed that could not be fetched, such as those
/// whose asset is missing.
///
/// The change token is behind them, so that the feed does not tell of them again: each pass asks
/// for them by name.
struct UnfetchedRecordTable {
    static let name = "sm_unfetched"

    static let statements = [
        """
        CREATE TABLE sm_unfetched (record_name TEXT PRIMARY KEY, \
        is_reported INTEGER NOT NULL DEFAULT 0 CHECK (is_reported IN (0, 1))) WITHOUT ROWID
        """
    ]

    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    /// The names of the records.
    func names() throws -> [String] {
        try connection.rows("SELECT record_name FROM sm_unfetched ORDER BY 1") { $0.text(at: 0) }
    }

    /// The names of the records for which no pass has failed yet.
    func unreportedNames() throws -> [String] {
        try connection.rows(
            "SELECT record_name FROM sm_unfetched WHERE is_reported = 0 ORDER BY 1"
        ) { $0.text(at: 0) }
    }

    func count() throws -> Int {
        try Int(connection.firstRow("SELECT count(*) FROM sm_unfetched") { $0.integer(at: 0) } ?? 0)
    }

    /// Adds a record, unless it is known.
    func add(_ name: String) throws {
        try connection.execute(
            "INSERT INTO sm_unfetched (record_name) VALUES (?) ON CONFLICT DO NOTHING",
            [.text(name)])
    }

    /// Notes that a pass has failed because of a record.
    func noteReported(_ name: String) throws {
        try connection.execute(
            "UPDATE sm_unfetched SET is_reported = 1 WHERE record_name = ?", [.text(name)])
    }

    /// Forgets those of some records that are known: they have been fetched, or are gone.
    func remove(_ names: some Sequence<String>) throws {
        guard try count() > 0 else { return }
        for name in names {
            try connection.execute(
                "DELETE FROM sm_unfetched WHERE record_name = ?", [.text(name)])
        }
    }

    func removeAll() throws {
        try connection.execute("DELETE FROM sm_unfetched")
    }

    /// Takes over the records of another file.
    func take(from other: UnfetchedRecordTable) throws {
        try removeAll()
        let unreported = Set(try other.unreportedNames())
        for name in try other.names() {
            try add(name)
            if !unreported.contains(name) { try noteReported(name) }
        }
    }
}
