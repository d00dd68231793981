import CloudKitService

/// `records/modify`.
extension RequestSession {
    func modifyRecords(_ request: ModifyRecordsRequest) throws -> ModifyRecordsResponse {
        do {
            let zone = try zone(request.zoneID)
            if let token = request.clientChangeToken, token == zone.clientChangeToken,
                !zone.hasFailedItems
            {
                return try repeatedAnswer(to: request, zone: zone)
            }
            var modification = RecordModification(session: self, request: request, zone: zone)
            return try modification.run()
        } catch let failure as ItemFailure {
            return ModifyRecordsResponse(
                records: request.operations.map {
                    .failure(
                        failure.error.naming(
                            recordName: $0.record.recordName, zoneID: request.zoneID))
                })
        }
    }

    /// A request with the client change token of the last one is a repetition of it: it is
    /// answered, and not carried out again. If items of it failed, or an interruption left some out, it is
    /// carried out again instead, because this response could not tell them from the others.
    private func repeatedAnswer(
        to request: ModifyRecordsRequest, zone: Zone
    ) throws -> ModifyRecordsResponse {
        let records = try request.operations.map { operation in
            let name = operation.record.recordName
            if let record = try storedRecord(named: name, in: zone), !record.isTombstone {
                return ItemResult.success(
                    try dictionary(
                        of: record, in: zone, desiredKeys: request.desiredKeys.map(Set.init)))
            }
            return .success(
                RecordDictionary(recordName: name, zoneID: zoneID(of: zone), deleted: true))
        }
        return ModifyRecordsResponse(
            records: records, syncToken: token(of: zone, sequence: zone.sequence).text)
    }
}

extension LocalCloudOptions {
    /// Checks the request as a whole.
    func check(_ request: ModifyRecordsRequest) throws(CloudKitServiceError) {
        let size = request.operations.reduce(0) { $0 + $1.record.approximateSize }
        guard size <= maximumRequestSize else {
            throw CloudKitServiceError(
                .limitExceeded,
                reason: "Your request is \(size) bytes which is more than the maximum size of a "
                    + "single request (\(maximumRequestSize))")
        }
        let names = Set(request.operations.map(\.record.recordName))
        guard allowsRepeatedRecords || names.count == request.operations.count else {
            throw CloudKitServiceError(
                .badRequest, reason: "You can't save or delete the same record twice")
        }
        for operation in request.operations {
            guard let zoneID = operation.record.zoneID else { continue }
            guard zoneID.zoneName == (request.zoneID ?? ZoneIDDictionary()).zoneName else {
                throw CloudKitServiceError(
                    .badRequest, reason: "All records of a request must be in its zone")
            }
        }
    }

    /// Checks the number of items of a request.
    func checkCount(_ count: Int) throws(CloudKitServiceError) {
        guard count <= maximumOperations else {
            throw CloudKitServiceError(
                .limitExceeded,
                reason: "Your request contains \(count) items which is more than the maximum "
                    + "number of items in a single request (\(maximumOperations))")
        }
    }
}

extension RecordDictionary {
    /// The approximate size of the record in bytes, without its assets.
    var approximateSize: Int {
        fields.reduce(recordName.utf8.count) { size, field in
            size + field.key.utf8.count + (field.value.value?.approximateSize ?? 0)
        }
    }
}

extension FieldValue {
    fileprivate var approximateSize: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .bytes(let data): data.count
        case .int64, .double, .timestamp: 8
        case .location: 64
        case .reference(let reference): reference.recordName.utf8.count
        case .asset: 64
        case .list(let elements): elements.reduce(0) { $0 + $1.approximateSize }
        }
    }
}
