import CloudKit

/// A value for which CloudKit has no field type, such as a dictionary, a structure without a record
/// of its own, or a nested list. The record stores it as JSON in a bytes field.
///
/// Dates are seconds since 2001, data is base64, and an object with a record is `{"$record":
/// name}`.
enum NestedValue: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`, which only a nested value can store.
    case unsigned(UInt64)
    case real(Double)
    case text(String)
    case list([NestedValue])
    case object([String: NestedValue])

    /// The key in an object that represents a record.
    static let recordKey = "$record"

    /// Creates the value from an encoded one.
    ///
    /// - Throws: A ``CKCodableError`` for a file URL, because the file's content would be lost.
    init(_ value: EncodedValue, at path: [any CodingKey]) throws {
        switch value.content {
        case .none, .null?: self = .null
        case .boolean(let value)?: self = .boolean(value)
        case .integer(let value)?: self = .integer(value)
        case .unsigned(let value)?: self = .unsigned(value)
        case .real(let value)?: self = .real(value)
        case .text(let value)?: self = .text(value)
        case .date(let value)?: self = .real(value.timeIntervalSinceReferenceDate)
        case .data(let value)?: self = .text(value.base64EncodedString())
        case .url(let value)?:
            guard !value.isFileURL else {
                throw CKCodableError(
                    .unsupportedValue, at: path,
                    reason: "A file inside a nested value cannot become an asset.")
            }
            self = .text(value.absoluteString)
        case .record(let recordID)?:
            self = .object([Self.recordKey: .text(recordID.recordName)])
        case .list(let values)?:
            self = .list(
                try values.enumerated().map { index, value in
                    try NestedValue(value, at: path + [PathKey(index: index)])
                })
        case .object(let names, let values)?:
            var object: [String: NestedValue] = [:]
            for name in names {
                object[name] = try values[name].map {
                    try NestedValue($0, at: path + [PathKey(name)])
                }
            }
            self = .object(object)
        }
    }

    /// Decodes the bytes of a field.
    init(data: Data) throws {
        self = try JSONDecoder().decode(NestedValue.self, from: data)
    }

    /// The bytes of a field. Equal values have equal bytes.
    func data() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(self)
    }

    /// The names of all records that the value refers to.
    var recordNames: [String] {
        if let recordName { return [recordName] }
        switch self {
        case .list(let values): return values.flatMap(\.recordNames)
        case .object(let values): return values.values.flatMap(\.recordNames)
        default: return []
        }
    }

    /// The name of the record that the value represents, if any. An object with a name that no record can have
    /// represents none.
    var recordName: String? {
        guard case .object(let values) = self, values.count == 1,
            case .text(let name)? = values[Self.recordKey], CloudKitName.isRecordName(name)
        else { return nil }
        return name
    }
}

extension NestedValue: Codable {
    init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: PathKey.self) {
            var object: [String: NestedValue] = [:]
            for key in values.allKeys {
                object[key.stringValue] = try values.decode(NestedValue.self, forKey: key)
            }
            self = .object(object)
        } else if var values = try? decoder.unkeyedContainer() {
            var list: [NestedValue] = []
            while !values.isAtEnd { list.append(try values.decode(NestedValue.self)) }
            self = .list(list)
        } else {
            self = try Self(scalar: decoder.singleValueContainer())
        }
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .unsigned(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .list(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(value) }
        case .object(let values):
            var container = encoder.container(keyedBy: PathKey.self)
            for (name, value) in values { try container.encode(value, forKey: PathKey(name)) }
        default:
            var container = encoder.singleValueContainer()
            switch self {
            case .boolean(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .unsigned(let value): try container.encode(value)
            case .real(let value): try container.encode(value)
            case .text(let value): try container.encode(value)
            default: try container.encodeNil()
            }
        }
    }
}
