import CloudKit

// Spells the signatures of CloudKit's records, zones, errors, subscriptions and pushes as in
// Apple's documentation. Nothing here is called: if it compiles, code written for Apple's framework
// does.

// MARK: - CKRecord

private func record(coder: NSCoder, zoneID: CKRecordZone.ID, parent: CKRecord) {
    let recordID: CKRecord.ID = CKRecord.ID()
    let named: CKRecord.ID = CKRecord.ID(recordName: "name")
    let zoned: CKRecord.ID = CKRecord.ID(recordName: "name", zoneID: zoneID)
    let inZone: CKRecord.ID = CKRecord.ID(zoneID: zoneID)
    let byName: [CKRecord.ID] = ["name"].map(CKRecord.ID.init(recordName:))
    let strings: [String] = [recordID.recordName, named.recordName]
    let zones: [CKRecordZone.ID] = [zoned.zoneID, inZone.zoneID]
    let new: CKRecord = CKRecord(recordType: "Type")
    let record: CKRecord = CKRecord(recordType: "Type", recordID: recordID)
    let decoded: CKRecord? = CKRecord(coder: coder)
    let type: CKRecord.RecordType = record.recordType
    let id: CKRecord.ID = record.recordID
    let tag: String? = record.recordChangeTag
    let creator: CKRecord.ID? = record.creatorUserRecordID
    let created: Date? = record.creationDate
    let modifier: CKRecord.ID? = record.lastModifiedUserRecordID
    let modified: Date? = record.modificationDate
    let share: CKRecord.Reference? = record.share
    let parentReference: CKRecord.Reference? = record.parent
    record.parent = parentReference
    record.setParent(parent)
    record.setParent(nil as CKRecord?)
    record.setParent(recordID)
    record.encodeSystemFields(with: coder)
    record.encode(with: coder)
    let copy: Any = record.copy()
    let secure: Bool = CKRecord.supportsSecureCoding
    spelled(
        strings, zones, byName, new, decoded, type, id, tag, creator, created, modifier, modified,
        share,
        copy, secure)
}

private func recordValues(record: CKRecord, location: CLLocation, asset: CKAsset) {
    let key: CKRecord.FieldKey = "key"
    let keys: [CKRecord.FieldKey] = record.allKeys()
    let changed: [CKRecord.FieldKey] = record.changedKeys()
    let tokens: [String] = record.allTokens()
    let object: (any __CKRecordObjCValue)? = record.object(forKey: key)
    record.setObject(object, forKey: key)
    let subscripted: (any CKRecordValue)? = record[key]
    record[key] = subscripted
    let untyped: (any CKRecordValueProtocol)? = record[key]
    record[key] = untyped
    let string: String? = record[key]
    let number: Int? = record[key]
    let strings: [String]? = record[key]
    let date: Date? = record[key]
    record[key] = string
    record[key] = "literal"
    record[key] = 1
    record[key] = 1.5
    record[key] = true
    record[key] = nil
    record[key] = Date()
    record[key] = Data()
    record[key] = location
    record[key] = asset
    record[key] = ["a", "b"]
    record[key] = [1, 2]
    record[key] = UInt16(1)
    record[key] = Float(1)
    record[key] = NSString(string: "x")
    record[key] = NSNumber(value: 1)
    // Swift's own types become objects only where the code says so.
    let values: [any CKRecordValue] = [
        "text" as CKRecordValue, 1 as CKRecordValue, 1.5 as CKRecordValue, true as CKRecordValue,
        Date() as CKRecordValue, Data() as CKRecordValue, UInt8(1) as CKRecordValue,
        Float(1) as CKRecordValue, ["a"] as CKRecordValue, [1] as CKRecordValue, NSString(),
        location, asset,
    ]
    for value in values { record[key] = value }
    record.setObject("text" as CKRecordValue, forKey: key)
    record[key] = "text" as CKRecordValue
    let anything: Any = "text"
    record[key] = anything as? CKRecordValue
    let coded: Any? = record.value(forKey: key)
    record.setValue(anything, forKey: key)
    let atPath: Any? = record.value(forKeyPath: "recordID.recordName")
    record.setValuesForKeys([key: anything])
    let coding: [String: Any] = record.dictionaryWithValues(forKeys: [key])
    spelled(coded, atPath, coding)
    let encrypted: any CKRecordKeyValueSetting & Sendable = record.encryptedValues
    record.encryptedValues[key] = "secret"
    let secret: String? = record.encryptedValues[key]
    let encryptedKeys: [String] = encrypted.allKeys() + encrypted.changedKeys()
    for (key, value) in record {
        let field: CKRecord.FieldKey = key
        let fieldValue: any CKRecordValueProtocol = value
        spelled(field, fieldValue)
    }
    spelled(keys, changed, tokens, number, strings, date, secret, encryptedKeys)
}

