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
        case .integer(let type): return stored.integer.flatMap { Self.convert($0, to: type) }
        case .double: return stored.real
        case .float: return stored.real.map { Float($0) }
        case .date: return stored.date
        case .data: return try stored.data()
        case .url: return stored.url
        case .uuid: return stored.text.flatMap(UUID.init)
        case .decimal: return stored.decimal
        }
    }

    private static func convert<T: FixedWidthInteger>(_ value: Int64, to type: T.Type) -> Any? {
        T(exactly: value)
    }
}

extension StoredValue {
    fileprivate var boolean: Bool? {
        switch self {
        case .nested(.boolean(let value)): return value
        case .nested: return nil
        default: return integer.flatMap { $0 == 0 ? false : $0 == 1 ? true : nil }
        }
    }

    fileprivate var integer: Int64? {
        switch self {
        case .number(let value): return value as? Int64
        case .nested(.integer(let value)): return value
        case .nested(.real(let value)): return Int64(exactly: value)
        default: return nil
        }
    }

    fileprivate var real: Double? {
        switch self {
        case .number(let value): return value.doubleValue
        case .nested(.integer(let value)): return Double(value)
        case .nested(.real(let value)): return value
        default: return nil
        }
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
        if let text { return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) }
        return integer.map { Decimal($0) } ?? real.map { Decimal($0) }
    }
}
