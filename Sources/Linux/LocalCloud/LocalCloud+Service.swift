import CloudKitService
import Foundation

/// The requests. Each is described for the fault plan and carried out by a `RequestSession`.
extension LocalCloud {
    /// `records/modify`
    public func modifyRecords(
        _ request: ModifyRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse {
        let options = options
        return try await perform(
            RequestSummary(
                .modifyRecords, context, zones: [request.zoneID],
                items: request.operations.map(\.record.recordName)),
            writes: true
        ) { session in
            try options.check(request)
            return try session.modifyRecords(request)
        }
    }

    /// `records/lookup`
    public func lookUpRecords(
        _ request: LookUpRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> LookUpRecordsResponse {
        try await perform(
            RequestSummary(
                .lookUpRecords, context, zones: [request.zoneID],
                items: request.records.map(\.recordName)),
            writes: false
        ) { try $0.lookUpRecords(request) }
    }

    /// `records/query`
    public func queryRecords(
        _ request: QueryRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> QueryRecordsResponse {
        try await perform(
            RequestSummary(
                .queryRecords, context,
                zones: request.zoneID == nil && request.zoneWide == true ? [] : [request.zoneID]),
            writes: false
        ) { try $0.queryRecords(request) }
    }

    /// `changes/zone`
    public func fetchZoneChanges(
        _ request: ZoneChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZoneChangesResponse {
        try await perform(
            RequestSummary(
                .fetchZoneChanges, context, zones: request.zones.map(\.zoneID),
                items: request.zones.map(\.zoneID.zoneName),
                zonesWithToken: request.zones.filter { $0.syncToken != nil }
                    .map(\.zoneID.zoneName)),
            writes: false
        ) { try $0.zoneChanges(request) }
    }

    /// `changes/database`
    public func fetchDatabaseChanges(
        _ request: DatabaseChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> DatabaseChangesResponse {
        try await perform(RequestSummary(.fetchDatabaseChanges, context), writes: false) {
            try $0.databaseChanges(request)
        }
    }

    /// `zones/list`
    public func listZones(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await perform(RequestSummary(.listZones, context), writes: false) {
            try $0.listZones()
        }
    }

    /// `zones/lookup`
    public func lookUpZones(
        _ request: LookUpZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await perform(
            RequestSummary(
                .lookUpZones, context, zones: request.zones, items: request.zones.map(\.zoneName)),
            writes: false
        ) { try $0.lookUpZones(request) }
    }

    /// `zones/modify`
    public func modifyZones(
        _ request: ModifyZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        let zoneIDs = request.operations.map(\.zone.zoneID)
        return try await perform(
            RequestSummary(
                .modifyZones, context, zones: zoneIDs, items: zoneIDs.map(\.zoneName)),
            writes: true
        ) { try $0.modifyZones(request) }
    }

    /// `subscriptions/list`
    public func listSubscriptions(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await perform(RequestSummary(.listSubscriptions, context), writes: false) {
            try $0.listSubscriptions()
        }
    }

    /// `subscriptions/lookup`
    public func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await perform(
            RequestSummary(
                .lookUpSubscriptions, context,
                items: request.subscriptions.map(\.subscriptionID)),
            writes: false
        ) { try $0.lookUpSubscriptions(request) }
    }

    /// `subscriptions/modify`
    public func modifySubscriptions(
        _ request: ModifySubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        let subscriptions = request.operations.map(\.subscription)
        return try await perform(
            RequestSummary(
                .modifySubscriptions, context,
                zones: subscriptions.compactMap(\.zoneID),
                items: subscriptions.map(\.subscriptionID)),
            writes: true
        ) { try $0.modifySubscriptions(request) }
    }

    /// `users/caller`
    public func fetchCaller(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> UserDictionary {
        // Without an account there is no caller, not even in the public database.
        try await meetingFaults(RequestSummary(.fetchCaller, context)) {
            _ throws(CloudKitServiceError) in
            let caller = try authorize(context, writes: true)
            return UserDictionary(userRecordName: caller.userRecordName ?? "")
        }
    }
}
