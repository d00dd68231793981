import Foundation

/// Dispatching the operations.
extension WebServiceRouter {
    /// Executes a request.
    func answer(_ call: WebServiceCall) async throws(CloudKitServiceError) -> WebServiceResponse {
        switch call.operation {
        case .queryRecords, .modifyRecords, .lookUpRecords, .recordChanges, .resolveRecords,
            .acceptRecords:
            return try await answerRecords(call)
        case .zoneChanges, .databaseChanges, .changedZones:
            return try await answerChanges(call)
        case .listZones:
            return try response(explained(try await service.listZones(in: call.context)))
        case .lookUpZones:
            let request = try call.read(LookUpZonesRequest.self)
            try check(request.zones.count)
            return try response(
                explained(try await service.lookUpZones(request, in: call.context)))
        case .modifyZones:
            let request = try call.read(ModifyZonesRequest.self)
            try check(request.operations.count)
            return try response(
                explained(try await service.modifyZones(request, in: call.context)))
        case .listSubscriptions, .lookUpSubscriptions, .modifySubscriptions:
            return try await answerSubscriptions(call)
        case .caller, .currentUser, .discoverUsers, .lookUpUsersByEmail, .lookUpUsersByID,
            .lookUpContacts:
            return try await answerUsers(call)
        case .uploadAssets, .rereferenceAssets:
            return try await answerAssets(call)
        case .createToken, .registerToken:
            return try await answerTokens(call)
        }
    }

    private func answerSubscriptions(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        var answer: SubscriptionsResponse
        switch call.operation {
        case .lookUpSubscriptions:
            let request = try call.read(LookUpSubscriptionsRequest.self)
            try check(request.subscriptions.count)
            answer = try await service.lookUpSubscriptions(request, in: call.context)
        case .modifySubscriptions:
            let request = try call.read(ModifySubscriptionsRequest.self)
            try check(request.operations.count)
            answer = try await service.modifySubscriptions(request, in: call.context)
        default:
            answer = try await service.listSubscriptions(in: call.context)
        }
        answer.subscriptions = answer.subscriptions.map(\.explained)
        return try response(answer)
    }

    private func explained(_ answer: ZonesResponse) -> ZonesResponse {
        ZonesResponse(zones: answer.zones.map(\.explained))
    }

    /// Checks the number of items of a request.
    func check(_ count: Int) throws(CloudKitServiceError) {
        guard count <= options.maximumItems else {
            throw CloudKitServiceError(
                .limitExceeded,
                reason: "Your request contains \(count) items which is more than the maximum "
                    + "number of items in a single request (\(options.maximumItems))")
        }
    }
}

extension ItemResult {
    /// The result with a reason in its error, which other clients expect.
    var explained: ItemResult {
        guard case .failure(var error) = self, error.reason == nil else { return self }
        error.reason = error.serverErrorCode.rawValue
        return .failure(error)
    }
}
