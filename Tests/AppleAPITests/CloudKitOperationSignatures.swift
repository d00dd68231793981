import CloudKit

// Spells the signatures of CloudKit's container, databases and operations as in Apple's
// documentation. Nothing here is called: if it compiles, code written for Apple's framework does.

// MARK: - CKContainer

private func container(
    operation: CKOperation, configuration: CKOperation.Configuration
) async throws {
    let container: CKContainer = CKContainer(identifier: "iCloud.example")
    let standard: CKContainer = CKContainer.default()
    let identifier: String? = container.containerIdentifier
    let databases: [CKDatabase] = [
        container.privateCloudDatabase, container.publicCloudDatabase,
        container.sharedCloudDatabase, container.database(with: .private),
    ]
    let scopes: [CKDatabase.Scope] = [.public, .private, .shared]
    container.add(operation)
    container.accountStatus { (status: CKAccountStatus, error: (any Error)?) in
        spelled(status, error)
    }
    let status: CKAccountStatus = try await container.accountStatus()
    container.fetchUserRecordID { (recordID: CKRecord.ID?, error: (any Error)?) in
        spelled(recordID, error)
    }
    let userID: CKRecord.ID = try await container.userRecordID()
    let name: Notification.Name = .CKAccountChanged
    let scope: CKDatabase.Scope = try container.configuredWith(configuration: configuration) {
        (container: CKContainer) throws in container.privateCloudDatabase.databaseScope
    }
    switch status {
    case .couldNotDetermine, .available, .restricted, .noAccount, .temporarilyUnavailable: break
    @unknown default: break
    }
    spelled(standard, identifier, databases, scopes, userID, name, scope)
}

// MARK: - CKDatabase

private func records(
    database: CKDatabase, record: CKRecord, recordID: CKRecord.ID, keys: [CKRecord.FieldKey]
) async throws {
    database.fetch(withRecordID: recordID) { (record: CKRecord?, error: (any Error)?) in
        spelled(record, error)
    }
    database.save(record) { (record: CKRecord?, error: (any Error)?) in spelled(record, error) }
    database.delete(withRecordID: recordID) { (id: CKRecord.ID?, error: (any Error)?) in
        spelled(id, error)
    }
    let fetched: CKRecord = try await database.record(for: recordID)
    let saved: CKRecord = try await database.save(record)
    try await database.save(record)
    let deleted: CKRecord.ID = try await database.deleteRecord(withID: recordID)
    try await database.deleteRecord(withID: recordID)
    let several: [CKRecord.ID: Result<CKRecord, any Error>] = try await database.records(
        for: [recordID])
    let desired = try await database.records(for: [recordID], desiredKeys: keys)
    let (saves, deletes):
        (
            [CKRecord.ID: Result<CKRecord, any Error>], [CKRecord.ID: Result<Void, any Error>]
        ) = try await database.modifyRecords(saving: [record], deleting: [recordID])
    let results:
        (
            saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
            deleteResults: [CKRecord.ID: Result<Void, any Error>]
        ) = try await database.modifyRecords(
            saving: [record], deleting: [], savePolicy: .allKeys, atomically: false)
    spelled(fetched, saved, deleted, several, desired, saves, deletes)
    spelled(results.saveResults, results.deleteResults)
}

private func zones(database: CKDatabase, zone: CKRecordZone, zoneID: CKRecordZone.ID) async throws {
    database.fetchAllRecordZones { (zones: [CKRecordZone]?, error: (any Error)?) in
        spelled(zones, error)
    }
    database.fetch(withRecordZoneID: zoneID) { (zone: CKRecordZone?, error: (any Error)?) in
        spelled(zone, error)
    }
    database.save(zone) { (zone: CKRecordZone?, error: (any Error)?) in spelled(zone, error) }
    database.delete(withRecordZoneID: zoneID) { (id: CKRecordZone.ID?, error: (any Error)?) in
        spelled(id, error)
    }
    let all: [CKRecordZone] = try await database.allRecordZones()
    let one: CKRecordZone = try await database.recordZone(for: zoneID)
    let saved: CKRecordZone = try await database.save(zone)
    let deleted: CKRecordZone.ID = try await database.deleteRecordZone(withID: zoneID)
    let several: [CKRecordZone.ID: Result<CKRecordZone, any Error>] =
        try await database.recordZones(for: [zoneID])
    let results:
        (
            saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
            deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
        ) = try await database.modifyRecordZones(saving: [zone], deleting: [zoneID])
    spelled(all, one, saved, deleted, several, results)
}

