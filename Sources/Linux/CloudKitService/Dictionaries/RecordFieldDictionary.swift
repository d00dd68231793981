import Foundation

/// A field of a record: its value, the name of its type, and whether it is encrypted.
public struct RecordFieldDictionary: Hashable, Sendable {
    /// The value. Nil clears the field.
    public var value: FieldValue?
    /// Whether the field is one of `encryptedValues`.
    public var isEncrypted: Bool

    /// Creates a field.
    public init(_ value: FieldValue?, isEncrypted: Bool = false) {
        self.value = value
        self.isEncrypted = isEncrypted
    }
}

extension RecordFieldDictionary: Codable {
    private enum CodingKeys: String, CodingKey { case value, type, isEncrypted }

    /// Decodes a field. If the type is missing, it is inferred from the form of the value: a date
    /// then becomes an integer, and bytes become a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        isEncrypted = try container.decodeIfPresent(Bool.self, forKey: .isEncrypted) ?? false
        let type = try container.decodeIfPresent(FieldType.self, forKey: .type)
        if try !container.contains(.value) || container.decodeNil(forKey: .value) {
            value = nil
        } else {
            value = try FieldValue(from: container.superDecoder(forKey: .value), type: type)
        }
    }

    /// Encodes the value with its type. A cleared field is encoded as a null value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if let value {
            try value.encode(to: container.superEncoder(forKey: .value))
            try container.encode(value.type, forKey: .type)
        } else {
            try container.encodeNil(forKey: .value)
        }
        if isEncrypted { try container.encode(true, forKey: .isEncrypted) }
    }
}

extension FieldValue {
    /// Decodes a value of a known type, or of the type that its form suggests.
    init(from decoder: any Decoder, type: FieldType?) throws {
        let type = type ?? Self.suggestedType(of: decoder)
        if let element = type.element {
            self = .list(try Self.elements(from: decoder, type: element))
            return
        }
        let container = try decoder.singleValueContainer()
        switch type {
        case .string: self = .string(try container.decode(String.self))
        case .int64: self = .int64(try Self.integer(from: container))
        case .double: self = .double(try Self.double(from: container))
        case .bytes: self = .bytes(try container.decode(Data.self))
        case .timestamp: self = .timestamp(try Self.integer(from: container))
        case .location: self = .location(try container.decode(LocationDictionary.self))
        case .reference: self = .reference(try container.decode(ReferenceDictionary.self))
        case .asset: self = .asset(try container.decode(AssetDictionary.self))
        default:
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Unknown field type \(type.rawValue)")
        }
    }

    /// Encodes the bare value.
    func encode(to encoder: any Encoder) throws {
        if case .list(let elements) = self {
            var container = encoder.unkeyedContainer()
            for element in elements { try element.encode(to: container.superEncoder()) }
            return
        }
        var container = encoder.singleValueContainer()
        let quotesNumbers = encoder.userInfo[.numbersAsStrings] as? Bool == true
        switch self {
        case .string(let text): try container.encode(text)
        case .int64(let number) where quotesNumbers: try container.encode("\(number)")
        case .timestamp(let number) where quotesNumbers: try container.encode("\(number)")
        case .double(let number) where quotesNumbers: try container.encode("\(number)")
        case .int64(let number), .timestamp(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .bytes(let data): try container.encode(data)
        case .location(let location): try container.encode(location)
        case .reference(let reference): try container.encode(reference)
        case .asset(let asset): try container.encode(asset)
        case .list: break
        }
    }

    private static func elements(
        from decoder: any Decoder, type: FieldType
    ) throws -> [FieldValue] {
        var container = try decoder.unkeyedContainer()
        let type = type.rawValue == "UNKNOWN" || type.rawValue == "EMPTY" ? nil : type
        var elements: [FieldValue] = []
        while !container.isAtEnd {
            elements.append(try FieldValue(from: container.superDecoder(), type: type))
        }
        return elements
    }

    // Requests with `numbersAsStrings` put their numbers in quotes.
    private static func integer(from container: any SingleValueDecodingContainer) throws -> Int64 {
        if let number = try? container.decode(Int64.self) { return number }
        guard let number = Int64(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Not an integer")
        }
        return number
    }

    private static func double(from container: any SingleValueDecodingContainer) throws -> Double {
        if let number = try? container.decode(Double.self) { return number }
        guard let number = Double(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a number")
        }
        return number
    }

    private enum Hint: String, CodingKey { case latitude, recordName }

    private static func suggestedType(of decoder: any Decoder) -> FieldType {
        if (try? decoder.unkeyedContainer()) != nil { return .unknownList }
        if let keys = try? decoder.container(keyedBy: Hint.self) {
            return keys.contains(.latitude)
                ? .location : keys.contains(.recordName) ? .reference : .asset
        }
        guard let container = try? decoder.singleValueContainer() else { return .string }
        if (try? container.decode(Int64.self)) != nil { return .int64 }
        return (try? container.decode(Double.self)) != nil ? .double : .string
    }
}

extension CodingUserInfoKey {
    /// If set to true in the `userInfo` of an encoder, numbers in fields are encoded as strings. A
    /// carrier of JSON responses sets it if the request has `numbersAsStrings`. Decoding does not
    /// need it.
    public static var numbersAsStrings: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: "CloudKitService.numbersAsStrings") else {
            preconditionFailure("Any text makes a key")
        }
        return key
    }
}
