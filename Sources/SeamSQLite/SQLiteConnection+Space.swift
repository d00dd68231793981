import SQLite3

/// The space that a file occupies.
extension SQLiteConnection {
    /// The number of pages in the file.
    ///
    /// - Throws: ``SQLiteError``.
    public func pageCount() throws -> Int { try pragma("page_count") }

    /// The number of free pages in the file.
    ///
    /// - Throws: ``SQLiteError``.
    public func freePageCount() throws -> Int { try pragma("freelist_count") }

    /// Whether the file can release free pages; see ``freePages(limit:)``.
    ///
    /// - Throws: ``SQLiteError``.
    public func vacuumsIncrementally() throws -> Bool { try pragma("auto_vacuum") == 2 }

    /// Releases free pages to the system, in a transaction of its own. The file becomes shorter at
    /// the next checkpoint. Does nothing if the file does not support it.
    ///
    /// - Parameter limit: The maximum number of pages.
    /// - Throws: ``SQLiteError``.
    public func freePages(limit: Int) throws {
        guard limit > 0 else { return }
        try execute("PRAGMA incremental_vacuum(\(limit))")
    }

    /// Rewrites the file without free pages, and enables it to release free pages from now on. It
    /// takes as long as copying the file's contents.
    ///
    /// - Throws: ``SQLiteError``, `busy` while another connection writes.
    public func rewrite() throws {
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        try execute("VACUUM")
    }

    /// Moves the contents of the write-ahead log into the file and empties the log. While another
    /// connection reads, it does so as far as possible.
    ///
    /// - Throws: ``SQLiteError``.
    public func checkpoint() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// How many rows this connection has changed since it was opened.
    public var totalChangeCount: Int {
        (try? whileOpen { Int(sqlite3_total_changes(handle)) }) ?? 0
    }
}
