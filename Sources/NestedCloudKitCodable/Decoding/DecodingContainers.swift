import CloudKit

struct KeyedValueDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let graph: RecordGraph
    let fields: DecodedFields
    let codingPath: [any CodingKey]

    var allKeys: [Key] { fields.names.compactMap(Key.init) }

    func contains(_ key: Key) -> Bool {
        if case .none = fields[key.stringValue] { return false }
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        graph.isNil(fields[key.stringValue], in: fields.zoneID)
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        if let empty = missingList(type, forKey: key) { return empty }
        return try withMissingKey(key) {
            try graph.decode(
                type, from: fields[key.stringValue], in: fields.zoneID, at: codingPath + [key])
        }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard contains(key) else { return missingList(type, forKey: key) }
        return try decodeNil(forKey: key) ? nil : decode(type, forKey: key)
    }

    /// The value of an optional list for which the record has no field; nil for other properties.
    private func missingList<T: Decodable>(_ type: T.Type, forKey key: Key) -> T? {
        guard case .record = fields, let empty = graph.missingList(type), !contains(key) else {
            return nil
        }
        return empty
    }

    /// Reports a value that was not found as a missing key, if the key is missing.
    private func withMissingKey<Value>(_ key: Key, _ decode: () throws -> Value) throws -> Value {
        do {
            return try decode()
        } catch DecodingError.valueNotFound(let type, let context) {
            guard !contains(key), context.codingPath.count == codingPath.count + 1 else {
                throw DecodingError.valueNotFound(type, context)
            }
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath, debugDescription: context.debugDescription))
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try withMissingKey(key) { try nestedDecoder(for: key).container(keyedBy: type) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nestedDecoder(for: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { nestedDecoder(for: PathKey.superclass) }

    func superDecoder(forKey key: Key) -> any Decoder { nestedDecoder(for: key) }

    private func nestedDecoder(for key: any CodingKey) -> ValueDecoder {
        ValueDecoder(
            graph: graph, source: .value(fields[key.stringValue], fields.zoneID),
            codingPath: codingPath + [key])
    }
}

struct ListDecodingContainer: UnkeyedDecodingContainer {
    let graph: RecordGraph
    let elements: [StoredValue]
    let zoneID: CKRecordZone.ID
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(
        graph: RecordGraph, elements: [StoredValue], zoneID: CKRecordZone.ID,
        codingPath: [any CodingKey]
    ) {
        self.graph = graph
        self.elements = elements
        self.zoneID = zoneID
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }

    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        let isNil = graph.isNil(try current(for: Any?.self), in: zoneID)
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try graph.decode(
            type, from: current(for: type), in: zoneID, at: currentPath)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try currentDecoder(for: KeyedDecodingContainer<NestedKey>.self)
            .container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try currentDecoder(for: (any UnkeyedDecodingContainer).self)
            .unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try currentDecoder(for: (any Decoder).self)
        currentIndex += 1
        return decoder
    }

    private var currentPath: [any CodingKey] { codingPath + [PathKey(index: currentIndex)] }

    /// The current element.
    ///
    /// - Parameter type: The requested type, for the error at the end of the list.
    private func current(for type: Any.Type) throws -> StoredValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: currentPath, debugDescription: "The list has no further elements."))
        }
        return elements[currentIndex]
    }

    private func currentDecoder(for type: Any.Type) throws -> ValueDecoder {
        ValueDecoder(
            graph: graph, source: .value(try current(for: type), zoneID), codingPath: currentPath)
    }
}

struct SingleDecodingContainer: SingleValueDecodingContainer {
    let graph: RecordGraph
    let source: ValueDecoder.Source
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool {
        switch source {
        case .record: return false
        case .value(let value, let zoneID): return graph.isNil(value, in: zoneID)
        }
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T {
        switch source {
        case .record:
            // A scalar type would ask its decoder for a single value again, endlessly.
            guard ScalarType(type) == nil else {
                throw DecodingError.record(insteadOf: type, expected: "\(type)", at: codingPath)
            }
            return try T(from: ValueDecoder(graph: graph, source: source, codingPath: codingPath))
        case .value(let value, let zoneID):
            return try graph.decode(type, from: value, in: zoneID, at: codingPath)
        }
    }
}
