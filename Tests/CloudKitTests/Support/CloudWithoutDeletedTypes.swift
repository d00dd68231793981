import CloudKit
import CloudKitService
import LocalCloud

/// A local cloud that reports deletions without the record's type, as a web service may.
struct CloudWithoutDeletedTypes: CloudKitService {
    let cloud: LocalCloud

    func fetchZoneChanges(
        _ request: ZoneChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZoneChangesResponse {
        var response = try await cloud.fetchZoneChanges(request, in: context)
        response.zones = response.zones.map { item in
            guard case .success(var zone) = item else { return item }
            for index in zone.records.indices where zone.records[index].deleted == true {
                zone.records[index].recordType = nil
            }
            return .success(zone)
        }
        return response
    }

    // MARK: - Passed through

    func modifyRecords(
        _ request: ModifyRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse {
        try await cloud.modifyRecords(request, in: context)
    }

    func lookUpRecords(
        _ request: LookUpRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> LookUpRecordsResponse {
        try await cloud.lookUpRecords(request, in: context)
    }

    func queryRecords(
        _ request: QueryRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> QueryRecordsResponse {
        try await cloud.queryRecords(request, in: context)
    }

    func fetchDatabaseChanges(
        _ request: DatabaseChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> DatabaseChangesResponse {
        try await cloud.fetchDatabaseChanges(request, in: context)
    }

    func listZones(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await cloud.listZones(in: context)
    }

    func lookUpZones(
        _ request: LookUpZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await cloud.lookUpZones(request, in: context)
    }

    func modifyZones(
        _ request: ModifyZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await cloud.modifyZones(request, in: context)
    }

    func listSubscriptions(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await cloud.listSubscriptions(in: context)
    }

    func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await cloud.lookUpSubscriptions(request, in: context)
    }

    func modifySubscriptions(
        _ request: ModifySubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await cloud.modifySubscriptions(request, in: context)
    }

    func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary {
        try await cloud.fetchCaller(in: context)
    }

    func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse {
        try await cloud.requestAssetUploads(request, in: context)
    }

    func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus {
        try await cloud.accountStatus(in: context)
    }

    func accountChanges(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<Void> {
        try await cloud.accountChanges(in: context)
    }

    func pushes(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<PushPayload> {
        try await cloud.pushes(in: context)
    }

    func uploadAsset(
        from file: URL, to token: AssetUploadToken, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetDictionary {
        try await cloud.uploadAsset(from: file, to: token, in: context)
    }

    func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await cloud.downloadAsset(asset, to: file, in: context)
    }
}
