/// The value of a record's field in a push.
public enum PushValue: Hashable, Sendable, Codable {
    /// A string, or the name of a referenced record.
    case string(String)
    /// An integer, or a date in milliseconds since 1970.
    case integer(Int64)
    /// A number.
    case double(Double)
    /// A location.
    case location(LocationDictionary)

    /// Decodes any of the forms.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else {
            self = .location(try container.decode(LocationDictionary.self))
        }
    }

    /// Encodes the bare value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .double(let number): try container.encode(number)
        case .location(let location): try container.encode(location)
        }
    }
}
