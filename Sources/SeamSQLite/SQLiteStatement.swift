import Foundation
import SQLite3

/// A prepared statement of one connection: bind, step, read columns.
///
/// Statements come from ``SQLiteConnection/withStatement(_:_:)`` and
/// ``SQLiteConnection/rows(_:_:_:)``, which reset them and return them to the connection's cache.
/// Like its connection, a statement is confined to one thread at a time.
public final class SQLiteStatement {
    /// The statement's text.
    public let sql: String
    private let handle: OpaquePointer
    /// Unowned because the connection's cache owns the statement.
    private unowned let connection: SQLiteConnection
    /// How many rows the statement has returned since it was prepared.
    private(set) var rowCount = 0

    /// Tells SQLite to copy a bound string or blob before the call returns. The C macro is a cast
    /// that Swift cannot import.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(sql: String, connection: SQLiteConnection) throws {
        var handle: OpaquePointer?
        var text = sql
        let result = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_prepare_v3(
                    connection.handle, characters.baseAddress, Int32(characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
            }
        }
        guard result == SQLITE_OK else {
            throw SQLiteError(database: connection.handle, statement: sql)
        }
        guard let handle else {
            throw SQLiteError(
                extendedCode: SQLITE_MISUSE, message: "the statement is empty", statement: sql)
        }
        self.sql = sql
        self.handle = handle
        self.connection = connection
    }

    func finalize() {
        sqlite3_finalize(handle)
    }

    // MARK: - Binding

    /// Binds values to the parameters 1, 2, 3, ….
    ///
    /// - Parameter values: One value for each parameter of the statement.
    /// - Throws: ``SQLiteError`` with code `range` if the numbers differ.
    public func bind(_ values: [SQLiteValue]) throws {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw SQLiteError(
                extendedCode: SQLITE_RANGE,
                message: "\(values.count) values for \(sqlite3_bind_parameter_count(handle))"
                    + " parameters",
                statement: sql)
        }
        for (index, value) in values.enumerated() {
            try bind(value, at: index + 1)
        }
    }

    /// Binds a value to one parameter.
    ///
    /// - Parameters:
    ///   - value: The value; a NaN becomes NULL.
    ///   - index: The parameter's number, from 1.
    /// - Throws: ``SQLiteError``, for example `range` or `tooBig`.
    public func bind(_ value: SQLiteValue, at index: Int) throws {
        let index = Int32(index)
        let result: Int32
        switch value {
        case .null:
            result = sqlite3_bind_null(handle, index)
        case .integer(let value):
            result = sqlite3_bind_int64(handle, index, value)
        case .real(let value):
            result = sqlite3_bind_double(handle, index, value)
        case .text(var value):
            result = value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // An empty buffer has no address, and a null pointer would bind NULL.
                    guard let address = characters.baseAddress, characters.count > 0 else {
                        return sqlite3_bind_text(handle, index, "", 0, Self.transient)
                    }
                    return sqlite3_bind_text(
                        handle, index, address, Int32(clamping: characters.count), Self.transient)
                }
            }
        case .blob(let value):
            result = value.withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress, bytes.count > 0 else {
                    return sqlite3_bind_zeroblob(handle, index, 0)
                }
                return sqlite3_bind_blob64(
                    handle, index, address, sqlite3_uint64(bytes.count), Self.transient)
            }
        }
        guard result == SQLITE_OK else {
            throw SQLiteError(database: connection.handle, statement: sql)
        }
    }

    // MARK: - Running

    /// Advances to the next row.
    ///
    /// - Returns: Whether there is a row to read.
    /// - Throws: ``SQLiteError``.
    public func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW:
            rowCount &+= 1
            return true
        case SQLITE_DONE: return false
        default: throw connection.takeFailure(statement: sql)
        }
    }

    /// Runs the statement to its end with the given values, ignoring rows, and resets it for the
    /// next run.
    ///
    /// - Parameter values: One value for each parameter of the statement.
    /// - Throws: ``SQLiteError``.
    public func run(_ values: [SQLiteValue]) throws {
        defer { reset() }
        try bind(values)
        while try step() {}
    }

    /// Resets the statement, so that it can run again. Bindings are kept.
    public func reset() {
        sqlite3_reset(handle)
    }

    func clear() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// The statement's text with the bound values instead of its parameters.
    var textWithValues: String {
        guard let text = sqlite3_expanded_sql(handle) else { return sql }
        defer { sqlite3_free(text) }
        return String(cString: text)
    }

    // MARK: - Reading the current row

    /// The number of columns of the result.
    public var columnCount: Int { Int(sqlite3_column_count(handle)) }

    /// Whether the column of the current row is NULL.
    ///
    /// - Parameter column: The column's number, from 0.
    public func isNull(at column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// The column of the current row as an integer; NULL reads as 0.
    ///
    /// - Parameter column: The column's number, from 0.
    public func integer(at column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(column))
    }

    /// The column of the current row as a double; NULL reads as 0.
    ///
    /// - Parameter column: The column's number, from 0.
    public func real(at column: Int) -> Double {
        sqlite3_column_double(handle, Int32(column))
    }

    /// The column of the current row as a string; NULL reads as the empty string.
    ///
    /// - Parameter column: The column's number, from 0.
    public func text(at column: Int) -> String {
        guard let address = sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: address, count: count), as: UTF8.self)
    }

    /// The column of the current row as bytes; NULL reads as empty data.
    ///
    /// - Parameter column: The column's number, from 0.
    public func blob(at column: Int) -> Data {
        guard let address = sqlite3_column_blob(handle, Int32(column)) else { return Data() }
        return Data(bytes: address, count: Int(sqlite3_column_bytes(handle, Int32(column))))
    }

    /// The value of a column in the current row, in its own type.
    public func value(at column: Int) -> SQLiteValue {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: return .integer(integer(at: column))
        case SQLITE_FLOAT: return .real(real(at: column))
        case SQLITE_TEXT: return .text(text(at: column))
        case SQLITE_BLOB: return .blob(blob(at: column))
        default: return .null
        }
    }

    /// All columns of the current row.
    public var values: [SQLiteValue] { values(from: 0, count: columnCount) }

    /// Some columns of the current row.
    ///
    /// - Parameters:
    ///   - first: The first column's number, from 0.
    ///   - count: How many columns.
    public func values(from first: Int, count: Int) -> [SQLiteValue] {
        Array(unsafeUninitializedCapacity: count) { values, initializedCount in
            for index in 0..<count {
                values.initializeElement(at: index, to: value(at: first + index))
            }
            initializedCount = count
        }
    }
}
