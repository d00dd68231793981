import CloudKit

/// The `Encoder` that an object, or a value within one, encodes itself with.
struct ValueEncoder: Encoder {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let codingPath: [any CodingKey]
    /// The names to omit from a record's fields.
    var ignoredNames: Set<String> = []

    var userInfo: [CodingUserInfoKey: Any] { graph.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if value.content == nil { value.content = .object(names: [], values: [:]) }
        return KeyedEncodingContainer(
            KeyedValueEncodingContainer(
                graph: graph, value: value, codingPath: codingPath, ignoredNames: ignoredNames))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if value.content == nil { value.content = .list([]) }
        return ListEncodingContainer(graph: graph, value: value, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleEncodingContainer(graph: graph, value: value, codingPath: codingPath)
    }
}

private struct KeyedValueEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let codingPath: [any CodingKey]
    let ignoredNames: Set<String>

    func encodeNil(forKey key: Key) {
        add(EncodedValue(.null), for: key)
    }

    func encode<T: Encodable>(_ new: T, forKey key: Key) throws {
        guard !ignoredNames.contains(key.stringValue) else { return }
        add(try graph.value(of: new, at: codingPath + [key]), for: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nestedEncoder(for: key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nestedEncoder(for: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nestedEncoder(for: PathKey.superclass) }

    func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(for: key) }

    private func add(_ new: EncodedValue, for key: any CodingKey) {
        guard !ignoredNames.contains(key.stringValue) else { return }
        value.set(new, forName: key.stringValue)
    }

    private func nestedEncoder(for key: any CodingKey) -> ValueEncoder {
        let nested = EncodedValue()
        add(nested, for: key)
        return ValueEncoder(graph: graph, value: nested, codingPath: codingPath + [key])
    }
}

private struct ListEncodingContainer: UnkeyedEncodingContainer {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let codingPath: [any CodingKey]

    var count: Int { value.count }

    func encodeNil() {
        value.append(EncodedValue(.null))
    }

    func encode<T: Encodable>(_ new: T) throws {
        value.append(try graph.value(of: new, at: codingPath + [PathKey(index: count)]))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nestedEncoder().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nestedEncoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { nestedEncoder() }

    private func nestedEncoder() -> ValueEncoder {
        let path = codingPath + [PathKey(index: count)]
        let nested = EncodedValue()
        value.append(nested)
        return ValueEncoder(graph: graph, value: nested, codingPath: path)
    }
}

private struct SingleEncodingContainer: SingleValueEncodingContainer {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let codingPath: [any CodingKey]

    func encodeNil() {
        value.content = .null
    }

    func encode<T: Encodable>(_ new: T) throws {
        value.content = try graph.value(of: new, at: codingPath).content
    }
}
