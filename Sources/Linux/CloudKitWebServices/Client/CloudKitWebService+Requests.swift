import Foundation

/// The requests.
extension CloudKitWebService {
    /// `records/modify`
    public func modifyRecords(
        _ request: ModifyRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ModifyRecordsResponse {
        try check(request.operations.count)
        var request = request
        let zoneName = request.zoneID?.zoneName ?? ZoneIDDictionary.defaultZoneName
        // The default zone is never atomic, and the web services refuse requests that ask for it.
        if zoneName == ZoneIDDictionary.defaultZoneName { request.atomic = nil }
        do throws(CloudKitServiceError) {
            return try await post(.modifyRecords, request, in: context)
        } catch  where error.code == .atomicError {
            // Some servers fail the request as a whole, without naming the record that caused it.
            return ModifyRecordsResponse(
                records: request.operations.map {
                    .failure(
                        ErrorDictionary(
                            recordName: $0.record.recordName, zoneID: request.zoneID,
                            serverErrorCode: .atomicError, reason: error.reason))
                })
        }
    }

    /// `records/lookup`
    public func lookUpRecords(
        _ request: LookUpRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> LookUpRecordsResponse {
        try check(request.records.count)
        return try await post(.lookUpRecords, request, in: context)
    }

    /// `records/query`
    public func queryRecords(
        _ request: QueryRecordsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> QueryRecordsResponse {
        var request = request
        request.resultsLimit = request.resultsLimit.limited(to: options.maximumItems)
        return try await post(.queryRecords, request, in: context)
    }

    /// `changes/zone`
    public func fetchZoneChanges(
        _ request: ZoneChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZoneChangesResponse {
        var request = request
        request.limitResults(to: options.maximumItems)
        return try await post(.zoneChanges, request, in: context)
    }

    /// `changes/database`
    public func fetchDatabaseChanges(
        _ request: DatabaseChangesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> DatabaseChangesResponse {
        var request = request
        request.resultsLimit = request.resultsLimit.limited(to: options.maximumItems)
        return try await post(.databaseChanges, request, in: context)
    }

    /// `zones/list`
    public func listZones(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try await get(.listZones, in: context)
    }

    /// `zones/lookup`
    public func lookUpZones(
        _ request: LookUpZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try check(request.zones.count)
        return try await post(.lookUpZones, request, in: context)
    }

    /// `zones/modify`
    public func modifyZones(
        _ request: ModifyZonesRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> ZonesResponse {
        try check(request.operations.count)
        var answer: ZonesResponse = try await post(.modifyZones, request, in: context)
        guard answer.zones.count == request.operations.count else { return answer }
        // For Apple's client it is not an error if a zone to create already exists.
        for (index, operation) in request.operations.enumerated()
        where operation.operationType == .create
            && answer.zones[index].error?.serverErrorCode == .exists
        {
            answer.zones[index] = .success(operation.zone)
        }
        return answer
    }

    /// `subscriptions/list`
    public func listSubscriptions(
        in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try await get(.listSubscriptions, in: context)
    }

    /// `subscriptions/lookup`
    public func lookUpSubscriptions(
        _ request: LookUpSubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try check(request.subscriptions.count)
        return try await post(.lookUpSubscriptions, request, in: context)
    }

    /// `subscriptions/modify`
    public func modifySubscriptions(
        _ request: ModifySubscriptionsRequest, in context: RequestContext
    ) async throws(CloudKitServiceError) -> SubscriptionsResponse {
        try check(request.operations.count)
        return try await post(.modifySubscriptions, request, in: context)
    }
}
