// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What CloudKit declares in Swift only. Nothing of it runs: the bodies exist for the type checker.

@_exported import CloudKit
@_exported import CoreLocation
@_exported import Foundation

// MARK: - Names

@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 3.0, visionOS 1.0, *)
public typealias CKRecordValue = __CKRecordObjCValue

extension CKRecord {
    public typealias RecordType = String
    public typealias FieldKey = String

    public enum SystemType {
        public static let userRecord: CKRecord.RecordType = ""
        public static let share: CKRecord.RecordType = ""
    }

    public enum SystemFieldKey {
        public static var recordID: CKRecord.FieldKey { "" }
        public static var creatorUserRecordID: CKRecord.FieldKey { "" }
        public static var creationDate: CKRecord.FieldKey { "" }
        public static var lastModifiedUserRecordID: CKRecord.FieldKey { "" }
        public static var modificationDate: CKRecord.FieldKey { "" }
        public static let parent: CKRecord.FieldKey = ""
        public static let share: CKRecord.FieldKey = ""
    }
}

extension CKRecord.Reference {
    public typealias Action = CKRecord.ReferenceAction
}

extension CKOperation {
    public typealias ID = String
}

extension CKSubscription {
    public typealias ID = String
}

extension CKContainer {
    @available(macOS, deprecated: 14.0)
    @available(iOS, deprecated: 17.0)
    @available(tvOS, deprecated: 17.0)
    @available(watchOS, deprecated: 10.0)
    @available(visionOS, deprecated: 1.0)
    public enum Application {
        public typealias Permissions = CKContainer.ApplicationPermissions
        public typealias PermissionStatus = CKContainer.ApplicationPermissionStatus
    }
}

extension CKShare {
    public enum SystemFieldKey {
        public static let title: CKRecord.FieldKey = ""
        public static let thumbnailImageData: CKRecord.FieldKey = ""
        public static let shareType: CKRecord.FieldKey = ""
    }
}

extension CKShare.Participant {
    public typealias ID = String
    public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
    public typealias Permission = CKShare.ParticipantPermission
    public typealias Role = CKShare.ParticipantRole

    @available(macOS, deprecated: 10.14)
    @available(iOS, deprecated: 12.0)
    @available(tvOS, deprecated: 12.0)
    @available(watchOS, deprecated: 5.0)
    @available(visionOS, deprecated: 1.0)
    public typealias ParticipantType = CKShare.ParticipantType
}

// MARK: - Sendable

// The headers name the systems in which these classes became Sendable.
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKAsset: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKFetchRecordZoneChangesOperation.ZoneConfiguration: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKNotification.ID: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKOperation.Configuration: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKOperationGroup: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKQuery: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKQueryOperation.Cursor: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKRecord: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKRecordZone: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKRecordZone.ID: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKShare.Metadata: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKShare.Participant: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKSubscription: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKSubscription.NotificationInfo: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKUserIdentity: @unchecked Sendable {}
@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension CKUserIdentityLookupInfo: @unchecked Sendable {}

// MARK: - Values

@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 3.0, visionOS 1.0, *)
public protocol CKRecordValueProtocol {}

extension String: CKRecordValueProtocol {}
extension Date: CKRecordValueProtocol {}
extension Data: CKRecordValueProtocol {}
extension Bool: CKRecordValueProtocol {}
extension Double: CKRecordValueProtocol {}
extension Float: CKRecordValueProtocol {}
extension Int: CKRecordValueProtocol {}
extension Int8: CKRecordValueProtocol {}
extension Int16: CKRecordValueProtocol {}
extension Int32: CKRecordValueProtocol {}
extension Int64: CKRecordValueProtocol {}
extension UInt: CKRecordValueProtocol {}
extension UInt8: CKRecordValueProtocol {}
extension UInt16: CKRecordValueProtocol {}
extension UInt32: CKRecordValueProtocol {}
extension UInt64: CKRecordValueProtocol {}
extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {}
extension NSString: CKRecordValueProtocol {}
extension NSDate: CKRecordValueProtocol {}
extension NSData: CKRecordValueProtocol {}
extension NSNumber: CKRecordValueProtocol {}
extension NSArray: CKRecordValueProtocol {}
extension CKRecord.Reference: CKRecordValueProtocol {}
extension CKAsset: CKRecordValueProtocol {}
extension CLLocation: CKRecordValueProtocol {}

