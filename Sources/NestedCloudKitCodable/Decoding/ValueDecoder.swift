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
            if case .object(let values) = try nested(data) { return .object(values, zoneID) }
            throw mismatch("an object with keys")
        case .value:
            throw mismatch("an object with keys")
        }
    }

    private func elements() throws -> [StoredValue] {
        switch source {
        case .value(.list(let values), _):
            return values
        case .value(.nested(.list(let values)), _):
            return values.map(StoredValue.nested)
        case .value(.bytes(let data), _):
            if case .list(let values) = try nested(data) { return values.map(StoredValue.nested) }
            throw mismatch("a list")
        case .value(.none, _):
            // An empty list has no field.
            return []
        default:
            throw mismatch("a list")
        }
    }

    private func nested(_ data: Data) throws -> NestedValue {
        do {
            return try NestedValue(data: data)
        } catch {
            throw CKCodableError(
                .typeMismatch, at: codingPath, reason: "The bytes do not contain a nested value.",
                underlyingError: error)
        }
    }

    private func mismatch(_ expected: String) -> CKCodableError {
        var found = "a record"
        if case .value(let value, _) = source { found = value.kindDescription }
        return CKCodableError(
            .typeMismatch, at: codingPath, reason: "Expected \(expected), found \(found).")
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
