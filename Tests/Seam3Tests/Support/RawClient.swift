import CloudKit
import CloudKitService
import LocalCloud
import Seam3
import Seam3Testing
import Testing

extension CKRecord {
    /// The fields with the values of an object, without its edit stamps.
    var valueKeys: [FieldKey] { allKeys().filter { $0 != SMRecordEdits.field } }
}

/// Another client of the same user's zone, which knows nothing of the store and reads and writes
/// plain records.
struct RawClient {
    let container: any TestContainer
    let zoneID = CKRecordZone.ID(zoneName: "SMStoreCloudStore_CustomZone")
    private let zone: any SMCloudZone

    init(_ cloud: LocalCloud) {
        container = CloudPath.current.container(on: cloud, device: HarshCloud.sparedDevice)
        zone = container.zone(zoneID) { .userInitiated }
    }

    /// For the methods of `LocalCloud` that require it.
    var context: RequestContext { container.context }

    // MARK: - The zone

    func createZone() async throws {
        try await zone.createZone()
    }

    func zoneExists() async throws -> Bool {
        try await zone.zoneExists()
    }

    /// Deletes the zone, which the store itself never does.
    func deleteZone() async throws {
        let request = ModifyZonesRequest(operations: [
            ZoneOperation(.delete, ZoneIDDictionary(zoneName: zoneID.zoneName))
        ])
        let response = try await container.service.modifyZones(request, in: context)
        #expect(response.zones.allSatisfy { $0.error == nil })
    }

    // MARK: - Reading

    /// All records of the zone, or those of one type.
    func records(ofType type: String? = nil) async throws -> [CKRecord] {
        var records: [CKRecord] = []
        var token: Data?
        while true {
            let page = try await zone.changes(since: token, limit: 0)
            if let failure = page.failures.values.first { throw failure }
            records += page.records.map(\.record)
            token = page.token
            if !page.moreComing { break }
        }
        return records.filter { type == nil || $0.recordType == type }
    }

    /// The record with a name.
    func record(named name: String) async throws -> CKRecord {
        let id = CKRecord.ID(recordName: name, zoneID: zoneID)
        return try #require(try await zone.records([id])[id]).get().record
    }

    // MARK: - Writing

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
        for record in records { _ = try await saved(record) }
    }

    /// Gives records another change tag. Nobody has edited them.
    func touchRecords(ofType type: String) async throws {
        for record in try await records(ofType: type) { try await save(record) }
    }

    /// Saves a record.
    ///
    /// - Returns: The server's version of the record, with its change tag.
    func saved(_ record: CKRecord) async throws -> SMCloudRecord {
        let id = record.recordID
        let answer = try await zone.modify(saving: [SMCloudRecord(record)], deleting: [])
        // A record from a `LocalContainer` has no change tag.
        guard record.recordChangeTag == nil, let tag = answer.serverRecords[id]?.changeTag,
            container is LocalContainer
        else { return try Self.saved(id, answer) }
        let based = SMCloudRecord(record, changeTag: tag)
        return try Self.saved(id, await zone.modify(saving: [based], deleting: []))
    }

    private static func saved(
        _ id: CKRecord.ID, _ answer: SMCloudModifications
    ) throws -> SMCloudRecord {
        if let failure = answer.failure { throw failure }
        return try #require(answer.saved[id]).get()
    }

    func delete(_ name: String) async throws {
        let id = CKRecord.ID(recordName: name, zoneID: zoneID)
        let answer = try await zone.modify(saving: [], deleting: [id])
        if let failure = answer.failure { throw failure }
        try answer.deleted[id]?.get()
    }
}
