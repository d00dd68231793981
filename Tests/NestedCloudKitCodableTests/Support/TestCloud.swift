import CloudKit
import LocalCloud
import NestedCloudKitCodable
import Seam3
import Seam3Testing
import Testing

/// Two devices of one user on a cloud in memory, with a zone.
struct TestCloud {
    let cloud = LocalCloud.inMemory()
    let zoneID = CKRecordZone.ID(zoneName: "Schools")
    let directory: TemporaryDirectory
    /// The files of fetched assets exist as long as the device that has fetched them.
    let otherDevice: any SMCloudContainer
    private let zone: any SMCloudZone
    private let otherZone: any SMCloudZone

    static let containerIdentifier = "iCloud.test"

    /// Whether the devices use a `CKContainer` and not a `LocalContainer`. On Linux they do unless
    /// the environment variable `SEAM_TEST_CLOUD` is `service`. On other systems a `CKContainer`
    /// always uses iCloud.
    static var usesContainer: Bool {
        #if os(Linux)
        return ProcessInfo.processInfo.environment["SEAM_TEST_CLOUD"] != "service"
        #else
        return false
        #endif
    }

    init() async throws {
        directory = try TemporaryDirectory()
        zone = Self.newDevice(on: cloud).zone(zoneID) { .userInitiated }
        otherDevice = Self.newDevice(on: cloud)
        otherZone = otherDevice.zone(zoneID) { .userInitiated }
        try await zone.createZone()
    }

    private static func newDevice(on cloud: LocalCloud) -> any SMCloudContainer {
        #if os(Linux)
        if usesContainer { return CKContainer(identifier: containerIdentifier, service: cloud) }
        #endif
        return LocalContainer(identifier: containerIdentifier, service: cloud)
    }

    /// An encoder for the zone, whose files are removed when the test ends.
    var encoder: CKRecordEncoder {
        let encoder = CKRecordEncoder(zoneID: zoneID)
        encoder.assetDirectory = directory.url
        return encoder
    }

    /// Saves an object's records from one device.
    func save(_ object: any CKEncodable) async throws {
        try await save(encoder.encode(object))
    }

    /// Saves records from one device.
    func save(_ records: [CKRecord]) async throws {
        for start in stride(from: 0, to: records.count, by: 400) {
            let batch = records[start..<min(start + 400, records.count)]
            let answer = try await zone.modify(
                saving: batch.map { SMCloudRecord($0) }, deleting: [])
            if let failure = answer.failure { throw failure }
            for (_, result) in answer.saved { _ = try result.get() }
        }
    }

    /// The record with a name as the other device fetches it.
    func record(_ name: String) async throws -> CKRecord {
        let id = CKRecord.ID(recordName: name, zoneID: zoneID)
        return try #require(try await otherZone.records([id])[id]).get().record
    }

    /// All records as the other device fetches them.
    func records() async throws -> [CKRecord] {
        var records: [CKRecord] = []
        var token: Data?
        while true {
            let page = try await otherZone.changes(since: token, limit: 0)
            records += page.records.map(\.record)
            token = page.token
            if !page.moreComing { return records }
        }
    }

    /// Decodes an object on the other device.
    func load<T: CKDecodable>(_ type: T.Type, _ name: String) async throws -> T {
        #if os(Linux)
        if Self.usesContainer { return try await fetch(type, name) }
        #endif
        return try await CKRecordDecoder().decode(type, from: record(name), among: records())
    }
}

/// A directory that exists as long as this object.
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
