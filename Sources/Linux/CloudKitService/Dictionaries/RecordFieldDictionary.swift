import Foundation

/// A field of a record: its value, the name of its type, and whether it is encrypted.
public struct RecordFieldDictionary: Hashable, Sendable {
    /// The value. Nil clears the field.
    public var value: FieldValue?
    /// Whether the field is one of `encryptedValues`.
    public var isEncrypted: Bool
    /// Whether the JSON did not name the value's type, or named it only as `LIST`. The value then
    /// has the type that its JSON form suggests, and a server converts it to the field's type if
    /// possible.
    public var isTypeInferred: Bool

    /// Creates a field.
    public init(_ value: FieldValue?, isEncrypted: Bool = false, isTypeInferred: Bool = false) {
        self.value = value
        self.isEncrypted = isEncrypted
        self.isTypeInferred = isTypeInferred
    }
}

extension RecordFieldDictionary: Codable {
    private enum CodingKeys: String, CodingKey { case value, type, isEncrypted }

    /// Decodes a field. If the type is missing, it is inferred from the form of the value: a date
    /// then becomes an integer, and bytes become a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let type = try container.decodeIfPresent(FieldType.self, forKey: .type)
        var value: FieldValue?
        if try container.contains(.value) && !container.decodeNil(forKey: .value) {
            value = try FieldValue(from: container.superDecoder(forKey: .value), type: type)
        }
        self.init(
            value,
            isEncrypted: try container.decodeIfPresent(Bool.self, forKey: .isEncrypted) ?? false,
            isTypeInferred: value != nil && (type == nil || type == .anyList))
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
