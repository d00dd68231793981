import Foundation
import SQLite3

extension SQLiteConnection {
    /// Makes a Swift closure callable from SQL.
    ///
    /// - Parameters:
    ///   - name: The function's name in SQL.
    ///   - argumentCount: How many arguments it takes; -1 for any number.
    ///   - isDeterministic: Whether the same arguments always give the same result, which lets
    ///     SQLite use the function in indexes and call it once for constant arguments.
    ///   - body: Computes the result. The calling statement throws the errors that it throws.
    /// - Throws: ``SQLiteError`` if the function cannot be registered.
    public func createFunction(
        _ name: String, argumentCount: Int, isDeterministic: Bool = true,
        _ body: @escaping ([SQLiteValue]) throws -> SQLiteValue
    ) throws {
        let box = FunctionBox(connection: self, body: body)
        let flags = SQLITE_UTF8 | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
        let result = sqlite3_create_function_v2(
            handle, name, Int32(argumentCount), flags, Unmanaged.passRetained(box).toOpaque(),
            { context, count, arguments in
                guard let pointer = sqlite3_user_data(context) else { return }
                Unmanaged<FunctionBox>.fromOpaque(pointer).takeUnretainedValue()
                    .call(context, UnsafeBufferPointer(start: arguments, count: Int(count)))
            }, nil, nil,
            { pointer in pointer.map { Unmanaged<FunctionBox>.fromOpaque($0).release() } })
        guard result == SQLITE_OK else { throw SQLiteError(database: handle) }
    }

    /// Makes a Swift comparison usable as a collation in SQL.
    ///
    /// - Parameters:
    ///   - name: The collation's name in SQL.
    ///   - compare: Orders two strings; must be a total order.
    /// - Throws: ``SQLiteError`` if the collation cannot be registered.
    public func createCollation(
        _ name: String, _ compare: @escaping (String, String) -> ComparisonResult
    ) throws {
        let box = CollationBox(compare: compare)
        let result = sqlite3_create_collation_v2(
            handle, name, SQLITE_UTF8, Unmanaged.passRetained(box).toOpaque(),
            { pointer, leftCount, left, rightCount, right in
                guard let pointer else { return 0 }
                return Unmanaged<CollationBox>.fromOpaque(pointer).takeUnretainedValue().compare(
                    String(
                        decoding: UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                        as: UTF8.self),
                    String(
                        decoding: UnsafeRawBufferPointer(start: right, count: Int(rightCount)),
                        as: UTF8.self)
                ).code
            }, { pointer in pointer.map { Unmanaged<CollationBox>.fromOpaque($0).release() } })
        guard result == SQLITE_OK else { throw SQLiteError(database: handle) }
    }
}

/// Carries a closure through SQLite's user-data pointer.
private final class FunctionBox {
    private unowned let connection: SQLiteConnection
    private let body: ([SQLiteValue]) throws -> SQLiteValue

    init(
        connection: SQLiteConnection, body: @escaping ([SQLiteValue]) throws -> SQLiteValue
    ) {
        self.connection = connection
        self.body = body
    }

    func call(_ context: OpaquePointer?, _ arguments: UnsafeBufferPointer<OpaquePointer?>) {
        do {
            Self.setResult(try body(arguments.map(Self.value)), context)
        } catch {
            connection.noteFunctionFailure(error)
            sqlite3_result_error(context, "\(error)", -1)
        }
    }

    private static func value(_ pointer: OpaquePointer?) -> SQLiteValue {
        switch sqlite3_value_type(pointer) {
        case SQLITE_INTEGER: return .integer(sqlite3_value_int64(pointer))
        case SQLITE_FLOAT: return .real(sqlite3_value_double(pointer))
        case SQLITE_TEXT:
            guard let address = sqlite3_value_text(pointer) else { return .null }
            let count = Int(sqlite3_value_bytes(pointer))
            return .text(
                String(decoding: UnsafeBufferPointer(start: address, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            guard let address = sqlite3_value_blob(pointer) else { return .blob(Data()) }
            return .blob(Data(bytes: address, count: Int(sqlite3_value_bytes(pointer))))
        default: return .null
        }
    }

    private static func setResult(_ value: SQLiteValue, _ context: OpaquePointer?) {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: sqlite3_result_null(context)
        case .integer(let value): sqlite3_result_int64(context, value)
        case .real(let value): sqlite3_result_double(context, value)
        case .text(var value):
            value.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    guard let address = characters.baseAddress, characters.count > 0 else {
                        return sqlite3_result_text(context, "", 0, transient)
                    }
                    sqlite3_result_text(
                        context, address, Int32(clamping: characters.count), transient)
                }
            }
        case .blob(let value):
            value.withUnsafeBytes { bytes in
                guard let address = bytes.baseAddress, bytes.count > 0 else {
                    sqlite3_result_zeroblob(context, 0)
                    return
                }
                sqlite3_result_blob64(context, address, sqlite3_uint64(bytes.count), transient)
            }
        }
    }
}

/// Carries a comparison through SQLite's user-data pointer.
private final class CollationBox {
    let compare: (String, String) -> ComparisonResult

    init(compare: @escaping (String, String) -> ComparisonResult) {
        self.compare = compare
    }
}

extension ComparisonResult {
    fileprivate var code: Int32 {
        switch self {
        case .orderedAscending: return -1
        case .orderedSame: return 0
        case .orderedDescending: return 1
        }
    }
}
