import Foundation
import SQLite3

/// A failure that SQLite reported.
///
/// The description contains the statement's text but never the values bound to it, which are the
/// user's data. See [Result and Error Codes](https://www.sqlite.org/rescode.html).
public struct SQLiteError: Error, Hashable, Sendable {
    /// SQLite's primary result codes, as far as callers need to distinguish them.
    public enum Code: Int32, Sendable {
        /// SQLITE_ERROR: a malformed statement or a missing table.
        case generic = 1
        /// SQLITE_PERM: access was refused.
        case permissionDenied = 3
        /// SQLITE_ABORT: the statement was rolled back while it ran.
        case aborted = 4
        /// SQLITE_BUSY: another connection kept its lock for longer than the busy timeout.
        case busy = 5
        /// SQLITE_LOCKED: a conflict within the same connection or a shared cache.
        case locked = 6
        /// SQLITE_NOMEM.
        case outOfMemory = 7
        /// SQLITE_READONLY: the file or the connection does not accept writes.
        case readOnly = 8
        /// SQLITE_INTERRUPT: ``SQLiteConnection/interrupt()`` was called.
        case interrupted = 9
        /// SQLITE_IOERR: the operating system reported an error.
        case inputOutput = 10
        /// SQLITE_CORRUPT: the file is damaged.
        case corrupt = 11
        /// SQLITE_FULL: the disk is full.
        case full = 13
        /// SQLITE_CANTOPEN: the file or its folder cannot be opened.
        case cannotOpen = 14
        /// SQLITE_SCHEMA: the schema changed while the statement ran.
        case schemaChanged = 17
        /// SQLITE_TOOBIG: a string or blob exceeds SQLite's limit.
        case tooBig = 18
        /// SQLITE_CONSTRAINT: a constraint was violated.
        case constraint = 19
        /// SQLITE_MISMATCH: a value of the wrong type.
        case mismatch = 20
        /// SQLITE_MISUSE: the API was used wrongly.
        case misuse = 21
        /// SQLITE_AUTH: an authorizer refused.
        case notAuthorized = 23
        /// SQLITE_RANGE: a parameter index is out of range.
        case range = 25
        /// SQLITE_NOTADB: the file is not an SQLite database.
        case notADatabase = 26
        /// Any other code; see ``SQLiteError/extendedCode``.
        case other = -1
    }

    /// SQLite's extended result code, such as 2067 for a violated UNIQUE constraint.
    public let extendedCode: Int32
    /// SQLite's own description of the failure.
    public let message: String
    /// The statement that failed, without its bound values; nil if no statement was involved.
    public let statement: String?

    /// SQLite's primary result code.
    public var code: Code { Code(rawValue: extendedCode & 0xff) ?? .other }

    /// Creates an error from its parts.
    ///
    /// - Parameters:
    ///   - extendedCode: SQLite's extended result code.
    ///   - message: What went wrong.
    ///   - statement: The statement's text, without values.
    public init(extendedCode: Int32, message: String, statement: String? = nil) {
        self.extendedCode = extendedCode
        self.message = message
        self.statement = statement
    }

    init(database: OpaquePointer?, statement: String? = nil) {
        self.extendedCode = sqlite3_extended_errcode(database)
        self.message = sqlite3_errmsg(database).map { String(cString: $0) } ?? "unknown error"
        self.statement = statement
    }
}

extension SQLiteError: CustomStringConvertible, LocalizedError {
    /// The code, the message and the statement.
    public var description: String {
        let base = "SQLite error \(extendedCode): \(message)"
        return statement.map { "\(base) – while executing: \($0)" } ?? base
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
