import CloudKit

/// Values that are not encoded with their own `encode(to:)`, because a record can store them.
enum ScalarValue {
    /// The content of a value; nil if the value must encode itself.
    static func content(
        of value: any Encodable, at path: [any CodingKey]
    ) throws -> EncodedValue.Content? {
        switch value {
        case let value as Bool: return .boolean(value)
        case let value as String: return .text(value)
        case let value as Double: return try real(value, at: path)
        case let value as Float: return try real(Double(value), at: path)
        case let value as Date: return .date(value)
        case let value as Data: return .data(value)
        case let value as URL: return .url(value)
        case let value as UUID: return .text(value.uuidString)
        case let value as Decimal: return try decimal(value, at: path)
        case let value as any FixedWidthInteger: return try integer(value, at: path)
        default: return nil
        }
    }

    private static func real(
        _ value: Double, at path: [any CodingKey]
    ) throws -> EncodedValue.Content {
        guard value.isFinite else {
            throw CKCodableError(
                .unsupportedValue, at: path, reason: "A record cannot hold \(value).")
        }
        return .real(value)
    }

    private static func decimal(
        _ value: Decimal, at path: [any CodingKey]
    ) throws -> EncodedValue.Content {
        guard !value.isNaN else {
            throw CKCodableError(
                .unsupportedValue, at: path, reason: "A record cannot hold \(value).")
        }
        return .text(value.description)
    }

    private static func integer(
        _ value: any FixedWidthInteger, at path: [any CodingKey]
    ) throws -> EncodedValue.Content {
        if let number = Int64(exactly: value) { return .integer(number) }
        guard let number = UInt64(exactly: value) else {
            throw CKCodableError(
                .unsupportedValue, at: path,
                reason: "A record cannot hold \(value): its integers have 64 bits.")
        }
        return .unsigned(number)
    }
}
