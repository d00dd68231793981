import CloudKit
import CloudKitService
import LocalCloud

/// Another client of the same user's zone, which knows nothing of the store: it reads and writes
/// records as they are.
struct RawClient {
    let container: CKContainer
    let zoneID = CKRecordZone.ID(zoneName: "SMStoreCloudStore_CustomZone")

    init(_ cloud: LocalCloud) {
        container = CKContainer(identifier: Device.containerIdentifier, service: cloud)
    }

    var database: CKDatabase { container.privateCloudDatabase }

    /// For the calls of `LocalCloud` that ask for it.
    var context: RequestContext { container.requestContext() }

    /// All records of the zone, of one type if it is given.
    func records(ofType type: String? = nil) async throws -> [CKRecord] {
        var records: [CKRecord] = []
        var token: CKServerChangeToken?
        while true {
            let changes = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
            for result in changes.modificationResultsByID.values {
                records.append(try result.get().record)
            }
            token = changes.changeToken
            if !changes.moreComing { break }
        }
        return records.filter { type == nil || $0.recordType == type }
    }

    /// A new record with fields.
    func record(
        _ type: String, named name: String, _ fields: [String: any CKRecordValueProtocol] = [:]
    ) -> CKRecord {
        let record = CKRecord(
            recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zoneID))
        for (field, value) in fields { set(field, to: value, in: record) }
        return record
    }

    private func set<Value: CKRecordValueProtocol>(
        _ field: String, to value: Value, in record: CKRecord
    ) {
        record[field] = value
    }

    /// A reference to a record of the zone.
    func reference(
        to name: String, action: CKRecord.ReferenceAction = .none
    ) -> CKRecord.Reference {
        CKRecord.Reference(
            recordID: CKRecord.ID(recordName: name, zoneID: zoneID), action: action)
    }

    func save(_ records: CKRecord...) async throws {
        for record in records { _ = try await database.save(record) }
    }

    func delete(_ name: String) async throws {
        _ = try await database.deleteRecord(
            withID: CKRecord.ID(recordName: name, zoneID: zoneID))
    }
}
