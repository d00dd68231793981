import Foundation

/// `records/…` and the changes of zones.
extension WebServiceRouter {
    func answerRecords(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        switch call.operation {
        case .modifyRecords:
            return try await modifyRecords(call)
        case .lookUpRecords:
            let request = try call.read(LookUpRecordsRequest.self)
            try check(request.records.count)
            var answer = try await service.lookUpRecords(request, in: call.context)
            answer.records = outgoing(answer.records, call)
            return try response(answer, numbersAsStrings: call.numbersAsStrings)
        case .queryRecords:
            var request = try call.read(QueryRecordsRequest.self)
            request.resultsLimit = request.resultsLimit.limited(to: options.maximumItems)
            var answer = try await service.queryRecords(request, in: call.context)
            answer.records = outgoing(answer.records, call)
            return try response(answer, numbersAsStrings: call.numbersAsStrings)
        case .recordChanges:
            return try await recordChanges(call)
        default:
            // No service of this protocol has shares, so every short GUID is invalid. An invalid
            // one makes the whole request fail.
            _ = try call.read(ShortGUIDsRequest.self)
            throw CloudKitServiceError(.badRequest, reason: "Invalid shortGUID")
        }
    }

    // MARK: - Modify

    private func modifyRecords(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let body = try call.read(ModifyRecordsBody.self)
        try check(body.operations.count)
        var request = body.request
        let zoneName = request.zoneID?.zoneName ?? ZoneIDDictionary.defaultZoneName
        guard request.atomic != true || zoneName != ZoneIDDictionary.defaultZoneName else {
            throw CloudKitServiceError(
                .badRequest, reason: "atomic operations not supported in default zone")
        }
        request.operations = body.operations.compactMap { incoming(try? $0.get(), call) }
        let isRefused = request.atomic == true && request.operations.count < body.operations.count
        var answer = ModifyRecordsResponse(records: [])
        if isRefused {
            answer.records = request.operations.map {
                .failure(
                    ErrorDictionary(
                        recordName: $0.record.recordName, zoneID: request.zoneID,
                        serverErrorCode: .atomicError,
                        reason: "Batch failed: another item is at fault"))
            }
        } else if !request.operations.isEmpty || body.operations.isEmpty {
            answer = try await service.modifyRecords(request, in: call.context)
        }
        var results = outgoing(answer.records, call)[...]
        answer.records = body.operations.compactMap { operation in
            guard case .failure(let error) = operation else { return results.popFirst() }
            return .failure(error.dictionary)
        }
        return try response(answer, numbersAsStrings: call.numbersAsStrings)
    }

    /// An operation in the form that the service expects.
    private func incoming(
        _ operation: RecordOperation?, _ call: WebServiceCall
    ) -> RecordOperation? {
        guard var operation else { return nil }
        // A client may send back a fetched asset. The service does not know its URL.
        operation.record.mapAssets { asset in asset.downloadURL = nil }
        return operation
    }

    // MARK: - Changes

    func answerChanges(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        switch call.operation {
        case .zoneChanges:
            var request = try call.read(ZoneChangesRequest.self)
            try check(request.zones.count)
            request.limitResults(to: options.maximumItems)
            var answer = try await service.fetchZoneChanges(request, in: call.context)
            answer.zones = answer.zones.map { zone in
                guard case .success(var page) = zone else { return zone.explained }
                page.records = outgoing(page.records, call)
                return .success(page)
            }
            return try response(answer, numbersAsStrings: call.numbersAsStrings)
        case .databaseChanges:
            var request = try call.read(DatabaseChangesRequest.self)
            request.resultsLimit = request.resultsLimit.limited(to: options.maximumItems)
            return try response(try await service.fetchDatabaseChanges(request, in: call.context))
        default:
            let request = try call.read(ChangedZonesRequest.self)
            let answer = try await service.fetchDatabaseChanges(
                DatabaseChangesRequest(syncToken: request.metaSyncToken), in: call.context)
            return try response(
                ChangedZonesResponse(
                    zones: answer.zones, metaSyncToken: answer.syncToken,
                    moreComing: answer.moreComing))
        }
    }

    private func recordChanges(
        _ call: WebServiceCall
    ) async throws(CloudKitServiceError) -> WebServiceResponse {
        let request = try call.read(RecordChangesRequest.self)
        let zoneID = request.zoneID ?? ZoneIDDictionary()
        guard zoneID.zoneName != ZoneIDDictionary.defaultZoneName else {
            throw CloudKitServiceError(
                .badRequest, reason: "cannot get changes in default zone")
        }
        let zone = ZoneChangesRequest.Zone(
            zoneID: zoneID, syncToken: request.syncToken,
            resultsLimit: request.resultsLimit.limited(to: options.maximumItems),
            desiredKeys: request.desiredKeys,
            desiredRecordTypes: request.desiredRecordTypes, reverse: request.reverse)
        let answer = try await service.fetchZoneChanges(
            ZoneChangesRequest(zones: [zone]), in: call.context)
        switch answer.zones.first {
        case .success(let page):
            return try response(
                RecordChangesResponse(
                    records: outgoing(page.records, call), syncToken: page.syncToken,
                    moreComing: page.moreComing), numbersAsStrings: call.numbersAsStrings)
        case .failure(let error):
            throw CloudKitServiceError(
                error.serverErrorCode, reason: error.reason, retryAfter: error.retryAfter,
                internalErrorCode: error.internalErrorCode)
        case nil:
            throw CloudKitServiceError(.internalError, reason: "There is no result for the zone")
        }
    }
}
