import CloudKitService
import Foundation
import LocalCloud
import Measurement

/// A local cloud that measures the CPU time of its responses.
///
/// The caller waits for the response, so that nearly all work of the process in the meantime is the
/// cloud's.
final class TimedCloud: CloudKitService, @unchecked Sendable {
    // Unchecked because the time is behind a lock.

    let cloud: LocalCloud
    private let lock = NSLock()
    private var time = 0.0

    init(_ cloud: LocalCloud) {
        self.cloud = cloud
    }

    /// The CPU time of all responses so far, in seconds.
    var answerTime: Double { lock.withLock { time } }

    private func timed<Answer>(
        _ answer: () async throws(CloudKitServiceError) -> Answer
    ) async throws(CloudKitServiceError) -> Answer {
        let start = processorTime()
        defer {
            let end = processorTime()
            lock.withLock { time += end - start }
        }
        return try await answer()
    }

    func modifyRecords(
        _ request: ModifyRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.modifyRecords(request, in: context)
        }
    }

    func lookUpRecords(
        _ request: LookUpRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> LookUpRecordsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.lookUpRecords(request, in: context)
        }
    }

    func queryRecords(
        _ request: QueryRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> QueryRecordsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.queryRecords(request, in: context)
        }
    }

    func fetchZoneChanges(
        _ request: ZoneChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZoneChangesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.fetchZoneChanges(request, in: context)
        }
    }

    func fetchDatabaseChanges(
        _ request: DatabaseChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> DatabaseChangesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.fetchDatabaseChanges(request, in: context)
        }
    }

    func listZones(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await timed { () throws(CloudKitServiceError) in try await cloud.listZones(in: context)
        }
    }

    func lookUpZones(
        _ request: LookUpZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.lookUpZones(request, in: context)
        }
    }

    func modifyZones(
        _ request: ModifyZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.modifyZones(request, in: context)
        }
    }

    func listSubscriptions(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.listSubscriptions(in: context)
        }
    }

    func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.lookUpSubscriptions(request, in: context)
        }
    }

    func modifySubscriptions(
        _ request: ModifySubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.modifySubscriptions(request, in: context)
        }
    }

    func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.fetchCaller(in: context)
        }
    }

    func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.requestAssetUploads(request, in: context)
        }
    }

    func uploadAsset(
        from file: URL, to token: AssetUploadToken, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetDictionary {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.uploadAsset(from: file, to: token, in: context)
        }
    }

    func downloadAsset(
        _ asset: AssetDictionary, to file: URL, in context: RequestContext
    ) async throws(CloudKitServiceError) {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.downloadAsset(asset, to: file, in: context)
        }
    }

    func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus {
        try await timed { () throws(CloudKitServiceError) in
            try await cloud.accountStatus(in: context)
        }
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
}
