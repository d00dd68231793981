import CloudKitService

/// The checks for a save or a deletion.
extension RecordModification {
    func checkNames(of record: RecordDictionary) throws {
        try NameRules.checkRecordName(
            record.recordName, userRecordName: session.caller.userRecordName)
        if let type = record.recordType { try NameRules.checkRecordType(type) }
        for (name, field) in record.fields {
            try NameRules.checkFieldName(name)
            // Fields of old files can be cleared whatever their names.
            if field.value != nil { try NameRules.checkNotReserved(name) }
        }
        for field in record.fields.values {
            for reference in field.value?.references ?? [] {
                try checkReference(reference)
            }
        }
    }

    private func checkReference(_ reference: ReferenceDictionary) throws {
        guard let target = reference.zoneID else { return }
        guard target.zoneName == zone.name, session.isOwn(target) else {
            throw ItemFailure(
                .badRequest, "A record cannot refer to a record of another zone", code: 2006)
        }
    }

    func checkTag(_ operation: RecordOperation, existing: StoredRecord?) throws {
        let tag = operation.record.recordChangeTag
        switch operation.operationType {
        case .create:
            if let existing {
                throw try conflict(.exists, "record to insert already exists", existing)
            }
        case .update, .replace, .delete:
            guard let tag else {
                throw ItemFailure(.badRequest, "missing required field 'recordChangeTag'")
            }
            guard let existing else {
                throw ItemFailure(.notFound, "Record not found", code: 2003)
            }
            guard tag == existing.changeTag else {
                throw try conflict(.conflict, "client oplock error updating record", existing)
            }
        case .forceUpdate, .forceReplace, .forceDelete:
            break
        }
    }

    /// In the public database everybody can read, users can create, and creators can write.
    func checkPermission(toChange record: StoredRecord?) throws {
        guard session.scope == .public, session.options.onlyCreatorsChangePublicRecords,
            let record, record.created.userRecordName != session.caller.userRecordName
        else { return }
        throw ItemFailure(.accessDenied, "WRITE operation not permitted", code: 2007)
    }

    private func conflict(
        _ code: ServerErrorCode, _ reason: String, _ existing: StoredRecord
    ) throws -> ItemFailure {
        var failure = ItemFailure(code, reason, code: 2004)
        let omissions = session.effects.omissions
        if omissions.contains(.ancestorRecord) { failure.error.omitsAncestorRecord = true }
        guard !omissions.contains(.serverRecord) else {
            failure.error.omitsServerRecord = true
            return failure
        }
        var record = try session.dictionary(of: existing, in: zone, desiredKeys: nil)
        record.fields = record.fields.filter { _, field in
            if field.isEncrypted { return !omissions.contains(.encryptedValues) }
            return !omissions.contains(.assets) || field.value?.assets.isEmpty ?? true
        }
        failure.error.serverRecord = record
        return failure
    }

    func recordType(of record: RecordDictionary, existing: StoredRecord?) throws -> String {
        guard let type = record.recordType ?? existing?.type else {
            throw ItemFailure(.badRequest, "missing required field 'recordType'")
        }
        guard existing == nil || existing?.type == type else {
            throw ItemFailure(.badRequest, "The type of a record cannot change", code: 2006)
        }
        guard existing != nil || type != RequestSession.userRecordType else {
            throw ItemFailure(.accessDenied, "Records of type \(type) cannot be created")
        }
        return type
    }

    func checkSize(_ size: Int) throws {
        guard size <= session.options.maximumRecordSize else {
            throw ItemFailure(
                .limitExceeded,
                "record is too large: \(size) bytes, the limit is "
                    + "\(session.options.maximumRecordSize)")
        }
    }

    func checkQuota() throws {
        guard let quota = session.options.quota, session.database.bytes > quota else { return }
        throw ItemFailure(.quotaExceeded, "Quota exceeded", code: 2035)
    }
}
