import CoreData

/// The table `sm_unfetched`: the records of the change feed that could not be applied, because they
/// could not be fetched (such as a record whose asset is missing) or because the file refuses them.
///
/// The change token is already past them, so the feed will not return them again. Each pass asks
/// for them by name.
struct UnfetchedRecordTable {
    static let name = "sm_unfetched"

    static let statements = [
        """
        CREATE TABLE sm_unfetched (record_name TEXT PRIMARY KEY, reason TEXT NOT NULL, \
        is_reported INTEGER NOT NULL DEFAULT 0 CHECK (is_reported IN (0, 1)), \
        is_contested INTEGER NOT NULL DEFAULT 0 CHECK (is_contested IN (0, 1))) WITHOUT ROWID
        """
    ]

    let database: StoreDatabase
    private var connection: SQLiteConnection { database.connection }

    /// The names of the records.
    func names() throws -> [String] {
        try connection.rows("SELECT record_name FROM sm_unfetched ORDER BY 1") { $0.text(at: 0) }
    }

    /// Why the records were not applied, by name.
    func reasons() throws -> [String: String] {
        let pairs = try connection.rows(
            "SELECT record_name, reason FROM sm_unfetched WHERE is_contested = 0"
        ) { ($0.text(at: 0), $0.text(at: 1)) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The names of the records that have not failed a pass yet.
    func unreportedNames() throws -> [String] {
        try connection.rows(
            "SELECT record_name FROM sm_unfetched WHERE is_reported = 0 ORDER BY 1"
        ) { $0.text(at: 0) }
    }

    func count() throws -> Int {
        try Int(
            clamping: connection.firstRow("SELECT count(*) FROM sm_unfetched") { $0.integer(at: 0) }
                ?? 0)
    }

    /// Adds a record, or updates the reason of a known one.
    ///
    /// - Parameters:
    ///   - name: The record's name.
    ///   - reason: Why it was not applied.
    func add(_ name: String, reason: String) throws {
        try connection.execute(
            """
            INSERT INTO sm_unfetched (record_name, reason) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET reason = excluded.reason, \
            is_reported = is_reported AND NOT is_contested, is_contested = 0
            """, [.text(name), .text(reason)])
    }

    /// Adds a record that cannot be decided, or one of whose references cannot, until everything that
    /// the server has is present. The record is then applied again even if its version is known.
    func addContested(_ name: String) throws {
        try connection.execute(
            """
            INSERT INTO sm_unfetched (record_name, reason, is_reported, is_contested)
            VALUES (?, '', 1, 1) ON CONFLICT DO UPDATE SET is_contested = 1
            """, [.text(name)])
    }

    /// Whether a record was not applied.
    func contains(_ name: String) throws -> Bool {
        try connection.firstRow("SELECT 1 FROM sm_unfetched WHERE record_name = ?", [.text(name)]) {
            _ in true
        } ?? false
    }

    /// Whether a record is applied again even if its version is known.
    func isContested(_ name: String) throws -> Bool {
        try connection.firstRow(
            "SELECT 1 FROM sm_unfetched WHERE record_name = ? AND is_contested = 1", [.text(name)]
        ) { _ in true } ?? false
    }

    /// Notes that a record has failed a pass.
    func noteReported(_ name: String) throws {
        try connection.execute(
            "UPDATE sm_unfetched SET is_reported = 1 WHERE record_name = ?", [.text(name)])
    }

    /// Forgets records, because the server has the local version of them.
    func remove(_ names: some Sequence<String>) throws {
        try remove(names, "record_name = ? AND is_contested = 0")
    }

    /// Forgets records, because they have been applied or are gone.
    func removeTakenOver(_ names: some Sequence<String>) throws {
        try remove(names, "record_name = ?")
    }

    private func remove(_ names: some Sequence<String>, _ condition: String) throws {
        guard try count() > 0 else { return }
        for name in names {
            try connection.execute("DELETE FROM sm_unfetched WHERE \(condition)", [.text(name)])
        }
    }

    func removeAll() throws {
        try connection.execute("DELETE FROM sm_unfetched")
    }

    /// Takes over the records of another file.
    func take(from other: UnfetchedRecordTable) throws {
        try removeAll()
        let unreported = Set(try other.unreportedNames())
        let reasons = try other.reasons()
        for name in try other.names() {
            if let reason = reasons[name] {
                try add(name, reason: reason)
            } else {
                try addContested(name)
            }
            if !unreported.contains(name) { try noteReported(name) }
        }
    }
}
