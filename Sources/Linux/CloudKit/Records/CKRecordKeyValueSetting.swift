/// A type with fields that can be read and set by key: a record, and a record's encrypted values.
public protocol CKRecordKeyValueSetting: AnyObject {
    /// The value of a field, or nil.
    func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)?

    /// Sets a field, or removes it with nil. The key counts as changed in either case.
    func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey)

    /// The value of a field as an object.
    subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? { get set }

    /// The keys of the fields that have values.
    func allKeys() -> [String]

    /// The keys set since the record was created, fetched or saved.
    func changedKeys() -> [String]

    /// The value of a field in its stored form.
    func _storedValue(forKey key: CKRecord.FieldKey) -> _CKRecordStoredValue?

    /// Sets a field to a value in its stored form.
    func _setStoredValue(_ value: _CKRecordStoredValue?, forKey key: CKRecord.FieldKey)
}

extension CKRecordKeyValueSetting {
    /// The value of a field in the requested type, or nil if it has another type.
    @inlinable public subscript<T: CKRecordValueProtocol>(key: CKRecord.FieldKey) -> T? {
        get { _storedValue(forKey: key).flatMap(T._value(from:)) }
        set { _setStoredValue(newValue?._storedValue, forKey: key) }
    }

    /// The value of a field as a Swift value: an integer is an `Int64`, any other number a
    /// `Double`.
    public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
        get { _storedValue(forKey: key)?.swiftValue }
        set { _setStoredValue(newValue?._storedValue, forKey: key) }
    }
}
