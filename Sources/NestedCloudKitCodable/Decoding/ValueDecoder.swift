import CloudKit

/// The `Decoder` that an object, or a value within one, decodes itself with.
struct ValueDecoder: Decoder {
    /// What is decoded: a whole record or one value.
    enum Source {
        case record(CKRecord)
        /// A value, and the zone of the record that contains it.
        case value(StoredValue, CKRecordZone.ID)
    }

    let graph: RecordGraph
    let source: Source
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { graph.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(
            KeyedValueDecodingContainer<Key>(
                graph: graph, fields: try fields(), codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ListDecodingContainer(
            graph: graph, elements: try elements(), zoneID: zoneID, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SingleDecodingContainer(graph: graph, source: source, codingPath: codingPath)
    }

    // MARK: - What the containers contain

    private var zoneID: CKRecordZone.ID {
        switch source {
        case .record(let record): return record.recordID.zoneID
        case .value(_, let zoneID): return zoneID
        }
    }

    private func fields() throws -> DecodedFields {
        switch source {
        case .record(let record):
            return .record(record)
        case .value(.nested(.object(let values)), let zoneID):
            return .object(values, zoneID)
        case .value(.bytes(let data), let zoneID):
            let nested = try nestedValue(data, for: Self.objectType)
            if case .object(let values) = nested { return .object(values, zoneID) }
            throw mismatch(Self.objectType, .nested(nested))
        case .value(let value, _):
            throw mismatch(Self.objectType, value)
        }
    }

    private func elements() throws -> [StoredValue] {
        switch source {
        case .value(.list(let values), _):
            return values
        case .value(.nested(.list(let values)), _):
            return values.map(StoredValue.nested)
        case .value(.bytes(let data), _):
            let nested = try nestedValue(data, for: Self.listType)
            if case .list(let values) = nested { return values.map(StoredValue.nested) }
            throw mismatch(Self.listType, .nested(nested))
        case .value(.none, _):
            // An empty list has no field.
            return []
        case .value(let value, _):
            throw mismatch(Self.listType, value)
        case .record:
            throw DecodingError.record(
                insteadOf: Self.listType, expected: "a list", at: codingPath)
        }
    }

    // The types in errors, as Foundation's decoders have them.
    private static let objectType = [String: Any].self
    private static let listType = [Any].self

    /// The nested value in a field. Other bytes are an app's own data, thus of another type.
    private func nestedValue(_ data: Data, for type: Any.Type) throws -> NestedValue {
        do {
            return try NestedValue(data: data)
        } catch {
            throw DecodingError.typeMismatch(
                type,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "The bytes do not contain a nested value.",
                    underlyingError: error))
        }
    }

    private func mismatch(_ type: Any.Type, _ value: StoredValue) -> DecodingError {
        .mismatch(
            type, expected: type == Self.listType ? "a list" : "an object with keys", found: value,
            at: codingPath)
    }
}

/// The values of an object by name.
enum DecodedFields {
    case record(CKRecord)
    case object([String: NestedValue], CKRecordZone.ID)

    var names: [String] {
        switch self {
        case .record(let record): return record.allKeys()
        case .object(let values, _): return Array(values.keys)
        }
    }

    var zoneID: CKRecordZone.ID {
        switch self {
        case .record(let record): return record.recordID.zoneID
        case .object(_, let zoneID): return zoneID
        }
    }

    subscript(name: String) -> StoredValue {
        switch self {
        case .record(let record): return StoredValue(record, name)
        case .object(let values, _): return values[name].map(StoredValue.nested) ?? .none
        }
    }
}
