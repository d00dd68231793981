import CloudKit
import CoreData

/// Where a store synchronises: a container of CloudKit, or something else that answers as one does.
///
/// `CKContainer` conforms, and is what applications use. `LocalContainer` of the product
/// `Seam3Testing` stands on a server within the process, on every platform, for tests. Give the store
/// either with ``SMStore/SMStoreContainerOption``.
///
/// A container that is not a `CKContainer` posts `CKAccountChanged` with itself as the object when
/// somebody has signed in or out.
public protocol SMCloudContainer: AnyObject, Sendable {
    /// Whether there is an account that can be used. A missing account is no error.
    func accountStatus() async throws -> CKAccountStatus

    /// The ID of the signed-in user's record.
    ///
    /// - Throws: `CKError`, with the code `notAuthenticated` if nobody is signed in.
    func userRecordID() async throws -> CKRecord.ID

    /// A zone of the user's private database, whether it exists or not.
    ///
    /// - Parameters:
    ///   - zoneID: The zone.
    ///   - qualityOfService: Asked before each request how urgent it is.
    func zone(
        _ zoneID: CKRecordZone.ID,
        qualityOfService: @escaping @Sendable () -> QualityOfService
    ) -> any SMCloudZone
}

/// A zone in the user's private database: the requests that a store makes.
///
/// Every method throws a `CKError` if its request fails as a whole. A task that is cancelled cancels its
/// request.
public protocol SMCloudZone: Sendable {
    /// The zone's ID.
    var zoneID: CKRecordZone.ID { get }

    /// Creates the zone; one that exists stays as it is.
    func createZone() async throws

    /// Whether the zone is there.
    func zoneExists() async throws -> Bool

    /// Asks for a silent push whenever another device changes the zone.
    ///
    /// - Parameter id: The name of the subscription, which replaces one of the same name.
    func subscribe(id: CKSubscription.ID) async throws

    /// What has happened to the zones of the database since a token; one page.
    ///
    /// - Parameter token: The token of the page before; nil to begin.
    /// - Throws: `changeTokenExpired` for a token that is too old or not one of this container.
    func databaseChanges(since token: Data?) async throws -> SMCloudDatabaseChanges

    /// What has happened to the records of the zone since a token; one page.
    ///
    /// - Parameters:
    ///   - token: The token of the page before; nil to begin.
    ///   - limit: How many records the page has at most.
    /// - Throws: `changeTokenExpired` for a token that is too old or not one of this container.
    func changes(since token: Data?, limit: Int) async throws -> SMCloudZoneChanges

    /// Saves and deletes records, each on its own. Of a saved record only the keys that were changed
    /// are sent, and only if the server has the version that the record is based on.
    ///
    /// - Parameters:
    ///   - records: The records to save.
    ///   - ids: The IDs of the records to delete. One that does not exist is no error.
    func modify(
        saving records: [SMCloudRecord], deleting ids: [CKRecord.ID]
    ) async throws -> SMCloudModifications

    /// Fetches records with their assets, each on its own.
    ///
    /// - Parameter ids: The records.
    /// - Returns: Each record or its error: `unknownItem` if there is none, `assetNotAvailable` if only
    ///   the bytes of an asset are gone.
    func records(
        _ ids: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>]
}

extension CKContainer: SMCloudContainer {
    /// A zone of the private database, spoken to through CloudKit's operations.
    ///
    /// - Parameters:
    ///   - zoneID: The zone.
    ///   - qualityOfService: Asked before each operation how urgent it is.
    public func zone(
        _ zoneID: CKRecordZone.ID,
        qualityOfService: @escaping @Sendable () -> QualityOfService
    ) -> any SMCloudZone {
        ContainerZone(self, zoneID, qualityOfService: qualityOfService)
    }
}
