import CloudKit

/// The `Encoder` that an object, or a value within one, encodes itself with.
struct ValueEncoder: Encoder {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let place: EncodingPlace
    /// The names of the fields, if the value is a whole record's.
    var names: FieldNames?

    var codingPath: [any CodingKey] { place.codingPath }

    var userInfo: [CodingUserInfoKey: Any] { graph.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if value.content == nil { value.content = .object(names: [], values: [:]) }
        names?.add(type)
        return KeyedEncodingContainer(
            KeyedValueEncodingContainer(graph: graph, value: value, place: place, names: names))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if value.content == nil { value.content = .list([]) }
        return ListEncodingContainer(graph: graph, value: value, place: place)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleEncodingContainer(graph: graph, value: value, place: place, names: names)
    }
}

private struct KeyedValueEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let place: EncodingPlace
    let names: FieldNames?

    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil(forKey key: Key) {
        add(EncodedValue(.null), for: key)
    }

    func encode<T: Encodable>(_ new: T, forKey key: Key) throws {
        guard !isIgnored(key) else { return }
        add(try graph.value(of: new, at: place.appending(key)), for: key)
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
        guard !isIgnored(key) else { return }
        names?.add(key.stringValue)
        value.set(new, forName: key.stringValue)
    }

    private func isIgnored(_ key: any CodingKey) -> Bool {
        names?.ignored.contains(key.stringValue) == true
    }

    private func nestedEncoder(for key: any CodingKey) -> ValueEncoder {
        let nested = EncodedValue()
        add(nested, for: key)
        return ValueEncoder(graph: graph, value: nested, place: place.appending(key))
    }
}

private struct ListEncodingContainer: UnkeyedEncodingContainer {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let place: EncodingPlace

    var codingPath: [any CodingKey] { place.codingPath }

    var count: Int { value.count }

    private var next: EncodingPlace { place.appending(PathKey(index: count)) }

    func encodeNil() {
        value.append(EncodedValue(.null))
    }

    func encode<T: Encodable>(_ new: T) throws {
        value.append(try graph.value(of: new, at: next))
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
        let place = next
        let nested = EncodedValue()
        value.append(nested)
        return ValueEncoder(graph: graph, value: nested, place: place)
    }
}

private struct SingleEncodingContainer: SingleValueEncodingContainer {
    let graph: RecordGraphEncoder
    let value: EncodedValue
    let place: EncodingPlace
    let names: FieldNames?

    var codingPath: [any CodingKey] { place.codingPath }

    func encodeNil() {
        value.content = .null
    }

    func encode<T: Encodable>(_ new: T) throws {
        value.content = try graph.value(of: new, at: place, names: names).content
    }
}
