extension CKRecord {
    /// The value of a field, or nil.
    public func object(forKey key: FieldKey) -> (any __CKRecordObjCValue)? {
        _storedValue(forKey: key)?.object
    }

    /// Sets a field, or removes it with nil. The key counts as changed in either case, even if the
    /// value is the same.
    public func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: FieldKey) {
        _setStoredValue(object?._storedValue, forKey: key)
    }

    /// The value of a field as an object.
    public subscript(key: FieldKey) -> (any __CKRecordObjCValue)? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    /// The keys of the fields that have values, without encrypted ones.
    public func allKeys() -> [FieldKey] {
        withState { state in
            let hidden = CloudKitOptions.current.recordKeysIncludeEncrypted ? state.encrypted : nil
            return Array(state.plain.values.keys) + Array(hidden?.values.keys ?? [:].keys)
        }
    }

    /// The keys set since the record was created, fetched or saved, including those set to nil,
    /// without encrypted ones.
    public func changedKeys() -> [FieldKey] {
        withState { state in
            let hidden = CloudKitOptions.current.recordKeysIncludeEncrypted ? state.encrypted : nil
            return Array(state.plain.changedKeys) + (hidden.map { Array($0.changedKeys) } ?? [])
        }
    }

    /// The distinct words of all string fields, in lower case and without accents.
    public func allTokens() -> [String] {
        let texts = withState { state in
            state.plain.values.values.compactMap { value -> String? in
                if case .string(let text) = value { text } else { nil }
            }
        }
        var tokens: [String] = []
        var seen: Set<String> = []
        for text in texts {
            let folded = text.folding(
                options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            for word in folded.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
            where seen.insert(String(word)).inserted {
                tokens.append(String(word))
            }
        }
        return tokens
    }

    /// The fields that CloudKit encrypts before they leave the device.
    ///
    /// They support every type except references and assets, and cannot be queried. The local cloud
    /// stores them separately from plain fields but does not encrypt them. The object reads and
    /// changes this record.
    public var encryptedValues: any CKRecordKeyValueSetting & Sendable {
        CKRecordEncryptedValues(record: self)
    }

    /// The plain value of a field in its stored form.
    public func _storedValue(forKey key: FieldKey) -> _CKRecordStoredValue? {
        withState { $0.plain[key] }
    }

    /// Sets a plain field to a value in its stored form.
    public func _setStoredValue(_ value: _CKRecordStoredValue?, forKey key: FieldKey) {
        NameRules.checkKey(key)
        withState { $0.plain[key] = value }
    }
}

/// The encrypted side of a record.
final class CKRecordEncryptedValues: CKRecordKeyValueSetting, Sendable {
    private let record: CKRecord

    init(record: CKRecord) {
        self.record = record
    }

    func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        _storedValue(forKey: key)?.object
    }

    func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
        _setStoredValue(object?._storedValue, forKey: key)
    }

    subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    func allKeys() -> [String] {
        record.withState { Array($0.encrypted.values.keys) }
    }

    func changedKeys() -> [String] {
        record.withState { Array($0.encrypted.changedKeys) }
    }

    func _storedValue(forKey key: CKRecord.FieldKey) -> _CKRecordStoredValue? {
        record.withState { $0.encrypted[key] }
    }

    func _setStoredValue(_ value: _CKRecordStoredValue?, forKey key: CKRecord.FieldKey) {
        NameRules.checkKey(key)
        switch value {
        case .reference, .asset:
            _raise(
                "NSInvalidArgumentException",
                "references and assets can't be set on encryptedValues")
        default:
            record.withState { $0.encrypted[key] = value }
        }
    }
}
