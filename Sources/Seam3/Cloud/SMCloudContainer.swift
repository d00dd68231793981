import CloudKit
import CoreData

/// What a store syncs with: a CloudKit container, or something that behaves like one.
///
/// `CKContainer` conforms, and is what apps use. `LocalContainer` of the product `Seam3Testing` uses a server
/// inside the process, on every platform, for tests. Pass either to a store with
/// ``SMStore/SMStoreContainerOption``.
///
/// A container that is not a `CKContainer` must post `CKAccountChanged` with itself as the object when
/// somebody has signed in or out.
public protocol SMCloudContainer: AnyObject, Sendable {
    /// The container's identifier, such as `iCloud.org.example.Clocks`, by which a store notices that its file was synced
    /// with another one; nil, the default, if the container has none.
    var cloudIdentifier: String? { get }

    /// Whether there is a usable account. A missing account is not an error.
    func accountStatus() async throws -> CKAccountStatus

    /// The ID of the signed-in user's record.
    ///
    /// - Throws: `CKError`, with the code `notAuthenticated` if nobody is signed in.
    func userRecordID() async throws -> CKRecord.ID

    /// A zone of the user's private database, whether it exists or not.
    ///
    /// - Parameters:
    ///   - zoneID: The zone.
    ///   - qualityOfService: Called before each request for its quality of service.
    func zone(
        _ zoneID: CKRecordZone.ID,
        qualityOfService: @escaping @Sendable () -> QualityOfService
    ) -> any SMCloudZone
}

/// A zone in the user's private database: the requests that a store makes.
///
/// Every method throws a `CKError` if its request fails as a whole. Canceling the task cancels the request.
public protocol SMCloudZone: Sendable {
    /// The zone's ID.
    var zoneID: CKRecordZone.ID { get }

    /// Creates the zone, unless it exists.
    func createZone() async throws

    /// Whether the zone exists.
    func zoneExists() async throws -> Bool

    /// Deletes the zone with all its records. A zone that does not exist is not an error. The default implementation
    /// throws `CKError.Code.serviceUnavailable`.
    func deleteZone() async throws

    /// Subscribes to silent pushes for changes that other devices make to the zone.
    ///
    /// - Parameter id: The name of the subscription, which replaces one with the same name.
    func subscribe(id: CKSubscription.ID) async throws

    /// Fetches one page of changes of the database's zones since a token.
    ///
    /// - Parameter token: The token of the page before; nil to begin.
    /// - Throws: `changeTokenExpired` for a token that is too old or not one of this container.
    func databaseChanges(since token: Data?) async throws -> SMCloudDatabaseChanges

    /// Fetches one page of changes of the zone's records since a token.
    ///
    /// - Parameters:
    ///   - token: The token of the page before; nil to begin.
    ///   - limit: The maximum number of records in the page.
    /// - Throws: `changeTokenExpired` for a token that is too old or not one of this container.
    func changes(since token: Data?, limit: Int) async throws -> SMCloudZoneChanges

    /// Saves and deletes records, all of them or none. For a saved record only the changed keys are sent, and
    /// only if the server has the version that the record is based on.
    ///
    /// If a record is at fault, it has an error of its own, and all others have `batchRequestFailed`. Nothing is saved
    /// then.
    ///
    /// - Parameters:
    ///   - records: The records to save.
    ///   - ids: The IDs of the records to delete. A missing record is not an error.
    ///   - clientToken: Data that the zone keeps if the request is carried out, and returns in
    ///     ``SMCloudZoneChanges/clientToken``; see `CKModifyRecordsOperation.clientChangeTokenData`. It is
    ///     different for each request. With nil, the zone keeps the data that it has.
    func modify(
        saving records: [SMCloudRecord], deleting ids: [CKRecord.ID], clientToken: Data?
    ) async throws -> SMCloudModifications

    /// Fetches records with their assets, each independently.
    ///
    /// - Parameter ids: The records.
    /// - Returns: Each record or its error: `unknownItem` if it does not exist, `assetNotAvailable` if only
    ///   the bytes of an asset are missing.
    func records(
        _ ids: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>]

    /// Fetches some fields of records, each independently, without the assets of other fields. The default
    /// implementation fetches the complete records.
    ///
    /// - Parameters:
    ///   - ids: The records.
    ///   - fields: The fields. A record lacks those that it has no value for.
    /// - Returns: Each record or its error.
    func records(
        _ ids: [CKRecord.ID], fields: [CKRecord.FieldKey]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>]
}

extension SMCloudContainer {
    /// No identifier.
    public var cloudIdentifier: String? { nil }
}

extension SMCloudZone {
    /// Throws `CKError.Code.serviceUnavailable`.
    public func deleteZone() async throws { throw CKError(.serviceUnavailable) }

    /// Saves and deletes records without a client token.
    ///
    /// - Parameters:
    ///   - records: The records to save.
    ///   - ids: The IDs of the records to delete. A missing record is not an error.
    public func modify(
        saving records: [SMCloudRecord], deleting ids: [CKRecord.ID]
    ) async throws -> SMCloudModifications {
        try await modify(saving: records, deleting: ids, clientToken: nil)
    }

    /// Fetches complete records.
    ///
    /// - Parameters:
    ///   - ids: The records.
    ///   - fields: The fields that the caller needs.
    /// - Returns: Each record or its error.
    public func records(
        _ ids: [CKRecord.ID], fields: [CKRecord.FieldKey]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
        try await records(ids)
    }
}

extension CKContainer: SMCloudContainer {
    /// The same as `containerIdentifier`.
    public var cloudIdentifier: String? { containerIdentifier }

    /// A zone of the private database, accessed through CloudKit's operations.
    ///
    /// - Parameters:
    ///   - zoneID: The zone.
    ///   - qualityOfService: Called before each operation for its quality of service.
    public func zone(
        _ zoneID: CKRecordZone.ID,
        qualityOfService: @escaping @Sendable () -> QualityOfService
    ) -> any SMCloudZone {
        ContainerZone(self, zoneID, qualityOfService: qualityOfService)
    }
}
