import CloudKit

/// The types that do not decode themselves, because a record can store their values.
enum ScalarType {
    case boolean
    case text
    case integer(any FixedWidthInteger.Type)
    case double
    case float
    case date
    case data
    case url
    case uuid
    case decimal

    /// The kind of a type; nil if its values decode themselves.
    init?(_ type: Any.Type) {
        switch type {
        case is Bool.Type: self = .boolean
        case is String.Type: self = .text
        case is Double.Type: self = .double
        case is Float.Type: self = .float
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is UUID.Type: self = .uuid
        case is Decimal.Type: self = .decimal
        case let type as any FixedWidthInteger.Type: self = .integer(type)
        default: return nil
        }
    }

    /// The Swift value of a field; nil if it does not fit the type.
    ///
    /// - Throws: The file system's error if an asset's file cannot be read.
    func value(of stored: StoredValue) throws -> Any? {
        switch self {
        case .boolean: return stored.boolean
        case .text: return stored.text
        case .integer(let type): return stored.integer(type)
        case .double: return stored.real
        case .float: return stored.float
        case .date: return stored.date
        case .data: return try stored.data()
        case .url: return stored.url
        case .uuid: return stored.text.flatMap(UUID.init)
        case .decimal: return stored.decimal
        }
    }

    /// What a value without a Swift value of this type is, for error messages.
    func description(of stored: StoredValue) -> String {
        switch self {
        case .boolean, .integer, .float, .decimal:
            if stored.real != nil { return "a number that does not fit" }
        default:
            break
        }
        switch self {
        case .data, .url, .uuid, .decimal:
            if stored.text != nil { return "a string that does not represent one" }
        default:
            break
        }
        return stored.kindDescription
    }
}

extension StoredValue {
    fileprivate var boolean: Bool? {
        switch self {
        case .nested(.boolean(let value)): return value
        case .nested: return nil
        default: return integer(Int64.self).flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
        }
    }

    fileprivate func integer<T: FixedWidthInteger>(_ type: T.Type) -> T? {
        switch self {
        case .number(let value): return (value as? Int64).flatMap { T(exactly: $0) }
        case .nested(.integer(let value)): return T(exactly: value)
        case .nested(.unsigned(let value)): return T(exactly: value)
        case .nested(.real(let value)): return T(exactly: value)
        default: return nil
        }
    }

    fileprivate var real: Double? {
        switch self {
        case .number(let value): return value.doubleValue
        case .nested(.integer(let value)): return Double(value)
        case .nested(.unsigned(let value)): return Double(value)
        case .nested(.real(let value)): return value
        default: return nil
        }
    }

    /// The number as a `Float`, unless it would become infinite.
    fileprivate var float: Float? {
        real.map { Float($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    fileprivate var text: String? {
        switch self {
        case .text(let value), .nested(.text(let value)): return value
        case .location(let value): return LocationText.text(value)
        default: return nil
        }
    }

    fileprivate var date: Date? {
        switch self {
        case .date(let value): return value
        case .nested: return real.map { Date(timeIntervalSinceReferenceDate: $0) }
        default: return nil
        }
    }

    fileprivate func data() throws -> Data? {
        switch self {
        case .bytes(let value): return value
        case .asset(let asset): return try asset.fileURL.map { try Data(contentsOf: $0) }
        case .nested(.text(let text)): return Data(base64Encoded: text)
        default: return nil
        }
    }

    fileprivate var url: URL? {
        if case .asset(let asset) = self { return asset.fileURL }
        return text.flatMap(URL.init)
    }

    fileprivate var decimal: Decimal? {
        if let text { return DecimalText.decimal(text) }
        if let integer = integer(Int64.self) { return Decimal(integer) }
        if let integer = integer(UInt64.self) { return Decimal(integer) }
        return real.flatMap { $0.isFinite ? Decimal($0) : nil }.flatMap { $0.isNaN ? nil : $0 }
    }
}
