import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("An answer that can be used only in part") struct PartialAnswerTests {
    let cloud = LocalCloud.inMemory()

    /// Codes that end a pass, reported for one of several records.
    static let codes: [ServerErrorCode] = [
        .networkFailure, .zoneBusy, .throttled, .tryAgainLater, .internalError, .quotaExceeded,
        .authenticationRequired, .serverResponseLost,
    ]

    @Test("keeps the successes of the other records", arguments: codes)
    func successes(code: ServerErrorCode) async throws {
        let device = try Device(on: cloud)
        for label in ["one", "two", "three"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        let names = try await RawClient(cloud).records().map(\.recordID.recordName).sorted()
        for label in ["one", "two", "three"] { try device.change(label, ["note": "edited"]) }
        cloud.faults.add(
            .failItems([names[1]], code), for: .kind(.modifyRecords, item: names[1]),
            occurrences: .always)
        #expect(await device.attemptSync() != nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        cloud.faults.removeAll()
        try await device.store.sync(complete: true)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("is followed up if the lease was lost in the meantime")
    func lostLease() async throws {
        let device = try Device(on: cloud, policy: .mergeByProperty)
        let other = try Device("other", on: cloud, policy: .mergeByProperty)
        try device.add("Clock", ["label": "home"])
        try await Device.settle(device, other)
        try device.change("home", ["note": "edited"])
        try device.add("Clock", ["label": "new"])
        let path = device.file.path
        // While the server works, another process takes the lease, which it may do after two
        // minutes.
        cloud.faults.add(
            .call(.afterCommit) { _ in
                #expect(throws: Never.self) {
                    let end = Date().timeIntervalSinceReferenceDate + 110
                    try SQLiteConnection(path: path).execute(
                        "UPDATE sm_sync SET lease_process = ?, lease_owner = ?, lease_expiry = ?",
                        [.integer(Int64(getppid())), .text(UUID().uuidString), .real(end)])
                }
            }, for: .kind(.modifyRecords, device: device.cloudContainer.device))
        await device.attemptSync()
        try SQLiteConnection(path: path).execute("UPDATE sm_sync SET lease_owner = NULL")
        // The other device continues from the values that were sent.
        try await other.store.sync()
        try other.change("home", ["note": "by the other"])
        try await other.store.sync()
        try device.change("new", ["position": 3])
        #expect(try await device.store.sync().conflictCount == 0)
        try await Device.settle(other, device)
        try expectAgreement(device, other)
        #expect(try device.value("note", of: "home") == "by the other")
        #expect(try other.value("position", of: "new") == 3)
    }

    @Test("has a size that memory can hold")
    func pageBytes() async throws {
        let device = try Device("a", on: cloud, model: Self.model())
        try await device.store.sync()
        let client = RawClient(cloud)
        let large = Data(repeating: 7, count: 700_000)
        for index in 0..<60 {
            try await client.save(client.record("Sheet", named: "s\(index)", ["bytes": large]))
        }
        let log = RequestLog(.fetchZoneChanges, of: device, on: cloud)
        try await device.store.sync()
        #expect(try device.count("Sheet") == 60)
        // 42 MB, of which only a part should be in an extension's memory at once.
        #expect(log.count >= 4, "\(log.count) pages")
    }

    private static func model() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Sheet", [NSAttributeDescription("bytes", .binaryDataAttributeType)]))
    }

    @Test(
        "in which a record was deleted and created again has the record", arguments: [false, true])
    func madeAgain(isKnown: Bool) async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let client = RawClient(cloud)
        try await client.save(client.record("Folder", named: "folder", ["name": "first"]))
        if isKnown { try await device.store.sync() }
        try await client.delete("folder")
        try await client.save(client.record("Folder", named: "folder", ["name": "second"]))
        try await device.store.sync()
        let names = try device.read { context in
            try Device.all("Folder", in: context).compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(names == ["second"])
    }
}
