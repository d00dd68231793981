extension CKDatabase {
    typealias RecordResults = [CKRecord.ID: Result<CKRecord, any Error>]

    typealias ModifyRecordsResults = (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
        deleteResults: [CKRecord.ID: Result<Void, any Error>]
    )

    // MARK: - One record

    /// Fetches a record.
    public func fetch(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        addConvenience(fetchOperation([recordID], nil) { $0.item(recordID, completionHandler) })
    }

    /// Fetches a record.
    ///
    /// - Throws: the record's own error, such as `unknownItem`, or what made the request fail.
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await records(for: [recordID]).item(recordID)
    }

    /// Saves a record if nobody has changed it since it was fetched.
    public func save(
        _ record: CKRecord,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        let operation = modifyOperation([record], []) {
            $0.map(\.saveResults).item(record.recordID, completionHandler)
        }
        addConvenience(operation)
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

    /// Deletes a record. One that does not exist is no error.
    public func delete(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        let operation = modifyOperation([], [recordID]) {
            $0.map { $0.deleteResults.mapValues { $0.map { recordID } } }
                .item(recordID, completionHandler)
        }
        addConvenience(operation)
    }

    /// Deletes a record. One that does not exist is no error.
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
        addConvenience(fetchOperation(recordIDs, desiredKeys, completionHandler))
    }

    /// Fetches records.
    ///
    /// - Returns: the record or its error, by ID.
    /// - Throws: what made the whole request fail.
    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await value { fetchOperation(ids, desiredKeys, $0) }
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
            modifyOperation(
                recordsToSave, recordIDsToDelete, savePolicy, atomically, completionHandler))
    }

    /// Saves and deletes records.
    ///
    /// - Returns: what became of each record. With `atomically`, those of a zone in which one
    ///   failed have all failed.
    /// - Throws: what made the whole request fail.
    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
        deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        let results = try await value {
            modifyOperation(recordsToSave, recordIDsToDelete, savePolicy, atomically, $0)
        }
        if atomically, connection.options.atomicModificationsThrow {
            try Self.throwFailure(of: results)
        }
        return results
    }

    /// Throws the error of an item that failed by itself, not with its atomic batch.
    private static func throwFailure(of results: ModifyRecordsResults) throws {
        let errors =
            results.saveResults.values.compactMap(\.error)
            + results.deleteResults.values.compactMap(\.error)
        let culprit = errors.first { ($0 as? CKError)?.code != .batchRequestFailed }
        if let error = culprit ?? errors.first { throw error }
    }

    // MARK: - Operations

    private func fetchOperation(
        _ recordIDs: [CKRecord.ID], _ desiredKeys: [CKRecord.FieldKey]?,
        _ completion: @escaping @Sendable (Result<RecordResults, any Error>) -> Void
    ) -> CKFetchRecordsOperation {
        let results = Locked<RecordResults>([:])
        let operation = CKFetchRecordsOperation(recordIDs: recordIDs)
        operation.desiredKeys = desiredKeys
        operation.perRecordResultBlock = { recordID, result in
            results.withLock { $0[recordID] = result }
        }
        operation.fetchRecordsResultBlock = { completion($0.map { results.value }) }
        return operation
    }

    private func modifyOperation(
        _ records: [CKRecord], _ recordIDs: [CKRecord.ID],
        _ savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        _ atomically: Bool = true,
        _ completion: @escaping @Sendable (Result<ModifyRecordsResults, any Error>) -> Void
    ) -> CKModifyRecordsOperation {
        let results = Locked<ModifyRecordsResults>(([:], [:]))
        let operation = CKModifyRecordsOperation(
            recordsToSave: records, recordIDsToDelete: recordIDs)
        operation.savePolicy = savePolicy
        operation.isAtomic = atomically
        operation.perRecordSaveBlock = { recordID, result in
            results.withLock { $0.saveResults[recordID] = result }
        }
        operation.perRecordDeleteBlock = { recordID, result in
            results.withLock { $0.deleteResults[recordID] = result }
        }
        operation.modifyRecordsResultBlock = { completion($0.map { results.value }) }
        return operation
    }
}
