import Foundation
import SQLite3

/// A connection to one SQLite file.
///
/// A connection is confined: its owner uses it from one thread at a time, usually from one serial
/// queue or under one lock. Only ``interrupt()`` may be called from any thread, and ``close()``
/// with ``Options/closesFromAnyThread``.
public final class SQLiteConnection {
    /// How a connection opens its file.
    public struct Options: Hashable, Sendable {
        /// Whether writes are refused. The file must exist.
        public var readOnly: Bool
        /// How long to wait for another connection's lock, in seconds.
        public var busyTimeout: TimeInterval
        /// The maximum number of idle prepared statements that are cached.
        public var statementCacheLimit: Int
        /// The number that identifies a new file as the app's; nil for none.
        ///
        /// It is in the file's header from the beginning, not in the write-ahead log, so the owner
        /// of the file can be determined without opening the database.
        public var applicationID: Int64?

        /// Whether a new file can release free pages to the system; see
        /// ``SQLiteConnection/freePages(limit:)``.
        public var vacuumsIncrementally: Bool
        /// The size in bytes to which the write-ahead log is truncated when it restarts; nil to
        /// keep its largest size.
        public var journalSizeLimit: Int?
        /// How many pages the write-ahead log may have before this connection moves them into the file, after one of its
        /// transactions.
        public var pagesBeforeCheckpoint: Int
        /// Additional flags for `sqlite3_open_v2`, such as Apple's for the protection of files.
        public var openFlags: Int32
        /// Whether any thread may call ``SQLiteConnection/close()``.
        public var closesFromAnyThread: Bool
        /// Whether other connections of the process that wait to write go first, as long as they are not too many.
        public var yields: Bool

        /// Creates options.
        ///
        /// - Parameters:
        ///   - readOnly: Whether writes are refused.
        ///   - busyTimeout: How long to wait for another connection's lock, in seconds.
        ///   - statementCacheLimit: The maximum number of idle prepared statements that are cached.
        ///   - applicationID: The number that identifies a new file as the app's.
        ///   - vacuumsIncrementally: Whether a new file can release free pages.
        ///   - journalSizeLimit: The size in bytes to which the write-ahead log is truncated when
        ///     it restarts.
        ///   - pagesBeforeCheckpoint: How many pages the write-ahead log may have before this connection moves them into
        ///     the file.
        ///   - openFlags: Additional flags for `sqlite3_open_v2`.
        ///   - closesFromAnyThread: Whether any thread may close the connection.
        ///   - yields: Whether other connections of the process that wait to write go first.
        public init(
            readOnly: Bool = false, busyTimeout: TimeInterval = 20, statementCacheLimit: Int = 256,
            applicationID: Int64? = nil, vacuumsIncrementally: Bool = false,
            journalSizeLimit: Int? = nil, pagesBeforeCheckpoint: Int = 1000, openFlags: Int32 = 0,
            closesFromAnyThread: Bool = false, yields: Bool = false
        ) {
            self.pagesBeforeCheckpoint = pagesBeforeCheckpoint
            self.yields = yields
            self.openFlags = openFlags
            self.closesFromAnyThread = closesFromAnyThread
            self.vacuumsIncrementally = vacuumsIncrementally
            self.journalSizeLimit = journalSizeLimit
            self.readOnly = readOnly
            self.busyTimeout = busyTimeout
            self.statementCacheLimit = statementCacheLimit
            self.applicationID = applicationID
        }
    }

    /// The path of a private database in memory.
    public static let inMemoryPath = ":memory:"

    let handle: OpaquePointer
    // Checked for overlapping accesses neither: it is accessed for each statement, and by nothing that one calls.
    @exclusivity(unchecked) private var cache: StatementCache
    /// The error that a custom function threw during a statement. SQLite itself passes on only its
    /// text.
    private var functionFailure: (any Error)?
    var savepointDepth = 0
    /// Locked during each statement and each transaction; nil if no other thread can close the connection.
    private let closing: NSRecursiveLock?
    /// Where the writers of the file wait for each other; nil if nobody else can write to it.
    let gate: WriterGate?
    let busyTimeout: TimeInterval
    let yields: Bool
    let pagesBeforeCheckpoint: Int
    let logSize = LogSize()
    private var changedRows: ChangedRows?
    private var isClosed = false
    /// Called with the text of each statement before it is run, never with its values.
    public var trace: ((String) -> Void)?
    /// Called with the measurements of each statement after it has run; see ``StatementProfile``.
    public var profile: ((StatementProfile) -> Void)?

