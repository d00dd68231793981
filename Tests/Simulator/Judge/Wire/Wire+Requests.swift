import CloudKit
import CloudKitService
import Foundation
import LocalCloud

/// The requests that contain no records of the devices.
extension Wire {
    func lookUpRecords(
        _ request: LookUpRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> LookUpRecordsResponse {
        let response = try await carry(.lookUpRecords, context) {
            () throws(CloudKitServiceError) in try await cloud.lookUpRecords(request, in: context)
        }
        if response.interruption != nil { noteFault(of: context.device) }
        learn(response.records.compactMap(\.item))
        receive(response.records.compactMap(\.item), own: false, context)
        return response
    }

    func queryRecords(
        _ request: QueryRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> QueryRecordsResponse {
        try await carry(.queryRecords, context) { () throws(CloudKitServiceError) in
            try await cloud.queryRecords(request, in: context)
        }
    }

    func fetchZoneChanges(
        _ request: ZoneChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZoneChangesResponse {
        let response = try await carry(.fetchZoneChanges, context) {
            () throws(CloudKitServiceError) in
            if let late = lateAnswer(to: request, context) { return late }
            let response = try await cloud.fetchZoneChanges(request, in: context)
            await noteEnd(response)
            return response
        }
        noteZones(response, context)
        learn(response.zones.compactMap(\.item).flatMap(\.records))
        receive(response.zones.compactMap(\.item).flatMap(\.records), own: false, context)
        return response
    }

    private func noteZones(_ response: ZoneChangesResponse, _ context: RequestContext) {
        if response.interruption != nil || response.zones.contains(where: { $0.error != nil }) {
            noteFault(of: context.device)
        }
        if response.zones.contains(where: { $0.error?.serverErrorCode == .changeTokenExpired }) {
            lock.withLock { counts[context.device, default: Counts()].hadExpiredToken = true }
        }
        let pages = response.zones.filter { $0.item?.moreComing == true }.count
        if pages > 0 {
            lock.withLock { counts[context.device, default: Counts()].pages += pages }
        }
    }

    func fetchDatabaseChanges(
        _ request: DatabaseChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> DatabaseChangesResponse {
        try await carry(.fetchDatabaseChanges, context) { () throws(CloudKitServiceError) in
            try await cloud.fetchDatabaseChanges(request, in: context)
        }
    }

    func listZones(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await carry(.listZones, context) { () throws(CloudKitServiceError) in
            try await cloud.listZones(in: context)
        }
    }

    func lookUpZones(
        _ request: LookUpZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await carry(.lookUpZones, context) { () throws(CloudKitServiceError) in
            try await cloud.lookUpZones(request, in: context)
        }
    }

    func modifyZones(
        _ request: ModifyZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await carry(.modifyZones, context) { () throws(CloudKitServiceError) in
            try await cloud.modifyZones(request, in: context)
        }
    }

    func listSubscriptions(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await carry(.listSubscriptions, context) { () throws(CloudKitServiceError) in
            try await cloud.listSubscriptions(in: context)
        }
    }

    func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await carry(.lookUpSubscriptions, context) { () throws(CloudKitServiceError) in
            try await cloud.lookUpSubscriptions(request, in: context)
        }
    }

    func modifySubscriptions(
        _ request: ModifySubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await carry(.modifySubscriptions, context) { () throws(CloudKitServiceError) in
            try await cloud.modifySubscriptions(request, in: context)
        }
    }

    func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary {
        do throws(CloudKitServiceError) {
            let caller = try await carry(.fetchCaller, context) {
                () throws(CloudKitServiceError) in try await cloud.fetchCaller(in: context)
            }
            confirm(context.device)
            return caller
        } catch {
            dropUnconfirmed(of: context.device)
            throw error
        }
    }

    func requestAssetUploads(
        _ request: AssetUploadsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetUploadsResponse {
        try await carry(.requestAssetUploads, context) { () throws(CloudKitServiceError) in
            try await cloud.requestAssetUploads(request, in: context)
        }
    }

    func uploadAsset(
        from file: URL, to token: AssetUploadToken, in context: RequestContext
    ) async throws(CloudKitServiceError) -> AssetDictionary {
        try await carry(.uploadAsset, context) { () throws(CloudKitServiceError) in
            try await cloud.uploadAsset(from: file, to: token, in: context)
        }
    }

    func accountStatus(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> AccountStatus {
        try await carry(.accountStatus, context) { () throws(CloudKitServiceError) in
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
