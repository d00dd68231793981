import Foundation
import SQLite3

extension SQLiteConnection {
    /// The lock that a transaction takes when it begins.
    public enum TransactionKind: String, Sendable {
        /// No lock until the first statement needs one.
        case deferred = "DEFERRED"
        /// The write lock, so a transaction that will write cannot fail later because of another
        /// writer.
        case immediate = "IMMEDIATE"
    }

    /// Whether a transaction is open.
    public var isInTransaction: Bool {
        (try? whileOpen { sqlite3_get_autocommit(handle) == 0 }) ?? false
    }

    /// Whether another connection of the process waits to write to the file.
    public var isAwaited: Bool { gate.map { $0.waitingCount > 0 } ?? false }

    /// Runs a closure in a transaction, or in a savepoint inside the open transaction, and commits
    /// it. If the closure throws, the transaction is rolled back.
    ///
    /// Immediate transactions of the process's connections to a file wait for each other in the order of their arrival.
    ///
    /// - Parameters:
    ///   - kind: The lock to take. It applies to the outermost transaction only.
    ///   - body: The work.
    /// - Returns: The closure's result.
    /// - Throws: Errors of the closure, and ``SQLiteError`` from beginning or committing.
    public func transaction<T>(
        _ kind: TransactionKind = .immediate, _ body: () throws -> T
    ) throws -> T {
        let outermost = !isInTransaction
        guard outermost, kind == .immediate, let gate else {
            return try transaction(kind, outermost: outermost, body)
        }
        defer { shortenLog() }
        // Whoever closes the connection does not wait meanwhile.
        try gate.enter(before: Date(timeIntervalSinceNow: busyTimeout), yields: yields)
        defer { gate.leave() }
        return try transaction(kind, outermost: true, body)
    }

    /// Moves the contents of a large write-ahead log into the file. Others can write meanwhile, and what they add is moved
    /// after a later transaction.
    private func shortenLog() {
        let pageCount = logSize.pageCount
        guard pageCount >= pagesBeforeCheckpoint else { return }
        logSize.pageCount = 0
        moveLog()
        // A log to which others add without a pause would grow for ever. There is little left to move while they wait.
        guard pageCount >= 8 * pagesBeforeCheckpoint, let gate else { return }
        let limit = Date(timeIntervalSinceNow: busyTimeout)
        guard (try? gate.enter(before: limit, yields: yields)) != nil else { return }
        defer { gate.leave() }
        moveLog()
    }

    private func moveLog() {
        _ = try? whileOpen {
            sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
    }

    private func transaction<T>(
        _ kind: TransactionKind, outermost: Bool, _ body: () throws -> T
    ) throws -> T {
        try whileOpen {
            let savepoint = "\"seam_\(savepointDepth)\""
            try execute(outermost ? "BEGIN \(kind.rawValue)" : "SAVEPOINT \(savepoint)")
            savepointDepth += 1
            defer { savepointDepth -= 1 }
            do {
                let result = try body()
                try execute(outermost ? "COMMIT" : "RELEASE \(savepoint)")
                return result
            } catch {
                rollBack(outermost: outermost, savepoint: savepoint)
                throw error
            }
        }
    }

    /// Runs a closure whose transactions are on disk when this returns. Other transactions survive
    /// the end of a process, but a power failure may undo the last of them.
    ///
    /// Other connections can write while this one waits for the disk.
    ///
    /// - Parameter body: The work, which must not be part of an open transaction.
    /// - Returns: The closure's result.
    /// - Throws: Errors of the closure, and ``SQLiteError``.
    public func durably<T>(_ body: () throws -> T) throws -> T {
        let result = try body()
        try whileOpen { try synchronizeLog() }
        return result
    }

    private func synchronizeLog() throws {
        var log: UnsafeMutablePointer<sqlite3_file>?
        let result = sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
        // Without a log, the transactions are in the file, which was synchronized with them.
        guard result == SQLITE_OK, let log, let sync = log.pointee.pMethods?.pointee.xSync else {
            return
        }
        let code = sync(log, SQLITE_SYNC_FULL)
        guard code == SQLITE_OK else {
            throw SQLiteError(extendedCode: code, message: "the log cannot be synchronized")
        }
    }

    private func rollBack(outermost: Bool, savepoint: String) {
        // SQLite rolls back by itself on some errors, such as a full disk. A second ROLLBACK would
        // fail then; its error is ignored because the first one is thrown.
        guard isInTransaction else { return }
        if outermost {
            try? execute("ROLLBACK")
        } else {
            try? execute("ROLLBACK TO \(savepoint)")
            try? execute("RELEASE \(savepoint)")
        }
    }
}
