import CloudKitWebServices
import Foundation

/// A service that measures the time of its responses.
public final class TimedService: CloudKitService, @unchecked Sendable {
    // Unchecked because the times are behind a lock.

    private let service: any CloudKitService
    private let clock: @Sendable () -> Double
    private let lock = NSLock()
    private var times: [Double] = []

    /// Creates a service that passes requests on.
    ///
    /// - Parameters:
    ///   - service: What answers the requests.
    ///   - clock: The present time in seconds. If it is the process's time on a CPU, nearly all of a time is
    ///     the service's, because the caller waits for the response.
    public init(_ service: any CloudKitService, clock: @escaping @Sendable () -> Double) {
        self.service = service
        self.clock = clock
    }

    /// The times of all responses so far, in seconds.
    public var answerTimes: [Double] { lock.withLock { times } }

    /// Their sum.
    public var answerTime: Double { answerTimes.reduce(0, +) }

    private func timed<Answer>(
        _ answer: () async throws(CloudKitServiceError) -> Answer
    ) async throws(CloudKitServiceError) -> Answer {
        let start = clock()
        defer {
            let end = clock()
            lock.withLock { times.append(end - start) }
        }
        return try await answer()
    }

    /// `records/modify`
    public func modifyRecords(
        _ request: ModifyRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.modifyRecords(request, in: context)
        }
    }

    /// `records/lookup`
    public func lookUpRecords(
        _ request: LookUpRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> LookUpRecordsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.lookUpRecords(request, in: context)
        }
    }

    /// `records/query`
    public func queryRecords(
        _ request: QueryRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> QueryRecordsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.queryRecords(request, in: context)
        }
    }

    /// `changes/zone`
    public func fetchZoneChanges(
        _ request: ZoneChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZoneChangesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.fetchZoneChanges(request, in: context)
        }
    }

    /// `changes/database`
    public func fetchDatabaseChanges(
        _ request: DatabaseChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> DatabaseChangesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.fetchDatabaseChanges(request, in: context)
        }
    }

    /// `zones/list`
    public func listZones(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.listZones(in: context)
        }
    }

    /// `zones/lookup`
    public func lookUpZones(
        _ request: LookUpZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.lookUpZones(request, in: context)
        }
    }

    /// `zones/modify`
    public func modifyZones(
        _ request: ModifyZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.modifyZones(request, in: context)
        }
    }

    /// `subscriptions/list`
    public func listSubscriptions(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.listSubscriptions(in: context)
        }
    }

    /// `subscriptions/lookup`
    public func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.lookUpSubscriptions(request, in: context)
        }
    }

    /// `subscriptions/modify`
    public func modifySubscriptions(
        _ request: ModifySubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.modifySubscriptions(request, in: context)
        }
    }

    /// `users/caller`
    public func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary {
        try await timed { () throws(CloudKitServiceError) in
            try await service.fetchCaller(in: context)
        }
    }

    /// `assets/upload`
    public func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await service.requestAssetUploads(request, in: context)
        }
    }

    /// Uploads the bytes of an asset.
    public func uploadAsset(
        from file: URL, to token: AssetUploadToken, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetDictionary {
        try await timed { () throws(CloudKitServiceError) in
            try await service.uploadAsset(from: file, to: token, in: context)
        }
    }

    /// Downloads the bytes of an asset.
    public func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await timed { () throws(CloudKitServiceError) in
            try await service.downloadAsset(asset, to: file, in: context)
        }
    }

    /// The status of the calling device's account.
    public func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus {
        try await timed { () throws(CloudKitServiceError) in
            try await service.accountStatus(in: context)
        }
    }

    /// The changes of the account, which are not measured.
    public func accountChanges(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<Void> {
        try await service.accountChanges(in: context)
    }

    /// The pushes, which are not measured.
    public func pushes(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AsyncStream<PushPayload> {
        try await service.pushes(in: context)
    }
}