@available(macOS 10.11, iOS 9.0, tvOS 9.0, watchOS 3.0, visionOS 1.0, *)
extension CKRecordKeyValueSetting {
    @nonobjc public subscript<T>(key: CKRecord.FieldKey) -> T? where T: CKRecordValueProtocol {
        get { fatalError() }
        set {}
    }

    @nonobjc public subscript(key: CKRecord.FieldKey) -> (any CKRecordValueProtocol)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 10.10, iOS 8.0, tvOS 9.0, watchOS 3.0, visionOS 1.0, *)
public struct CKRecordKeyValueIterator: IteratorProtocol {
    public mutating func next() -> (CKRecord.FieldKey, any CKRecordValueProtocol)? { fatalError() }
}

@available(*, unavailable)
extension CKRecordKeyValueIterator: Sendable {}

extension CKRecord: Sequence {
    @nonobjc public func makeIterator() -> CKRecordKeyValueIterator { fatalError() }
}

// MARK: - Initialisers with default arguments

extension CKRecord {
    @nonobjc public convenience init(
        recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()
    ) {
        self.init(__recordType: recordType, recordID: recordID)
    }

    @available(
        swift, deprecated: 4.2, message: "Use init(recordType:recordID:) with CKRecord.ID(zoneID:)"
    )
    @nonobjc public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
        self.init(__recordType: recordType, zoneID: zoneID)
    }
}

extension CKRecord.ID {
    @nonobjc public convenience init(
        recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default
    ) {
        self.init(__recordName: recordName, zoneID: zoneID)
    }
}

extension CKRecordZone.ID {
    @nonobjc public static let `default`: CKRecordZone.ID = CKRecordZone.ID()
    @nonobjc public static let defaultZoneName: String = ""

    @nonobjc public convenience init(
        zoneName: String = CKRecordZone.ID.defaultZoneName,
        ownerName: String = CKCurrentUserDefaultName
    ) {
        self.init(__zoneName: zoneName, ownerName: ownerName)
    }

    @available(macOS, deprecated: 10.12)
    @available(iOS, deprecated: 10.0)
    @available(tvOS, deprecated: 10.0)
    @available(watchOS, deprecated: 3.0)
    @available(visionOS, deprecated: 1.0)
    @_disfavoredOverload
    @nonobjc public convenience init(
        zoneName: String = CKRecordZone.ID.defaultZoneName, ownerName: String? = CKOwnerDefaultName
    ) {
        self.init(__zoneName: zoneName, ownerName: "")
    }
}

extension CKModifyRecordsOperation {
    @nonobjc public convenience init(
        recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil
    ) {
        self.init(__recordsToSave: recordsToSave, recordIDsToDelete: recordIDsToDelete)
    }
}

extension CKModifyRecordZonesOperation {
    @nonobjc public convenience init(
        recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil
    ) {
        self.init(
            __recordZonesToSave: recordZonesToSave, recordZoneIDsToDelete: recordZoneIDsToDelete)
    }
}

extension CKModifySubscriptionsOperation {
    @nonobjc public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil,
        subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init(
            __subscriptionsToSave: subscriptionsToSave,
            subscriptionIDsToDelete: subscriptionIDsToDelete)
    }
}

extension CKFetchRecordZoneChangesOperation.ZoneConfiguration {
    @nonobjc public convenience init(
        previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil
    ) {
        self.init()
    }
}

extension CKFetchRecordZoneChangesOperation {
    @nonobjc public convenience init(
        recordZoneIDs: [CKRecordZone.ID]? = nil,
        configurationsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation
            .ZoneConfiguration]? = nil
    ) {
        self.init()
    }

    @available(macOS, deprecated: 10.14)
    @available(iOS, deprecated: 12.0)
    @available(tvOS, deprecated: 12.0)
    @available(watchOS, deprecated: 5.0)
    @available(visionOS, deprecated: 1.0)
    @_disfavoredOverload
    @nonobjc public convenience init(
        recordZoneIDs: [CKRecordZone.ID],
        optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions]? =
            nil
    ) {
        self.init()
    }
}