private func references(recordID: CKRecord.ID, record: CKRecord, url: URL) {
    let reference = CKRecord.Reference(recordID: recordID, action: .deleteSelf)
    let toRecord = CKRecord.Reference(record: record, action: .none)
    let action: CKRecord.ReferenceAction = reference.action
    let oldName: CKRecord.Reference.Action = toRecord.action
    let target: CKRecord.ID = reference.recordID
    let raw: UInt = CKRecord.ReferenceAction.deleteSelf.rawValue
    let asset: CKAsset = CKAsset(fileURL: url)
    let file: URL? = asset.fileURL
    let types: [CKRecord.RecordType] = [CKRecord.SystemType.userRecord, CKRecord.SystemType.share]
    let keys: [CKRecord.FieldKey] = [
        CKRecord.SystemFieldKey.recordID, CKRecord.SystemFieldKey.creatorUserRecordID,
        CKRecord.SystemFieldKey.creationDate, CKRecord.SystemFieldKey.lastModifiedUserRecordID,
        CKRecord.SystemFieldKey.modificationDate, CKRecord.SystemFieldKey.parent,
        CKRecord.SystemFieldKey.share,
    ]
    switch action {
    case .none, .deleteSelf: break
    @unknown default: break
    }
    spelled(oldName, target, raw, file, types, keys)
}

// MARK: - Zones

private func zones(coder: NSCoder, token: CKServerChangeToken) {
    let zone: CKRecordZone = CKRecordZone(zoneName: "Zone")
    let zoneID: CKRecordZone.ID = CKRecordZone.ID(
        zoneName: "Zone", ownerName: CKCurrentUserDefaultName)
    let ids: [CKRecordZone.ID] = [.default, CKRecordZone.ID(), CKRecordZone.ID(zoneName: "Zone")]
    let fromID: CKRecordZone = CKRecordZone(zoneID: zoneID)
    let standard: CKRecordZone = CKRecordZone.default()
    let capabilities: CKRecordZone.Capabilities = zone.capabilities
    let all: CKRecordZone.Capabilities = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
    let share: CKRecord.Reference? = zone.share
    let names: [String] = [
        CKRecordZone.ID.defaultZoneName, zoneID.zoneName, zoneID.ownerName,
    ]
    let decoded: CKServerChangeToken? = CKServerChangeToken(coder: coder)
    let copy: Any = token.copy()
    spelled(ids, fromID.zoneID, standard, capabilities, all, share, names, decoded, copy)
}

// MARK: - CKError

