import Foundation

/// The service behind every `CKContainer`: the requests of CloudKit Web Services.
///
/// A conforming type sends these requests to a CloudKit server. `LocalCloud` answers them in the
/// process; an HTTP implementation would post their JSON. Request and response types encode to the
/// JSON that Apple documents for the endpoint named at each method. Additions that Apple's native
/// API needs and the web protocol lacks are marked "Extension" where they are declared.
///
/// A request that fails as a whole throws a ``CloudKitServiceError``. The failure of a single
/// record, zone or subscription is an ``ItemResult/failure(_:)`` in the response, and nothing is
/// thrown.
public protocol CloudKitService: Sendable {
    /// Creates, changes and deletes records of one zone: `records/modify`.
    ///
    /// The results are in the order of the request's operations. The response is sent after the
    /// server's commit.
    func modifyRecords(
        _ request: ModifyRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse

    /// Fetches records of one zone by name: `records/lookup`.
    ///
    /// The results are in the order of the request; a missing record is a `NOT_FOUND` failure.
    func lookUpRecords(
        _ request: LookUpRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> LookUpRecordsResponse

    /// Finds the records that match a query, a page at a time: `records/query`.
    func queryRecords(
        _ request: QueryRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> QueryRecordsResponse

    /// Fetches one page of the changes of each named zone: `changes/zone`.
    func fetchZoneChanges(
        _ request: ZoneChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZoneChangesResponse

    /// Fetches one page of the zones that changed: `changes/database`.
    func fetchDatabaseChanges(
        _ request: DatabaseChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> DatabaseChangesResponse

    /// Fetches every zone of the database: `zones/list`.
    func listZones(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse

    /// Fetches zones by ID: `zones/lookup`.
    func lookUpZones(
        _ request: LookUpZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse

    /// Creates and deletes zones: `zones/modify`.
    func modifyZones(
        _ request: ModifyZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse

    /// Fetches every subscription of the user in the database: `subscriptions/list`.
    func listSubscriptions(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse

    /// Fetches subscriptions by ID: `subscriptions/lookup`.
    func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse

    /// Creates, replaces and deletes subscriptions: `subscriptions/modify`.
    func modifySubscriptions(
        _ request: ModifySubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse

    /// Returns the user who makes the request: `users/caller`.
    func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary

    /// Requests upload URLs for assets: `assets/upload`.
    func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse

    /// Uploads the bytes of a local file to a URL from ``requestAssetUploads(_:in:)``.
    ///
    /// - Returns: The value for the asset field of a record, with the server's receipt.
    /// - Throws: `ASSET_FILE_NOT_FOUND` if there is no file, `ASSET_NOT_AVAILABLE` if it cannot be
    ///   read, `ASSET_FILE_MODIFIED` if it changed during the upload.
    func uploadAsset(
        from file: URL, to token: AssetUploadToken, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetDictionary

    /// Downloads the bytes of an asset to a local file, which must not exist yet.
    ///
    /// - Parameters:
    ///   - asset: The value of an asset field, as a fetch returned it.
    ///   - file: Where to write the bytes.
    ///   - context: The caller.
    func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError)

    /// Extension: opens the file with an asset's bytes for reading, and tells its size.
    ///
    /// The file stays readable until it is closed, whatever happens to the asset. By default the asset
    /// is downloaded to a temporary file.
    func openAsset(
        _ asset: AssetDictionary, in context: RequestContext
    ) async throws(CloudKitServiceError) -> (file: FileHandle, size: Int64)

    /// Extension: the status of the calling device's account. A missing account does not throw.
    func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus

    /// Extension: an element each time the account of the calling device changes.
    ///
    /// Changes made after this method returns are never missed; several may arrive as one element.
    func accountChanges(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<Void>

    /// Registers the calling device for pushes and delivers them: combines `tokens/create`,
    /// `tokens/register` and the web courier.
    ///
    /// The stream contains the pushes of the device's container that result from changes of other
    /// devices, in order, for all databases. Changes that are committed after this method returns
    /// are not missed. Ending the iteration ends the registration.
    func pushes(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<PushPayload>
}