    /// Opens a file, in WAL mode unless it is read-only or in memory.
    ///
    /// - Parameters:
    ///   - path: The file's path, or ``inMemoryPath``. The file is created if it does not exist.
    ///   - options: How to open it.
    /// - Throws: ``SQLiteError``: `cannotOpen`, `notADatabase`, `busy`.
    public init(path: String, options: Options = Options()) throws {
        let flags =
            options.readOnly
            ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        // The connection is confined by its owner, so SQLite's own mutexes would only cost time.
        let result = sqlite3_open_v2(
            path, &handle, flags | SQLITE_OPEN_NOMUTEX | options.openFlags, nil)
        guard result == SQLITE_OK, let handle else {
            let error = SQLiteError(
                extendedCode: handle.map { sqlite3_extended_errcode($0) } ?? result,
                message: handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
                    ?? "out of memory")
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.cache = StatementCache(limit: options.statementCacheLimit)
        self.closing = options.closesFromAnyThread ? NSRecursiveLock() : nil
        self.busyTimeout = options.busyTimeout
        self.yields = options.yields
        self.pagesBeforeCheckpoint = options.pagesBeforeCheckpoint
        self.gate =
            path == Self.inMemoryPath || options.readOnly ? nil : WriterGate.ofFile(atPath: path)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.milliseconds(options.busyTimeout))
        if path != Self.inMemoryPath, !options.readOnly {
            try enterWriteAheadLogging(options)
        }
        try execute("PRAGMA foreign_keys = OFF")
        // Indexes are written at random positions. The default cache of 2 MB fits an index of
        // 100,000 rows.
        try execute("PRAGMA cache_size = -8192")
    }

    /// A duration in milliseconds, as SQLite expects it.
    private static func milliseconds(_ seconds: TimeInterval) -> Int32 {
        let milliseconds = (seconds * 1000).rounded()
        return Int32(exactly: milliseconds) ?? (milliseconds > 0 ? Int32.max : 0)
    }

    private func enterWriteAheadLogging(_ options: Options) throws {
        let mode = try firstRow("PRAGMA journal_mode") { $0.text(at: 0) }
        if mode != "wal" {
            if try pragma("page_count") == 0 {
                // The setting has an effect only while the file is empty.
                if options.vacuumsIncrementally { try execute("PRAGMA auto_vacuum = INCREMENTAL") }
                if let applicationID = options.applicationID {
                    try execute("PRAGMA application_id = \(applicationID)")
                }
            }
            do {
                try execute("PRAGMA journal_mode = WAL")
            } catch let error as SQLiteError where error.code == .busy {
                // Two processes that create the file at the same time may both try; one of them
                // succeeds.
                guard try firstRow("PRAGMA journal_mode", [], { $0.text(at: 0) }) == "wal" else {
                    throw error
                }
            }
        }
        logSize.follow(handle)
        try execute("PRAGMA synchronous = NORMAL")
        // On Apple's systems, a simple fsync may leave data in the disk's own cache. It is not set where
        // it is needed, because each change of it expires all prepared statements.
        try execute("PRAGMA fullfsync = ON")
        if let limit = options.journalSizeLimit {
            try execute("PRAGMA journal_size_limit = \(limit)")
        }
    }

    func pragma(_ name: String) throws -> Int {
        Int(truncatingIfNeeded: try firstRow("PRAGMA \(name)") { $0.integer(at: 0) } ?? 0)
    }

    deinit { close() }

    /// Closes the file, after the statement or transaction that is running. Statements fail with
    /// ``SQLiteError/Code/misuse`` from then on.
    public func close() {
        closing?.lock()
        defer { closing?.unlock() }
        guard !isClosed else { return }
        isClosed = true
        cache.finalizeAll()
        sqlite3_close_v2(handle)
    }

    /// Calls a closure that uses the open file.
    ///
    /// - Throws: ``SQLiteError`` with the code `misuse` if it is closed, and errors of the closure.
    @inline(__always)
    func whileOpen<T>(_ body: () throws -> T) throws -> T {
        closing?.lock()
        defer { closing?.unlock() }
        if isClosed {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the connection is closed")
        }
        return try body()
    }

    // MARK: - Statements

    /// Calls a closure with a prepared statement, from the cache if possible.
    ///
    /// Calls with the same text can be nested: a second statement is prepared then.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement. Pass values as parameters, never in the text.
    ///   - body: Uses the statement, which is reset afterward.
    /// - Returns: The closure's result.
    /// - Throws: ``SQLiteError``, and errors of the closure.
    public func withStatement<T>(
        _ sql: String, _ body: (SQLiteStatement) throws -> T
    ) throws -> T {
        try whileOpen {
            let statement = try cache.take(sql) ?? SQLiteStatement(sql: sql, connection: self)
            defer {
                statement.clear()
                cache.put(statement)
            }
            trace?(sql)
            if let profile { return try profiled(statement, profile, body) }
            return try body(statement)
        }
    }