private func subscriptions(database: CKDatabase, subscription: CKSubscription) async throws {
    database.fetch(withSubscriptionID: "id") { (found: CKSubscription?, error: (any Error)?) in
        spelled(found, error)
    }
    database.fetchAllSubscriptions { (all: [CKSubscription]?, error: (any Error)?) in
        spelled(all, error)
    }
    database.save(subscription) { (saved: CKSubscription?, error: (any Error)?) in
        spelled(saved, error)
    }
    database.delete(withSubscriptionID: "id") { (id: String?, error: (any Error)?) in
        spelled(id, error)
    }
    let found: CKSubscription = try await database.subscription(for: "id")
    let all: [CKSubscription] = try await database.allSubscriptions()
    let saved: CKSubscription = try await database.save(subscription)
    let deleted: CKSubscription.ID = try await database.deleteSubscription(withID: "id")
    let several: [CKSubscription.ID: Result<CKSubscription, any Error>] =
        try await database.subscriptions(for: ["id"])
    let results:
        (
            saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
            deleteResults: [CKSubscription.ID: Result<Void, any Error>]
        ) = try await database.modifySubscriptions(saving: [subscription], deleting: ["id"])
    spelled(found, all, saved, deleted, several, results)
}

private func changes(
    database: CKDatabase, zoneID: CKRecordZone.ID, token: CKServerChangeToken?
) async throws {
    let zones:
        (
            modifications: [CKDatabase.DatabaseChange.Modification],
            deletions: [CKDatabase.DatabaseChange.Deletion],
            changeToken: CKServerChangeToken, moreComing: Bool
        ) = try await database.databaseChanges(since: token, resultsLimit: 10)
    let changed: [CKDatabase.DatabaseChange.Modification] = zones.modifications
    let gone: [CKDatabase.DatabaseChange.Deletion] = zones.deletions
    if #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) {
        let reason: CKDatabase.DatabaseChange.Deletion.Reason? = gone.first?.reason
        spelled(reason)
    }
    let zoneIDs: [CKRecordZone.ID] = changed.map(\.zoneID) + gone.map(\.zoneID)
    let zonesToken: CKServerChangeToken = zones.changeToken
    let records:
        (
            modificationResultsByID:
                [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
            deletions: [CKDatabase.RecordZoneChange.Deletion],
            changeToken: CKServerChangeToken, moreComing: Bool
        ) = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
    let results: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>] =
        records.modificationResultsByID
    let record: CKRecord? = try results.values.first?.get().record
    let deletions: [CKDatabase.RecordZoneChange.Deletion] = records.deletions
    let deleted: (CKRecord.ID, CKRecord.RecordType)? = deletions.first.map {
        ($0.recordID, $0.recordType)
    }
    let more: Bool = records.moreComing || zones.moreComing
    let limited = try await database.recordZoneChanges(
        inZoneWith: zoneID, since: token, desiredKeys: ["key"], resultsLimit: 10)
    spelled(zoneIDs, zonesToken, record, deleted, more, limited.changeToken)
}

private func queries(
    database: CKDatabase, query: CKQuery, zoneID: CKRecordZone.ID, coder: NSCoder
) async throws {
    let made: CKQuery = CKQuery(recordType: "Type", predicate: NSPredicate(value: true))
    let decoded: CKQuery = CKQuery(coder: coder)
    made.sortDescriptors = [NSSortDescriptor(key: "key", ascending: true)]
    let type: CKRecord.RecordType = query.recordType
    let predicate: NSPredicate = query.predicate
    let (matches, cursor) = try await database.records(matching: query)
    let typed: [(CKRecord.ID, Result<CKRecord, any Error>)] = matches
    let inZone:
        (
            matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
            queryCursor: CKQueryOperation.Cursor?
        ) = try await database.records(
            matching: query, inZoneWith: zoneID, desiredKeys: ["key"], resultsLimit: 10)
    if let cursor {
        let next:
            (
                matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                queryCursor: CKQueryOperation.Cursor?
            ) = try await database.records(
                continuingMatchFrom: cursor, desiredKeys: nil,
                resultsLimit: CKQueryOperation.maximumResults)
        spelled(next)
    }
    spelled(decoded, type, predicate, typed, inZone)
}

// MARK: - Operations

