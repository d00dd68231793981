import CloudKit
import LocalCloud
import NestedCloudKitCodable

/// Two devices of one user on a cloud in memory, with a zone.
struct TestCloud {
    let cloud = LocalCloud.inMemory()
    let zoneID = CKRecordZone.ID(zoneName: "Schools")
    let database: CKDatabase
    let otherDatabase: CKDatabase
    let directory: TemporaryDirectory

    init() async throws {
        database = CKContainer(identifier: "iCloud.test", service: cloud).privateCloudDatabase
        otherDatabase =
            CKContainer(identifier: "iCloud.test", service: cloud)
            .privateCloudDatabase
        directory = try TemporaryDirectory()
        _ = try await database.save(CKRecordZone(zoneID: zoneID))
    }

    /// An encoder for the zone, whose files go when the test ends.
    var encoder: CKRecordEncoder {
        let encoder = CKRecordEncoder(zoneID: zoneID)
        encoder.assetDirectory = directory.url
        return encoder
    }

    /// Saves an object's records from one device.
    func save(_ object: any CKEncodable) async throws {
        try await save(encoder.encode(object))
    }

    /// Saves records from one device, all or none.
    func save(_ records: [CKRecord]) async throws {
        for start in stride(from: 0, to: records.count, by: 400) {
            let batch = records[start..<min(start + 400, records.count)]
            let results = try await database.modifyRecords(
                saving: Array(batch), deleting: [], savePolicy: .ifServerRecordUnchanged)
            for (_, result) in results.saveResults { _ = try result.get() }
        }
    }

    /// The record of a name as the other device fetches it.
    func record(_ name: String) async throws -> CKRecord {
        try await otherDatabase.record(
            for: CKRecord.ID(recordName: name, zoneID: zoneID))
    }

    /// Decodes an object on the other device.
    func load<T: CKDecodable>(_ type: T.Type, _ name: String) async throws -> T {
        try await CKRecordDecoder().decode(
            type, from: record(name), referenceDatabase: otherDatabase)
    }
}

/// A directory that lives as long as this object.
final class TemporaryDirectory {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("NestedCloudKitCodable-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