private func errors(error: any Error) {
    let cloudKitError = CKError(.partialFailure)
    let detailed = CKError(.zoneBusy, userInfo: [CKErrorRetryAfterKey: 3.0])
    let code: CKError.Code = cloudKitError.code
    let userInfo: [String: Any] = cloudKitError.userInfo
    let errorUserInfo: [String: Any] = detailed.errorUserInfo
    let number: Int = cloudKitError.errorCode
    let domains: [String] = [CKError.errorDomain, CKErrorDomain]
    let partial: [AnyHashable: any Error]? = cloudKitError.partialErrorsByItemID
    let records: [CKRecord?] = [
        cloudKitError.ancestorRecord, cloudKitError.serverRecord, cloudKitError.clientRecord,
    ]
    let seconds: Double? = cloudKitError.retryAfterSeconds
    let keys: [String] = [
        CKErrorRetryAfterKey, CKPartialErrorsByItemIDKey, CKRecordChangedErrorAncestorRecordKey,
        CKRecordChangedErrorServerRecordKey, CKRecordChangedErrorClientRecordKey,
        CKErrorUserDidResetEncryptedDataKey,
    ]
    let alias: CKError.Code = CKError.zoneNotFound
    let isSame: Bool = cloudKitError.code == .serverRecordChanged
    let text: String = cloudKitError.localizedDescription
    let bridged: NSError = error as NSError
    do {
        throw error
    } catch CKError.zoneNotFound {
    } catch let error as CKError where error.code == .networkFailure {
    } catch {}
    switch code {
    case .internalError, .partialFailure, .networkUnavailable, .networkFailure, .badContainer,
        .serviceUnavailable, .requestRateLimited, .missingEntitlement, .notAuthenticated,
        .permissionFailure, .unknownItem, .invalidArguments, .resultsTruncated,
        .serverRecordChanged, .serverRejectedRequest, .assetFileNotFound, .assetFileModified,
        .incompatibleVersion, .constraintViolation, .operationCancelled, .changeTokenExpired,
        .batchRequestFailed, .zoneBusy, .badDatabase, .quotaExceeded, .zoneNotFound,
        .limitExceeded, .userDeletedZone, .tooManyParticipants, .alreadyShared,
        .referenceViolation, .managedAccountRestricted, .participantMayNeedVerification,
        .serverResponseLost, .assetNotAvailable, .accountTemporarilyUnavailable,
        .participantAlreadyInvited:
        break
    @unknown default: break
    }
    spelled(
        userInfo, errorUserInfo, number, domains, partial, records, seconds, keys, alias, isSame,
        text, bridged)
}

// MARK: - Subscriptions

private func subscriptions(coder: NSCoder, zoneID: CKRecordZone.ID, predicate: NSPredicate) {
    let query = CKQuerySubscription(
        recordType: "Type", predicate: predicate, subscriptionID: "id",
        options: [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion, .firesOnce,
        ])
    let defaulted = CKQuerySubscription(
        recordType: "Type", predicate: predicate, subscriptionID: "id")
    let zone = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "id")
    let database = CKDatabaseSubscription(subscriptionID: "id")
    let types: [CKRecord.RecordType?] = [query.recordType, zone.recordType, database.recordType]
    zone.recordType = "Type"
    database.recordType = nil
    query.zoneID = zoneID
    let queryZone: CKRecordZone.ID? = query.zoneID
    let decodedQuery: CKQuerySubscription = CKQuerySubscription(coder: coder)
    let decodedZone: CKRecordZoneSubscription = CKRecordZoneSubscription(coder: coder)
    let decodedDatabase: CKDatabaseSubscription = CKDatabaseSubscription(coder: coder)
    let watched: CKRecordZone.ID = zone.zoneID
    let options: CKQuerySubscription.Options = defaulted.querySubscriptionOptions
    let queryPredicate: NSPredicate = query.predicate
    let id: CKSubscription.ID = query.subscriptionID
    let type: CKSubscription.SubscriptionType = query.subscriptionType
    let all: [CKSubscription.SubscriptionType] = [.query, .recordZone, .database]
    query.notificationInfo = CKSubscription.NotificationInfo()
    spelled(types, queryZone, watched, options, queryPredicate, id, type, all)
    spelled(decodedQuery, decodedZone, decodedDatabase)
}

