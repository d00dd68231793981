extension CKDatabase {
    typealias DatabaseChanges = (
        modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    )

    typealias RecordZoneChanges = (
        modificationResultsByID: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
        deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
        moreComing: Bool
    )

    /// Fetches one page of the zones that have changed since a token.
    public func fetchDatabaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modifications: [DatabaseChange.Modification],
                        deletions: [DatabaseChange.Deletion], changeToken: CKServerChangeToken,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        addConvenience(databaseChangesOperation(changeToken, resultsLimit, completionHandler))
    }

    /// Fetches one page of the zones that have changed since a token.
    public func databaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> (
        modifications: [DatabaseChange.Modification], deletions: [DatabaseChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        try await value { databaseChangesOperation(changeToken, resultsLimit, $0) }
    }

    /// Fetches one page of the records of a zone that have changed since a token.
    public func fetchRecordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modificationResultsByID: [CKRecord.ID: Result<
                            RecordZoneChange.Modification, any Error
                        >],
                        deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
            previousServerChangeToken: changeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
        addConvenience(
            zoneChangesOperation(zoneID, configuration) {
                completionHandler($0.map(\.changes))
            })
    }

    /// Fetches one page of the records of a zone that have changed since a token.
    public func recordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
    ) async throws -> (
        modificationResultsByID: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
        deletions: [RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
            previousServerChangeToken: changeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
        return try await value { zoneChangesOperation(zoneID, configuration, $0) }.changes
    }

    // MARK: - Operations

    private func databaseChangesOperation(
        _ changeToken: CKServerChangeToken?, _ resultsLimit: Int?,
        _ completion: @escaping @Sendable (Result<DatabaseChanges, any Error>) -> Void
    ) -> CKFetchDatabaseChangesOperation {
        let modifications = Locked<[DatabaseChange.Modification]>([])
        let deletions = Locked<[DatabaseChange.Deletion]>([])
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: changeToken)
        operation.fetchAllChanges = false
        operation.resultsLimit = resultsLimit ?? 0
        operation.recordZoneWithIDChangedBlock = { zoneID in
            modifications.withLock { $0.append(DatabaseChange.Modification(zoneID: zoneID)) }
        }
        func noteDeletion(
            _ reason: DatabaseChange.Deletion.Reason
        ) -> @Sendable (CKRecordZone.ID) -> Void {
            { zoneID in
                deletions.withLock {
                    $0.append(DatabaseChange.Deletion(zoneID: zoneID, reason: reason))
                }
            }
        }
        operation.recordZoneWithIDWasDeletedBlock = noteDeletion(.deleted)
        operation.recordZoneWithIDWasPurgedBlock = noteDeletion(.purged)
        operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock =
            noteDeletion(.encryptedDataReset)
        operation.fetchDatabaseChangesResultBlock = { result in
            completion(
                result.map {
                    (modifications.value, deletions.value, $0.serverChangeToken, $0.moreComing)
                })
        }
        return operation
    }

    /// The changes of a zone that have been collected so far.
    private struct ZoneChangesPage: Sendable {
        var records: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
        var deletions: [RecordZoneChange.Deletion] = []
        var end: Result<(CKServerChangeToken, Bool), any Error> = .failure(
            CKError(.internalError, "There was no answer for the zone"))
    }

    /// One page of the changes of a zone. Apple's type for a changed record is not Sendable, so the
    /// tuple of the API is created on the caller's side.
    private struct ZoneChanges: Sendable {
        let page: ZoneChangesPage
        let changeToken: CKServerChangeToken
        let moreComing: Bool

        var changes: RecordZoneChanges {
            let modifications = page.records.mapValues { result in
                result.map { RecordZoneChange.Modification(record: $0) }
            }
            return (modifications, page.deletions, changeToken, moreComing)
        }
    }

    private func zoneChangesOperation(
        _ zoneID: CKRecordZone.ID,
        _ configuration: CKFetchRecordZoneChangesOperation.ZoneConfiguration,
        _ completion: @escaping @Sendable (Result<ZoneChanges, any Error>) -> Void
    ) -> CKFetchRecordZoneChangesOperation {
        let page = Locked(ZoneChangesPage())
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
        operation.fetchAllChanges = false
        operation.recordWasChangedBlock = { recordID, result in
            page.withLock { $0.records[recordID] = result }
        }
        operation.recordWithIDWasDeletedBlock = { recordID, recordType in
            page.withLock {
                $0.deletions.append(
                    RecordZoneChange.Deletion(recordID: recordID, recordType: recordType))
            }
        }
        operation.recordZoneFetchResultBlock = { _, result in
            page.withLock {
                $0.end = result.map { ($0.serverChangeToken, $0.moreComing) }
            }
        }
        operation.fetchRecordZoneChangesResultBlock = { result in
            let page = page.value
            completion(
                result.flatMap { page.end }.map {
                    ZoneChanges(page: page, changeToken: $0, moreComing: $1)
                })
        }
        return operation
    }
}