extension CKQuerySubscription {
    @nonobjc public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
        options querySubscriptionOptions: CKQuerySubscription.Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(
            __recordType: recordType, predicate: predicate, subscriptionID: subscriptionID,
            options: querySubscriptionOptions)
    }

    @available(macOS, deprecated: 10.12)
    @available(iOS, deprecated: 10.0)
    @available(tvOS, deprecated: 10.0)
    @available(watchOS, deprecated: 6.0)
    @available(visionOS, deprecated: 1.0)
    @nonobjc public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        options querySubscriptionOptions: CKQuerySubscription.Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(__recordType: recordType, predicate: predicate, options: querySubscriptionOptions)
    }

    @nonobjc public var recordType: CKRecord.RecordType? { fatalError() }
}

extension CKSubscription.NotificationInfo {
    @nonobjc public convenience init(
        alertBody: String? = nil, alertLocalizationKey: String? = nil,
        alertLocalizationArgs: [CKRecord.FieldKey] = [], title: String? = nil,
        titleLocalizationKey: String? = nil,
        titleLocalizationArgs: [CKRecord.FieldKey] = [], subtitle: String? = nil,
        subtitleLocalizationKey: String? = nil, subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
        alertActionLocalizationKey: String? = nil, alertLaunchImage: String? = nil,
        soundName: String? = nil,
        desiredKeys: [CKRecord.FieldKey] = [], shouldBadge: Bool = false,
        shouldSendContentAvailable: Bool = false,
        shouldSendMutableContent: Bool = false, category: String? = nil,
        collapseIDKey: String? = nil
    ) {
        self.init()
    }
}

// MARK: - Errors

extension CKError {
    public var partialErrorsByItemID: [AnyHashable: any Error]? { fatalError() }
    public var ancestorRecord: CKRecord? { fatalError() }
    public var serverRecord: CKRecord? { fatalError() }
    public var clientRecord: CKRecord? { fatalError() }
    public var retryAfterSeconds: Double? { fatalError() }
}

