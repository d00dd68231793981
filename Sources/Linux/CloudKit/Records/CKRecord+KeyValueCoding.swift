/// Key-value coding, which every `NSObject` has on Apple's systems: the keys are the record's fields
/// and its own properties.
extension CKRecord: _KeyValueCoding {
    /// The value of a field, or of a property of the record such as `creationDate`; nil for a field
    /// without one. Numbers are `NSNumber`, strings `NSString`, lists `NSArray`.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "recordID": recordID
        case "recordType": recordType
        case "recordChangeTag": recordChangeTag
        case "creationDate": creationDate
        case "creatorUserRecordID": creatorUserRecordID
        case "modificationDate": modificationDate
        case "lastModifiedUserRecordID": lastModifiedUserRecordID
        case "parent": parent
        case "share": share
        default: object(forKey: key)
        }
    }

    /// Sets a field, or removes it with nil. An object that no field can store, or a property of
    /// the record that cannot be set, stops the process, as on Apple's systems.
    public func setValue(_ value: Any?, forKey key: String) {
        let value = value.flatMap { $0 as Any? }
        if key == "parent" {
            guard let value else { return parent = nil }
            guard let reference = value as? CKRecord.Reference else { NameRules.refuse(value) }
            return parent = reference
        }
        guard !NameRules.reservedKeys.contains(key), key != "share" else {
            _raise(
                "NSUnknownKeyException",
                "[<CKRecord> setValue:forUndefinedKey:]: this class is not key value "
                    + "coding-compliant for the key \(key).")
        }
        guard let value else { return setObject(nil, forKey: key) }
        guard let stored = RecordValue(untyped: value) else { NameRules.refuse(value) }
        _setStoredValue(stored, forKey: key)
    }

    /// The value at a path of keys, such as `owner.recordID`.
    public func value(forKeyPath keyPath: String) -> Any? {
        NSExpression(forKeyPath: keyPath).expressionValue(with: self, context: nil)
    }

    /// The values of several keys; `NSNull` stands for nil.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(
            keys.map { ($0, value(forKey: $0) ?? NSNull()) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Sets several keys; `NSNull` stands for nil.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    /// The value for a key, for predicates and sort descriptors.
    public func _value(forKey key: String) -> Any? { value(forKey: key) }
}

/// The properties of a reference, for key paths that lead through one.
extension CKReference: _KeyValueCoding {
    /// The value of a property.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "recordID": recordID
        case "action", "referenceAction": NSNumber(value: action.rawValue)
        default: unknown(key)
        }
    }

    private func unknown(_ key: String) -> Never {
        _raise(
            "NSUnknownKeyException",
            "[<CKReference> valueForUndefinedKey:]: this class is not key value "
                + "coding-compliant for the key \(key).")
    }
}

/// The properties of a record's ID, for key paths that lead through one.
extension CKRecordID: _KeyValueCoding {
    /// The value of a property.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "recordName": recordName
        case "zoneID": zoneID
        default:
            _raise(
                "NSUnknownKeyException",
                "[<CKRecordID> valueForUndefinedKey:]: this class is not key value "
                    + "coding-compliant for the key \(key).")
        }
    }
}