private func operation(
    _ operation: CKDatabaseOperation, container: CKContainer, coder: NSCoder
) {
    let id: CKOperation.ID = operation.operationID
    operation.database = container.privateCloudDatabase as CKDatabase?
    operation.group = CKOperationGroup() as CKOperationGroup?
    operation.longLivedOperationWasPersistedBlock = nil as (() -> Void)?
    let configuration: CKOperation.Configuration = operation.configuration
    operation.configuration = nil
    configuration.container = container as CKContainer?
    configuration.qualityOfService = .utility
    configuration.allowsCellularAccess = true
    configuration.isLongLived = false
    configuration.timeoutIntervalForRequest = 60
    configuration.timeoutIntervalForResource = 3600
    let group = CKOperationGroup()
    group.defaultConfiguration = configuration
    group.name = "name" as String?
    group.quantity = 1
    group.expectedSendSize = .kilobytes
    group.expectedReceiveSize = .hundredsOfGigabytes
    let sizes: [CKOperationGroup.TransferSize] = [
        .unknown, .kilobytes, .megabytes, .tensOfMegabytes, .hundredsOfMegabytes, .gigabytes,
        .tensOfGigabytes, .hundredsOfGigabytes,
    ]
    let groupID: String = group.operationGroupID
    let decoded: CKOperationGroup = CKOperationGroup(coder: coder)
    spelled(id, sizes, groupID, decoded)
}

private func modifyRecords(record: CKRecord, recordID: CKRecord.ID) {
    let plain = CKModifyRecordsOperation()
    let operation = CKModifyRecordsOperation(recordsToSave: [record], recordIDsToDelete: [recordID])
    let saving = CKModifyRecordsOperation(recordsToSave: [record])
    operation.recordsToSave = nil as [CKRecord]?
    operation.recordIDsToDelete = nil as [CKRecord.ID]?
    let policy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged
    operation.savePolicy = policy
    operation.isAtomic = true
    operation.clientChangeTokenData = nil as Data?
    operation.perRecordProgressBlock = { (record: CKRecord, progress: Double) in
        spelled(record, progress)
    }
    operation.perRecordSaveBlock = { (id: CKRecord.ID, result: Result<CKRecord, any Error>) in
        spelled(id, result)
    }
    operation.perRecordDeleteBlock = { (id: CKRecord.ID, result: Result<Void, any Error>) in
        spelled(id, result)
    }
    operation.modifyRecordsResultBlock = { (result: Result<Void, any Error>) in spelled(result) }
    spelled(plain, saving)
}

private func fetchRecords(recordID: CKRecord.ID) {
    let operation = CKFetchRecordsOperation(recordIDs: [recordID])
    let user: CKFetchRecordsOperation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
    operation.recordIDs = nil as [CKRecord.ID]?
    operation.desiredKeys = nil as [CKRecord.FieldKey]?
    operation.perRecordProgressBlock = { (id: CKRecord.ID, progress: Double) in
        spelled(id, progress)
    }
    operation.perRecordResultBlock = { (id: CKRecord.ID, result: Result<CKRecord, any Error>) in
        spelled(id, result)
    }
    operation.fetchRecordsResultBlock = { (result: Result<Void, any Error>) in spelled(result) }
    spelled(user)
}

private func query(query: CKQuery, cursor: CKQueryOperation.Cursor, zoneID: CKRecordZone.ID) {
    let operation = CKQueryOperation(query: query)
    let next = CKQueryOperation(cursor: cursor)
    operation.query = query as CKQuery?
    operation.cursor = nil as CKQueryOperation.Cursor?
    operation.zoneID = zoneID as CKRecordZone.ID?
    operation.resultsLimit = CKQueryOperation.maximumResults
    operation.desiredKeys = nil as [CKRecord.FieldKey]?
    operation.recordMatchedBlock = { (id: CKRecord.ID, result: Result<CKRecord, any Error>) in
        spelled(id, result)
    }
    operation.queryResultBlock = {
        (result: Result<CKQueryOperation.Cursor?, any Error>) in spelled(result)
    }
    spelled(next)
}

