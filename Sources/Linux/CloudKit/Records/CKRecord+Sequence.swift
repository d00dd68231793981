/// Iterates over the fields of a record that have values.
public struct CKRecordKeyValueIterator: IteratorProtocol {
    private var fields: Dictionary<String, RecordValue>.Iterator

    init(fields: [String: RecordValue]) {
        self.fields = fields.makeIterator()
    }

    /// The next key with its value, in no particular order.
    public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? {
        fields.next().map { ($0.key, $0.value.swiftValue) }
    }
}

extension CKRecord: Sequence {
    /// Iterates over a snapshot of the fields that have values.
    public func makeIterator() -> CKRecordKeyValueIterator {
        CKRecordKeyValueIterator(fields: withState { $0.plain.values })
    }
}
