import Foundation

/// One of the five types of values that SQLite stores, binds and returns.
///
/// See [Datatypes in SQLite](https://www.sqlite.org/datatype3.html).
public enum SQLiteValue: Hashable, Sendable {
    /// SQL's NULL.
    case null
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A double. SQLite has no NaN: binding one stores NULL.
    case real(Double)
    /// A string, which may contain NUL characters.
    case text(String)
    /// Bytes; empty data stays distinct from NULL.
    case blob(Data)

    /// Whether the value is SQL's NULL.
    public var isNull: Bool {
        if case .null = self { return true }
        return false
    }

    /// The integer, if the value is one.
    public var integer: Int64? {
        if case .integer(let value) = self { return value }
        return nil
    }

    /// The number as a double, if the value is an integer or a real.
    public var real: Double? {
        switch self {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: return nil
        }
    }

    /// The string, if the value is one.
    public var text: String? {
        if case .text(let value) = self { return value }
        return nil
    }

    /// The bytes, if the value is a blob.
    public var blob: Data? {
        if case .blob(let value) = self { return value }
        return nil
    }

    /// A text value, or NULL for nil.
    ///
    /// - Parameter value: The string, or nil.
    public init(_ value: String?) {
        self = value.map(SQLiteValue.text) ?? .null
    }

    /// An integer value, or NULL for nil.
    ///
    /// - Parameter value: The integer, or nil.
    public init(_ value: Int64?) {
        self = value.map(SQLiteValue.integer) ?? .null
    }

    /// A blob value, or NULL for nil.
    ///
    /// - Parameter value: The bytes, or nil.
    public init(_ value: Data?) {
        self = value.map(SQLiteValue.blob) ?? .null
    }
}

extension SQLiteValue {
    /// Whether two values are the same to SQLite: of the same type, and with the same bytes if they
    /// are strings. Swift's own equality of strings also treats different encodings of a character
    /// as equal.
    public static func == (left: SQLiteValue, right: SQLiteValue) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.integer(let left), .integer(let right)): return left == right
        case (.real(let left), .real(let right)): return left == right
        case (.text(let left), .text(let right)):
            return left.utf8.count == right.utf8.count && left.utf8.elementsEqual(right.utf8)
        case (.blob(let left), .blob(let right)): return left == right
        default: return false
        }
    }

    /// Hashes the parts that ``==(_:_:)`` compares. The hash of a string is the same for all its
    /// encodings.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value)
        case .text(let value): hasher.combine(value)
        case .blob(let value): hasher.combine(value)
        }
    }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
    /// An integer value.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A text value.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A real value.
    public init(floatLiteral value: Double) { self = .real(value) }

    /// SQL's NULL.
    public init(nilLiteral: ()) { self = .null }
}
