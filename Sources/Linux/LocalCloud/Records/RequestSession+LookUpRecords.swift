import CloudKitService

/// `records/lookup`.
extension RequestSession {
    func lookUpRecords(_ request: LookUpRecordsRequest) throws -> LookUpRecordsResponse {
        let zone = Result { try self.zone(request.zoneID) }
        let interruption = effects.interruption
        return LookUpRecordsResponse(
            records: try request.records.prefix(interruption?.after ?? .max).map { item in
                do {
                    if let error = itemFaults[item.recordName] { throw ItemFailure(error) }
                    let desiredKeys = item.desiredKeys ?? request.desiredKeys
                    return .success(
                        try lookUp(
                            item.recordName, in: try zone.get(),
                            desiredKeys: desiredKeys.map(Set.init)))
                } catch let failure as ItemFailure {
                    return .failure(
                        failure.error.naming(
                            recordName: item.recordName, zoneID: request.zoneID))
                }
            }, interruption: interruption?.error)
    }

    private func lookUp(
        _ name: String, in zone: Zone, desiredKeys: Set<String>?
    ) throws -> RecordDictionary {
        if let record = try storedRecord(named: name, in: zone), !record.isTombstone {
            return try dictionary(of: record, in: zone, desiredKeys: desiredKeys)
        }
        if let user = userRecord(named: name, in: zone) {
            return try dictionary(of: user, in: zone, desiredKeys: desiredKeys)
        }
        throw ItemFailure(.notFound, "Record not found", code: 2003)
    }

    /// The record of the calling user, which exists without having been saved.
    func userRecord(named name: String, in zone: Zone) -> StoredRecord? {
        guard zone.isDefault, name == caller.userRecordName else { return nil }
        var record = StoredRecord(
            name: name, type: Self.userRecordType, sequence: 0,
            created: .init(timestamp: 0, userRecordName: name))
        record.fields = FieldCoding.encode([:])
        return record
    }

    /// The type of users' records. Apps cannot create or query them.
    static let userRecordType = "Users"
}
