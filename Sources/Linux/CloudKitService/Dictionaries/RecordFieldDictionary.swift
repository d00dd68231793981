import Foundation

/// A field of a record: its value, the name of its type, and whether it is encrypted.
public struct RecordFieldDictionary: Hashable, Sendable {
    /// The value. Nil clears the field.
    public var value: FieldValue?
    /// Whether the field is one of `encryptedValues`.
    public var isEncrypted: Bool
    /// Whether the JSON did not name the value's type, or named it only as `LIST`. The value then has the
    /// type that its form suggests, and a server takes it for one of the field's type if it can.
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

    /// Reads a field. Without a type, the type is guessed from the form of the value: then a date is
    /// an integer and bytes are a text.
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

    /// Writes the value with its type. A cleared field is written as a null value.
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
    /// Set to true in the `userInfo` of an encoder, writes the numbers in fields as texts. Whoever
    /// carries responses as JSON sets it if the request has `numbersAsStrings`. Reading needs no
    /// such hint.
    public static var numbersAsStrings: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: "CloudKitService.numbersAsStrings") else {
            preconditionFailure("Any text makes a key")
        }
        return key
    }
}
