import CloudKit

// Spells the deprecated signatures of CloudKit that apps still use. Nothing here is called.

@available(*, deprecated)
private func deprecatedBlocks(predicate: NSPredicate, zoneID: CKRecordZone.ID, record: CKRecord) {
    let modify = CKModifyRecordsOperation()
    modify.perRecordCompletionBlock = { (record: CKRecord, error: (any Error)?) in
        spelled(record, error)
    }
    modify.modifyRecordsCompletionBlock = {
        (records: [CKRecord]?, ids: [CKRecord.ID]?, error: (any Error)?) in
        spelled(records, ids, error)
    }
    let fetch = CKFetchRecordsOperation()
    fetch.perRecordCompletionBlock = {
        (record: CKRecord?, id: CKRecord.ID?, error: (any Error)?) in spelled(record, id, error)
    }
    fetch.fetchRecordsCompletionBlock = {
        (records: [CKRecord.ID: CKRecord]?, error: (any Error)?) in spelled(records, error)
    }
    let query = CKQueryOperation()
    query.recordFetchedBlock = { (record: CKRecord) in spelled(record) }
    query.queryCompletionBlock = {
        (cursor: CKQueryOperation.Cursor?, error: (any Error)?) in spelled(cursor, error)
    }
    let modifyZones = CKModifyRecordZonesOperation()
    modifyZones.modifyRecordZonesCompletionBlock = {
        (zones: [CKRecordZone]?, ids: [CKRecordZone.ID]?, error: (any Error)?) in
        spelled(zones, ids, error)
    }
    let fetchZones = CKFetchRecordZonesOperation()
    fetchZones.fetchRecordZonesCompletionBlock = {
        (zones: [CKRecordZone.ID: CKRecordZone]?, error: (any Error)?) in spelled(zones, error)
    }
    let modifySubscriptions = CKModifySubscriptionsOperation()
    modifySubscriptions.modifySubscriptionsCompletionBlock = {
        (saved: [CKSubscription]?, ids: [CKSubscription.ID]?, error: (any Error)?) in
        spelled(saved, ids, error)
    }
    let fetchSubscriptions = CKFetchSubscriptionsOperation()
    fetchSubscriptions.fetchSubscriptionCompletionBlock = {
        (found: [CKSubscription.ID: CKSubscription]?, error: (any Error)?) in
        spelled(found, error)
    }
    let databaseChanges = CKFetchDatabaseChangesOperation()
    databaseChanges.fetchDatabaseChangesCompletionBlock = {
        (token: CKServerChangeToken?, more: Bool, error: (any Error)?) in
        spelled(token, more, error)
    }
    let options = CKFetchRecordZoneChangesOperation.ZoneOptions()
    let zoneChanges = CKFetchRecordZoneChangesOperation(
        recordZoneIDs: [zoneID], optionsByRecordZoneID: [zoneID: options])
    zoneChanges.optionsByRecordZoneID =
        nil as [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions]?
    zoneChanges.recordChangedBlock = { (record: CKRecord) in spelled(record) }
    zoneChanges.recordZoneFetchCompletionBlock = {
        (
            id: CKRecordZone.ID, token: CKServerChangeToken?, data: Data?, more: Bool,
            error: (any Error)?
        ) in spelled(id, token, data, more, error)
    }
    zoneChanges.fetchRecordZoneChangesCompletionBlock = { (error: (any Error)?) in
        spelled(error)
    }
}

@available(*, deprecated)
private func deprecatedMembers(
    operation: CKOperation, container: CKContainer, database: CKDatabase, query: CKQuery,
    zoneID: CKRecordZone.ID
) async throws {
    operation.container = container as CKContainer?
    operation.allowsCellularAccess = true
    operation.isLongLived = false
    operation.timeoutIntervalForRequest = 60
    operation.timeoutIntervalForResource = 3600
    let record = CKRecord(recordType: "Type", zoneID: zoneID)
    let subscription = CKQuerySubscription(recordType: "Type", predicate: query.predicate)
    let subscriptions: [CKSubscription] = [
        subscription, CKRecordZoneSubscription(zoneID: zoneID), CKDatabaseSubscription(),
    ]
    database.perform(query, inZoneWith: nil) { (records: [CKRecord]?, error: (any Error)?) in
        spelled(records, error)
    }
    let records: [CKRecord] = try await database.records(matching: query, inZoneWith: zoneID)
    let owner: String? = nil
    let owned: CKRecordZone.ID = CKRecordZone.ID(zoneName: "Zone", ownerName: owner)
    spelled(record, subscriptions, records, owned, CKOwnerDefaultName)
}

private func spelled(_ values: Any?...) {}
