/// The records of the change feed that could not be fetched, such as those whose asset is missing.
///
/// The change token is behind them, so that the feed does not tell of them again: each pass asks
/// for them by name. All of it happens inside the engine's transactions.
struct UnfetchedRecords {
    private static let prefix = "unfetched "
    /// The first text behind all that begin with the prefix.
    private static let end = "unfetched!"

    let database: StoreDatabase

    /// The names of the records.
    func names() throws -> [String] { try names(condition: "1") }

    /// The names of the records for which no pass has failed yet.
    func unreportedNames() throws -> [String] { try names(condition: "value = 0") }

    private func names(condition: String) throws -> [String] {
        try database.connection.rows(
            "SELECT key FROM sm_metadata WHERE key > ? AND key < ? AND \(condition) ORDER BY key",
            [.text(Self.prefix), .text(Self.end)]
        ) { String($0.text(at: 0).dropFirst(Self.prefix.count)) }
    }

    /// Adds a record, unless it is known.
    func add(_ name: String) throws {
        try database.connection.execute(
            "INSERT INTO sm_metadata (key, value) VALUES (?, 0) ON CONFLICT (key) DO NOTHING",
            [.text(Self.prefix + name)])
    }

    /// Notes that a pass has failed because of a record.
    func noteReported(_ name: String) throws {
        try database.setMetadata(Self.prefix + name, .integer(1))
    }

    /// Forgets those of some records that are known: they have been fetched, or are gone.
    func remove(_ names: some Sequence<String>) throws {
        let known = Set(try self.names())
        guard !known.isEmpty else { return }
        for name in names where known.contains(name) {
            try database.setMetadata(Self.prefix + name, .null)
        }
    }

    func removeAll() throws {
        try database.connection.execute(
            "DELETE FROM sm_metadata WHERE key > ? AND key < ?",
            [.text(Self.prefix), .text(Self.end)])
    }

    /// Takes over the records of another file.
    func take(from other: UnfetchedRecords) throws {
        try removeAll()
        let unreported = Set(try other.unreportedNames())
        for name in try other.names() {
            try database.setMetadata(
                Self.prefix + name, .integer(unreported.contains(name) ? 0 : 1))
        }
    }
}
