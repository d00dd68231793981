extension CKDatabase {
    // MARK: - One record

    /// Fetches a record.
    public func fetch(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        addConvenience(
            fetchOperation([recordID]).collecting { $0.item(recordID, completionHandler) })
    }

    /// Fetches a record.
    ///
    /// - Throws: the record's own error, such as `unknownItem`, or the error of the request.
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await records(for: [recordID]).item(recordID)
    }

    /// Saves a record if nobody has changed it since it was fetched.
    public func save(
        _ record: CKRecord,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKModifyRecordsOperation(recordsToSave: [record])
                .saving(record.recordID, completionHandler))
    }

    /// Saves a record if nobody has changed it since it was fetched.
    ///
    /// - Returns: the record that was passed, with its new tag.
    /// - Throws: the record's own error, such as `serverRecordChanged`, or what made the request
    ///   fail.
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        try await modifyRecords(saving: [record], deleting: []).saveResults.item(record.recordID)
    }

    /// Deletes a record. One that does not exist is not an error.
    public func delete(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        addConvenience(
            CKModifyRecordsOperation(recordIDsToDelete: [recordID])
                .deleting(recordID, completionHandler))
    }

    /// Deletes a record. One that does not exist is not an error.
    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        try await modifyRecords(saving: [], deleting: [recordID]).deleteResults.item(recordID)
        return recordID
    }

    // MARK: - Several records

    /// Fetches records.
    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>
            ) -> Void
    ) {
        addConvenience(fetchOperation(recordIDs, desiredKeys).collecting(completionHandler))
    }

    /// Fetches records.
    ///
    /// - Returns: the record or its error, by ID.
    /// - Throws: the error of the whole request.
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await value { fetchOperation(ids, desiredKeys).collecting($0) }
    }

    /// Saves and deletes records.
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                        deleteResults: [CKRecord.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        addConvenience(
            modifyOperation(recordsToSave, recordIDsToDelete, savePolicy, atomically)
                .collecting(completionHandler))
    }

    /// Saves and deletes records.
    ///
    /// - Returns: the result for each record. With `atomically`, those of a zone in which one
    ///   failed have all failed.
    /// - Throws: the error of the whole request.
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
        deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        let results = try await value {
            modifyOperation(recordsToSave, recordIDsToDelete, savePolicy, atomically)
                .collecting($0)
        }
        if atomically, connection.options.atomicModificationsThrow {
            try Self.throwFailure(of: results)
        }
        return results
    }

    /// Throws the error of an item that failed for its own reason, not because of its atomic batch.
    private static func throwFailure(of results: CKModifyRecordsOperation.Results) throws {
        let errors =
            results.saveResults.values.compactMap(\.error)
            + results.deleteResults.values.compactMap(\.error)
        let culprit = errors.first { ($0 as? CKError)?.code != .batchRequestFailed }
        if let error = culprit ?? errors.first { throw error }
    }

    // MARK: - Operations

    private func fetchOperation(
        _ recordIDs: [CKRecord.ID], _ desiredKeys: [CKRecord.FieldKey]? = nil
    ) -> CKFetchRecordsOperation {
        let operation = CKFetchRecordsOperation(recordIDs: recordIDs)
        operation.desiredKeys = desiredKeys
        return operation
    }

    private func modifyOperation(
        _ records: [CKRecord], _ recordIDs: [CKRecord.ID],
        _ savePolicy: CKModifyRecordsOperation.RecordSavePolicy, _ atomically: Bool
    ) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(
            recordsToSave: records, recordIDsToDelete: recordIDs)
        operation.savePolicy = savePolicy
        operation.isAtomic = atomically
        return operation
    }
}