private func notificationInfo() {
    let info = CKSubscription.NotificationInfo(
        alertBody: nil, alertLocalizationKey: nil, alertLocalizationArgs: [], title: nil,
        titleLocalizationKey: nil, titleLocalizationArgs: [], subtitle: nil,
        subtitleLocalizationKey: nil, subtitleLocalizationArgs: [],
        alertActionLocalizationKey: nil, alertLaunchImage: nil, soundName: nil, desiredKeys: [],
        shouldBadge: false, shouldSendContentAvailable: true, shouldSendMutableContent: false,
        category: nil, collapseIDKey: nil)
    info.alertBody = info.alertBody as String?
    info.alertLocalizationArgs = info.alertLocalizationArgs as [CKRecord.FieldKey]?
    info.alertLaunchImage = info.alertLaunchImage as String?
    info.category = info.category as String?
    info.collapseIDKey = info.collapseIDKey as String?
    info.desiredKeys = info.desiredKeys as [CKRecord.FieldKey]?
    info.shouldBadge = info.shouldBadge as Bool
    info.shouldSendContentAvailable = info.shouldSendContentAvailable as Bool
    info.shouldSendMutableContent = info.shouldSendMutableContent as Bool
    info.soundName = info.soundName as String?
    info.subtitle = info.subtitle as String?
    info.title = info.title as String?
}

// MARK: - Pushes

private func notifications(userInfo: [AnyHashable: Any]) {
    guard let push = CKNotification(fromRemoteNotificationDictionary: userInfo) else { return }
    let type: CKNotification.NotificationType = push.notificationType
    let types: [CKNotification.NotificationType] = [
        .query, .recordZone, .readNotification, .database,
    ]
    let id: CKNotification.ID? = push.notificationID
    let container: String? = push.containerIdentifier
    let owner: CKRecord.ID? = push.subscriptionOwnerUserRecordID
    let subscription: CKSubscription.ID? = push.subscriptionID
    let isPruned: Bool = push.isPruned
    let texts: [String?] = [
        push.alertBody, push.alertLaunchImage, push.category, push.soundName, push.subtitle,
        push.title,
    ]
    let badge: NSNumber? = push.badge
    if let query = push as? CKQueryNotification {
        let reason: CKQueryNotification.Reason = query.queryNotificationReason
        let reasons: [CKQueryNotification.Reason] = [
            .recordCreated, .recordUpdated, .recordDeleted,
        ]
        let fields: [String: Any]? = query.recordFields
        let recordID: CKRecord.ID? = query.recordID
        let scope: CKDatabase.Scope = query.databaseScope
        spelled(reason, reasons, fields, recordID, scope)
    }
    if let zone = push as? CKRecordZoneNotification {
        let zoneID: CKRecordZone.ID? = zone.recordZoneID
        let scope: CKDatabase.Scope = zone.databaseScope
        spelled(zoneID, scope)
    }
    if let database = push as? CKDatabaseNotification {
        let scope: CKDatabase.Scope = database.databaseScope
        spelled(scope)
    }
    spelled(type, types, id, container, owner, subscription, isPruned, texts, badge)
}

// MARK: - Sendable

private func sendable() {
    func require<T: Sendable>(_ type: T.Type) {}
    require(CKContainer.self)
    require(CKDatabase.self)
    require(CKRecord.self)
    require(CKRecord.ID.self)
    require(CKRecord.Reference.self)
    require(CKRecordZone.self)
    require(CKRecordZone.ID.self)
    require(CKAsset.self)
    require(CKQuery.self)
    require(CKQueryOperation.Cursor.self)
    require(CKServerChangeToken.self)
    require(CKSubscription.self)
    require(CKQuerySubscription.self)
    require(CKSubscription.NotificationInfo.self)
    require(CKNotification.self)
    require(CKError.self)
    require(CKError.Code.self)
    require(CKOperation.self)
    require(CKModifyRecordsOperation.self)
    require(CKOperation.Configuration.self)
    require(CKOperationGroup.self)
    require(CKFetchRecordZoneChangesOperation.ZoneConfiguration.self)
}

private func spelled(_ values: Any?...) {}
