import CloudKitService

extension CKRecord.State {
    /// The state of a record from the service.
    ///
    /// - Parameter files: The downloaded files of the record's assets by field.
    init(
        _ record: RecordDictionary, zoneID: CKRecordZone.ID, scope: CKDatabase.Scope,
        files: [String: [URL]]
    ) {
        self.init(
            recordType: record.recordType ?? "",
            recordID: CKRecord.ID(received: record.recordName, zoneID: zoneID))
        adoptSystemFields(of: record, scope: scope)
        var plainValues: [String: RecordValue] = [:]
        var encryptedValues: [String: RecordValue] = [:]
        for (key, field) in record.fields {
            guard let fieldValue = field.value else { continue }
            var fieldFiles = (files[key] ?? [])[...]
            let value = RecordValue(
                fieldValue, scope: scope, zoneID: zoneID, files: &fieldFiles)
            if field.isEncrypted {
                encryptedValues[key] = value
            } else {
                plainValues[key] = value
            }
        }
        plain = RecordFields(fromServer: plainValues)
        encrypted = RecordFields(fromServer: encryptedValues)
    }

    /// Takes over the tag, the dates and the users from the server.
    mutating func adoptSystemFields(of record: RecordDictionary, scope: CKDatabase.Scope) {
        recordChangeTag = record.recordChangeTag
        creationDate = record.created.map { Date(milliseconds: $0.timestamp) }
        modificationDate = record.modified.map { Date(milliseconds: $0.timestamp) }
        creatorUserRecordID = record.created.flatMap { Self.userID($0, scope: scope) }
        lastModifiedUserRecordID = record.modified.flatMap { Self.userID($0, scope: scope) }
        let zoneID = recordID.zoneID
        parent = record.parent.map {
            CKRecord.Reference(
                recordID: CKRecord.ID(received: $0.recordName, zoneID: zoneID), action: .none)
        }
        share = record.share.map { CKReference($0, scope: scope, zoneID: zoneID) }
    }

    /// The user of a time stamp. In a private database it is always the current user, because
    /// nobody else can write it.
    private static func userID(
        _ stamp: RecordDictionary.RecordTimestamp, scope: CKDatabase.Scope
    ) -> CKRecord.ID? {
        guard let name = stamp.userRecordName, !name.isEmpty else { return nil }
        let isOwn = scope == .private && CloudKitOptions.current.showsOwnUserAsDefaultOwner
        return CKRecord.ID(received: isOwn ? CKCurrentUserDefaultName : name)
    }

    /// Notes that the server has saved the record as it was in `sent`.
    ///
    /// The server's answer contains only the version. The fields that were sent are now the
    /// server's, and keys that were set in the meantime stay changed.
    mutating func acknowledge(
        _ sent: CKRecord.State, as saved: RecordDictionary, scope: CKDatabase.Scope
    ) {
        let pendingParent = isParentChanged && parent != sent.parent ? (parent, true) : nil
        adoptSystemFields(of: saved, scope: scope)
        isParentChanged = false
        if let (parent, isChanged) = pendingParent {
            self.parent = parent
            isParentChanged = isChanged
        }
        plain.acknowledge(sent.plain)
        encrypted.acknowledge(sent.encrypted)
    }

    /// The record as the client received it from the server, before any change.
    var ancestor: CKRecord.State {
        var ancestor = self
        ancestor.plain = RecordFields(fromServer: plain.serverValues)
        ancestor.encrypted = RecordFields(fromServer: encrypted.serverValues)
        ancestor.isParentChanged = false
        return ancestor
    }
}

extension CKRecord.State {
    /// Why the record cannot be sent, if it cannot: the request names a parent without its zone, so
    /// the parent must be in the record's zone.
    var mistake: CKError? {
        guard let parent, parent.recordID.zoneID.zoneName != recordID.zoneID.zoneName else {
            return nil
        }
        return CKError(
            .invalidArguments, "The parent of a record must be in the same zone as the record")
    }

    /// The keys that a save with the given policy sends.
    func sentKeys(
        of fields: RecordFields, policy: CKModifyRecordsOperation.RecordSavePolicy
    ) -> [String] {
        let changedKeys = fields.changedKeys
        return policy == .allKeys
            ? Array(Set(changedKeys).union(fields.values.keys)) : Array(changedKeys)
    }

    /// The assets that a save with the given policy must upload, by field in a fixed order.
    func assetsToUpload(
        policy: CKModifyRecordsOperation.RecordSavePolicy
    ) -> [(key: String, assets: [CKAsset])] {
        let assets = plain.values.compactMapValues { value in
            let assets = value.assets
            return assets.contains(where: \.needsUpload) ? assets : nil
        }
        if assets.isEmpty { return [] }
        let keys = sentKeys(of: plain, policy: policy)
        return assets.filter { keys.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The operation that saves the record with the given policy.
    ///
    /// - Parameter uploads: The uploaded assets by field.
    func saveOperation(
        policy: CKModifyRecordsOperation.RecordSavePolicy, uploads: [String: [AssetDictionary]]
    ) -> RecordOperation {
        var fields: [String: RecordFieldDictionary] = [:]
        let keys = sentKeys(of: plain, policy: policy)
        fields.reserveCapacity(keys.count)
        for key in keys {
            var fieldUploads = (uploads[key] ?? [])[...]
            fields[key] = RecordFieldDictionary(
                plain[key]?.fieldValue(uploads: &fieldUploads))
        }
        for key in sentKeys(of: encrypted, policy: policy) {
            var none: ArraySlice<AssetDictionary> = []
            fields[key] = RecordFieldDictionary(
                encrypted[key]?.fieldValue(uploads: &none), isEncrypted: true)
        }
        let sendsParent =
            isParentChanged || (parent != nil && (policy == .allKeys || recordChangeTag == nil))
        let record = RecordDictionary(
            recordName: recordID.recordName, recordType: recordType,
            recordChangeTag: recordChangeTag, fields: fields,
            zoneID: ZoneIDDictionary(recordID.zoneID),
            parent: parent.map { .init(recordName: $0.recordID.recordName) },
            isParentChanged: sendsParent)
        let operationType: RecordOperation.OperationType =
            switch policy {
            case .ifServerRecordUnchanged: recordChangeTag == nil ? .create : .update
            case .changedKeys, .allKeys: .forceUpdate
            }
        return RecordOperation(operationType, record)
    }
}

extension CKAsset {
    /// Whether a save must send the file: it is new, or it is available to be sent again.
    var needsUpload: Bool {
        guard let fileURL else { return false }
        return uploaded == nil || FileManager.default.isReadableFile(atPath: fileURL.path)
    }
}
