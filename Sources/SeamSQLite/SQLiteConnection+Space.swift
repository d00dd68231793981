import SQLite3

/// The space that a file takes.
extension SQLiteConnection {
    /// How many pages the file has.
    ///
    /// - Throws: ``SQLiteError``.
    public func pageCount() throws -> Int { try pragma("page_count") }

    /// How many pages of the file hold nothing.
    ///
    /// - Throws: ``SQLiteError``.
    public func freePageCount() throws -> Int { try pragma("freelist_count") }

    /// Whether the file can give free pages back; see ``freePages(limit:)``.
    ///
    /// - Throws: ``SQLiteError``.
    public func vacuumsIncrementally() throws -> Bool { try pragma("auto_vacuum") == 2 }

    /// Gives free pages back to the system, in a transaction of its own. The file becomes shorter at the
    /// next checkpoint. Does nothing if the file is not one that can.
    ///
    /// - Parameter limit: How many pages at most.
    /// - Throws: ``SQLiteError``.
    public func freePages(limit: Int) throws {
        guard limit > 0 else { return }
        try execute("PRAGMA incremental_vacuum(\(limit))")
    }

    /// Rewrites the file, without free pages, as one that can give them back from now on. It takes
    /// as long as to copy what the file holds.
    ///
    /// - Throws: ``SQLiteError``, `busy` while another connection writes.
    public func rewrite() throws {
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        try execute("VACUUM")
    }

    /// Writes what the log holds into the file and empties the log, unless another connection reads:
    /// then as far as it goes.
    ///
    /// - Throws: ``SQLiteError``.
    public func checkpoint() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// How many rows this connection has changed since it was opened.
    public var totalChangeCount: Int { Int(sqlite3_total_changes(handle)) }
}
