import CloudKit

extension CKRecordKeyValueSetting {
    /// Sets a field, which counts as changed then.
    ///
    /// A record that is made of system fields has no values, so nil is what each of its fields has already. For the case
    /// that CloudKit does not count that as a change (CK-2), the field gets another value first.
    func change(_ key: CKRecord.FieldKey, to value: (any CKRecordValueProtocol)?) {
        if value == nil {
            let placeholder: Int64 = 0
            self[key] = placeholder
        }
        self[key] = value
    }
}
