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
        let value = fields[key.stringValue]
        do {
            return try graph.decode(
                type, from: value, in: fields.zoneID, at: codingPath + [key])
        } catch let error as CKCodableError {
            guard case .none = value, error.codingPath.count == codingPath.count + 1 else {
                throw error
            }
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: error.reason))
        }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard contains(key) else {
            guard case .record = fields else { return nil }
            return graph.missingList(type)
        }
        return try decodeNil(forKey: key) ? nil : decode(type, forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nestedDecoder(for: key).container(keyedBy: type)
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
        let isNil = graph.isNil(try current(), in: zoneID)
        if isNil { currentIndex += 1 }
        return isNil
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try graph.decode(type, from: current(), in: zoneID, at: currentPath)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nestedDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try nestedDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try nestedDecoder() }

    private var currentPath: [any CodingKey] { codingPath + [PathKey(index: currentIndex)] }

    private func current() throws -> StoredValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                StoredValue.self,
                DecodingError.Context(
                    codingPath: currentPath, debugDescription: "The list has no further elements."))
        }
        return elements[currentIndex]
    }

    private mutating func nestedDecoder() throws -> ValueDecoder {
        let decoder = ValueDecoder(
            graph: graph, source: .value(try current(), zoneID), codingPath: currentPath)
        currentIndex += 1
        return decoder
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
            return try T(from: ValueDecoder(graph: graph, source: source, codingPath: codingPath))
        case .value(let value, let zoneID):
            return try graph.decode(type, from: value, in: zoneID, at: codingPath)
        }
    }
}