// MARK: - Results of operations

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKModifyRecordsOperation {
    @nonobjc public var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
    @nonobjc public var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
    @nonobjc public var modifyRecordsResultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKFetchRecordsOperation {
    @nonobjc public var perRecordResultBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var fetchRecordsResultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKQueryOperation {
    @nonobjc public var recordMatchedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
    @nonobjc public var queryResultBlock: ((Result<CKQueryOperation.Cursor?, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKModifyRecordZonesOperation {
    @nonobjc public var perRecordZoneSaveBlock:
        ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var perRecordZoneDeleteBlock:
        ((CKRecordZone.ID, Result<Void, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var modifyRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKFetchRecordZonesOperation {
    @nonobjc public var perRecordZoneResultBlock:
        ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var fetchRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKModifySubscriptionsOperation {
    @nonobjc public var perSubscriptionSaveBlock:
        ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var perSubscriptionDeleteBlock:
        ((CKSubscription.ID, Result<Void, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var modifySubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKFetchSubscriptionsOperation {
    @nonobjc public var perSubscriptionResultBlock:
        ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var fetchSubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKFetchDatabaseChangesOperation {
    @nonobjc public var fetchDatabaseChangesResultBlock:
        ((Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKFetchRecordZoneChangesOperation {
    @nonobjc public var recordWasChangedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var recordZoneFetchResultBlock:
        (
            (
                CKRecordZone.ID,
                Result<
                    (
                        serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
        )?
    {
        get { fatalError() }
        set {}
    }
    @nonobjc public var fetchRecordZoneChangesResultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fatalError() }
        set {}
    }
}

// MARK: - The container

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKContainer {
    @discardableResult @nonobjc public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKContainer) throws -> R
    ) rethrows -> R { fatalError() }

    @discardableResult @nonobjc public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKContainer) async throws -> R
    ) async rethrows -> R { fatalError() }

    @nonobjc public func accept(_ metadata: CKShare.Metadata) async throws -> CKShare {
        fatalError()
    }
    @nonobjc public func accept(
        _ metadatas: [CKShare.Metadata]
    ) async throws -> [CKShare.Metadata: Result<CKShare, any Error>] { fatalError() }

    @nonobjc public func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        fatalError()
    }
    @nonobjc public func shareParticipant(forEmailAddress emailAddress: String) async throws
        -> CKShare.Participant
    {
        fatalError()
    }
    @nonobjc public func shareParticipant(forPhoneNumber phoneNumber: String) async throws
        -> CKShare.Participant
    {
        fatalError()
    }
    @nonobjc public func shareParticipant(forUserRecordID userRecordID: CKRecord.ID) async throws
        -> CKShare.Participant
    {
        fatalError()
    }

    @nonobjc public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
        fatalError()
    }
    @nonobjc public func longLivedOperation(for operationID: CKOperation.ID) async throws
        -> CKOperation?
    {
        fatalError()
    }
}

// MARK: - The database

extension CKDatabase {
    @preconcurrency @nonobjc public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (CKSubscription?, (any Error)?) -> Void
    ) {}

    @preconcurrency @nonobjc public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {}
}

@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension CKDatabase {
    public enum DatabaseChange {
        public struct Modification: Hashable, Sendable {
            public let zoneID: CKRecordZone.ID
        }

        public struct Deletion: Hashable, Sendable {
            @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
            public enum Reason: Hashable, Sendable {
                case deleted
                case purged
                case encryptedDataReset
            }

            public let zoneID: CKRecordZone.ID
            @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
            public var reason: CKDatabase.DatabaseChange.Deletion.Reason { fatalError() }
        }
    }

    public enum RecordZoneChange {
        public struct Modification: Hashable, Sendable {
            public let record: CKRecord
        }

        public struct Deletion: Hashable, Sendable {
            public let recordID: CKRecord.ID
            public let recordType: CKRecord.RecordType
        }
    }

    @discardableResult @nonobjc public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) throws -> R
    ) rethrows -> R { fatalError() }

    @discardableResult @nonobjc public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) async throws -> R
    ) async rethrows -> R { fatalError() }

    // Records.

    @nonobjc public func record(for recordID: CKRecord.ID) async throws -> CKRecord { fatalError() }
    @nonobjc public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] { fatalError() }
    @discardableResult @nonobjc public func save(_ record: CKRecord) async throws -> CKRecord {
        fatalError()
    }
    @discardableResult @nonobjc public func deleteRecord(withID recordID: CKRecord.ID) async throws
        -> CKRecord.ID
    {
        fatalError()
    }
    @discardableResult @nonobjc public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
        deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) { fatalError() }

    // Queries.

    @nonobjc public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) { fatalError() }
    @nonobjc public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) { fatalError() }

    @available(macOS, deprecated: 12.0)
    @available(iOS, deprecated: 15.0)
    @available(tvOS, deprecated: 15.0)
    @available(watchOS, deprecated: 8.0)
    @available(visionOS, deprecated: 1.0)
    @nonobjc public func records(matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?)
        async throws
        -> [CKRecord]
    { fatalError() }

    // Record zones.

    @nonobjc public func recordZone(for recordZoneID: CKRecordZone.ID) async throws -> CKRecordZone
    { fatalError() }
    @nonobjc public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] { fatalError() }
    @nonobjc public func allRecordZones() async throws -> [CKRecordZone] { fatalError() }
    @discardableResult @nonobjc public func save(_ recordZone: CKRecordZone) async throws
        -> CKRecordZone
    {
        fatalError()
    }
    @discardableResult @nonobjc public func deleteRecordZone(
        withID recordZoneID: CKRecordZone.ID
    ) async throws -> CKRecordZone.ID { fatalError() }
    @discardableResult @nonobjc public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) { fatalError() }

    // Changes.

    @nonobjc public func databaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> (
        modifications: [CKDatabase.DatabaseChange.Modification],
        deletions: [CKDatabase.DatabaseChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    ) { fatalError() }
    @nonobjc public func recordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
    ) async throws -> (
        modificationResultsByID: [CKRecord.ID: Result<
            CKDatabase.RecordZoneChange.Modification, any Error
        >],
        deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
        moreComing: Bool
    ) { fatalError() }

    // Subscriptions.

    @nonobjc public func subscription(for subscriptionID: CKSubscription.ID) async throws
        -> CKSubscription
    {
        fatalError()
    }
    @nonobjc public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] { fatalError() }
    @nonobjc public func allSubscriptions() async throws -> [CKSubscription] { fatalError() }
    @discardableResult @nonobjc public func save(_ subscription: CKSubscription) async throws
        -> CKSubscription
    {
        fatalError()
    }
    @discardableResult @nonobjc public func deleteSubscription(
        withID subscriptionID: CKSubscription.ID
    ) async throws -> CKSubscription.ID { fatalError() }
    @discardableResult @nonobjc public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription],
        deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) { fatalError() }
}

// MARK: - The sync engine, as far as it has a name

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public final class CKSyncEngine: Sendable {
    public var database: CKDatabase { fatalError() }
    public func cancelOperations() async {}

    init() {}
}