private func zoneOperations(zone: CKRecordZone, zoneID: CKRecordZone.ID) {
    let modify = CKModifyRecordZonesOperation(
        recordZonesToSave: [zone], recordZoneIDsToDelete: [zoneID])
    modify.recordZonesToSave = nil as [CKRecordZone]?
    modify.recordZoneIDsToDelete = nil as [CKRecordZone.ID]?
    modify.perRecordZoneSaveBlock = {
        (id: CKRecordZone.ID, result: Result<CKRecordZone, any Error>) in spelled(id, result)
    }
    modify.perRecordZoneDeleteBlock = {
        (id: CKRecordZone.ID, result: Result<Void, any Error>) in spelled(id, result)
    }
    modify.modifyRecordZonesResultBlock = { (result: Result<Void, any Error>) in spelled(result) }
    let fetch = CKFetchRecordZonesOperation(recordZoneIDs: [zoneID])
    let all: CKFetchRecordZonesOperation =
        CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
    fetch.recordZoneIDs = nil as [CKRecordZone.ID]?
    fetch.perRecordZoneResultBlock = {
        (id: CKRecordZone.ID, result: Result<CKRecordZone, any Error>) in spelled(id, result)
    }
    fetch.fetchRecordZonesResultBlock = { (result: Result<Void, any Error>) in spelled(result) }
    spelled(all)
}

private func subscriptionOperations(subscription: CKSubscription) {
    let modify = CKModifySubscriptionsOperation(
        subscriptionsToSave: [subscription], subscriptionIDsToDelete: ["id"])
    modify.subscriptionsToSave = nil as [CKSubscription]?
    modify.subscriptionIDsToDelete = nil as [CKSubscription.ID]?
    modify.perSubscriptionSaveBlock = {
        (id: CKSubscription.ID, result: Result<CKSubscription, any Error>) in spelled(id, result)
    }
    modify.perSubscriptionDeleteBlock = {
        (id: CKSubscription.ID, result: Result<Void, any Error>) in spelled(id, result)
    }
    modify.modifySubscriptionsResultBlock = { (result: Result<Void, any Error>) in
        spelled(result)
    }
    let fetch = CKFetchSubscriptionsOperation(subscriptionIDs: ["id"])
    let all: CKFetchSubscriptionsOperation =
        CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
    fetch.subscriptionIDs = nil as [CKSubscription.ID]?
    fetch.perSubscriptionResultBlock = {
        (id: CKSubscription.ID, result: Result<CKSubscription, any Error>) in spelled(id, result)
    }
    fetch.fetchSubscriptionsResultBlock = { (result: Result<Void, any Error>) in spelled(result) }
    spelled(all)
}

private func databaseChanges(token: CKServerChangeToken?) {
    let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
    operation.previousServerChangeToken = token
    operation.resultsLimit = 10
    operation.fetchAllChanges = true
    operation.recordZoneWithIDChangedBlock = { (id: CKRecordZone.ID) in spelled(id) }
    operation.recordZoneWithIDWasDeletedBlock = { (id: CKRecordZone.ID) in spelled(id) }
    operation.recordZoneWithIDWasPurgedBlock = { (id: CKRecordZone.ID) in spelled(id) }
    operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = {
        (id: CKRecordZone.ID) in spelled(id)
    }
    operation.changeTokenUpdatedBlock = { (token: CKServerChangeToken) in spelled(token) }
    operation.fetchDatabaseChangesResultBlock = {
        (
            result: Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>
        ) in
        if case .success(let (token, more)) = result { spelled(token, more) }
    }
}

private func recordZoneChanges(zoneID: CKRecordZone.ID, token: CKServerChangeToken?) {
    let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
        previousServerChangeToken: token, resultsLimit: 10, desiredKeys: ["key"])
    configuration.previousServerChangeToken = token
    configuration.resultsLimit = 0
    configuration.desiredKeys = nil as [CKRecord.FieldKey]?
    let operation = CKFetchRecordZoneChangesOperation(
        recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
    operation.recordZoneIDs = nil as [CKRecordZone.ID]?
    operation.configurationsByRecordZoneID =
        nil as [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]?
    operation.fetchAllChanges = true
    operation.recordWasChangedBlock = { (id: CKRecord.ID, result: Result<CKRecord, any Error>) in
        spelled(id, result)
    }
    operation.recordWithIDWasDeletedBlock = { (id: CKRecord.ID, type: CKRecord.RecordType) in
        spelled(id, type)
    }
    operation.recordZoneChangeTokensUpdatedBlock = {
        (id: CKRecordZone.ID, token: CKServerChangeToken?, data: Data?) in spelled(id, token, data)
    }
    operation.recordZoneFetchResultBlock = {
        (
            id: CKRecordZone.ID,
            result: Result<
                (
                    serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?,
                    moreComing: Bool
                ), any Error
            >
        ) in
        if case .success(let page) = result { spelled(id, page.serverChangeToken) }
    }
    operation.fetchRecordZoneChangesResultBlock = { (result: Result<Void, any Error>) in
        spelled(result)
    }
}

private func spelled(_ values: Any?...) {}