    /// Runs a statement to its end, ignoring rows.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - values: One value for each parameter.
    /// - Throws: ``SQLiteError``.
    public func execute(_ sql: String, _ values: [SQLiteValue] = []) throws {
        try execute(sql) { try $0.bind(values) }
    }

    /// Runs a statement to its end, ignoring rows.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - bind: Binds the statement's parameters; unbound parameters are NULL.
    /// - Throws: ``SQLiteError``, and errors of the closure.
    public func execute(_ sql: String, binding bind: (SQLiteStatement) throws -> Void) throws {
        try withStatement(sql) { statement in
            try bind(statement)
            while try statement.step() {}
        }
    }

    /// Runs a statement and maps its rows.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - values: One value for each parameter.
    ///   - row: Reads the current row.
    /// - Returns: The closure's result for each row.
    /// - Throws: ``SQLiteError``, and errors of the closure.
    public func rows<T>(
        _ sql: String, _ values: [SQLiteValue] = [], _ row: (SQLiteStatement) throws -> T
    ) throws -> [T] {
        var result: [T] = []
        try forEachRow(sql, values) { result.append(try row($0)) }
        return result
    }

    /// Runs a statement and calls a closure for each of its rows.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - values: One value for each parameter.
    ///   - row: Reads the current row.
    /// - Throws: ``SQLiteError``, and errors of the closure.
    public func forEachRow(
        _ sql: String, _ values: [SQLiteValue] = [], _ row: (SQLiteStatement) throws -> Void
    ) throws {
        try withStatement(sql) { statement in
            try statement.bind(values)
            while try statement.step() { try row(statement) }
        }
    }

    /// Runs a statement and maps its first row.
    ///
    /// - Parameters:
    ///   - sql: The text of one statement.
    ///   - values: One value for each parameter.
    ///   - row: Reads the row.
    /// - Returns: The closure's result for the first row, or nil if there is none.
    /// - Throws: ``SQLiteError``, and errors of the closure.
    public func firstRow<T>(
        _ sql: String, _ values: [SQLiteValue] = [], _ row: (SQLiteStatement) throws -> T
    ) throws -> T? {
        try withStatement(sql) { statement in
            try statement.bind(values)
            return try statement.step() ? try row(statement) : nil
        }
    }

    func takeFailure(statement: String) -> any Error {
        defer { functionFailure = nil }
        return functionFailure ?? SQLiteError(database: handle, statement: statement)
    }

    func noteFunctionFailure(_ error: any Error) {
        functionFailure = error
    }

    // MARK: - State

    /// The row ID of this connection's last successful INSERT.
    public var lastInsertRowID: Int64 {
        (try? whileOpen { sqlite3_last_insert_rowid(handle) }) ?? 0
    }

    /// How many rows the last INSERT, UPDATE or DELETE of this connection changed.
    public var changeCount: Int { (try? whileOpen { Int(sqlite3_changes(handle)) }) ?? 0 }

    /// Whether the file was removed or replaced since it was opened. Writes are then lost.
    public var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let result = try? whileOpen {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        }
        return result == SQLITE_OK && hasMoved != 0
    }

    /// A number that changes when another connection or process commits to the file.
    ///
    /// - Returns: The value of `PRAGMA data_version`.
    /// - Throws: ``SQLiteError``.
    public func dataVersion() throws -> Int64 {
        try firstRow("PRAGMA data_version") { $0.integer(at: 0) } ?? 0
    }

    /// Notes from now on which rows this connection inserts, updates or deletes; see ``takeChangedRows()``.
    ///
    /// - Parameter isWanted: Whether the rows of a table count, by its name in UTF-8.
    public func noteChangedRows(ofTables isWanted: @escaping (UnsafePointer<CChar>) -> Bool) {
        let rows = ChangedRows(ofTables: isWanted)
        rows.follow(handle)
        changedRows = rows
    }

    /// The numbers of the rows that this connection has changed since the last call, whether or not the changes were
    /// rolled back.
    ///
    /// SQLite does not report rows of tables without row numbers, nor those of a table that one statement empties.
    public func takeChangedRows() -> Set<Int64> {
        changedRows?.take() ?? []
    }

    /// Aborts the running statement of this connection, which then throws `interrupted`. May be
    /// called from any thread.
    public func interrupt() {
        sqlite3_interrupt(handle)
    }

    /// The version of the SQLite library in use, such as "3.40.1".
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
