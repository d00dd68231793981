import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

@Suite("An answer that can be used only in part") struct PartialAnswerTests {
    let cloud = LocalCloud.inMemory()

    /// Codes that end a pass, reported for one of several records, and whether the server asks to wait.
    static let codes: [(ServerErrorCode, Bool)] = [
        (.networkFailure, false), (.zoneBusy, true), (.throttled, true), (.tryAgainLater, true),
        (.internalError, false), (.quotaExceeded, false), (.authenticationRequired, true),
        (.serverResponseLost, false),
    ]

    @Test("is followed by the other records, unless the server asks to wait", arguments: codes)
    func others(code: ServerErrorCode, asksToWait: Bool) async throws {
        let device = try Device(on: cloud)
        for label in ["one", "two", "three"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        let names = try await RawClient(cloud).records().map(\.recordID.recordName).sorted()
        for label in ["one", "two", "three"] { try device.change(label, ["note": "edited"]) }
        cloud.faults.add(
            .failItems([names[1]], code), for: .kind(.modifyRecords, item: names[1]),
            occurrences: .always)
        #expect(await device.attemptSync() != nil)
        #expect(try device.store.syncStatus().pendingChangeCount == (asksToWait ? 3 : 1))
        cloud.faults.removeAll()
        try await device.store.sync(complete: true)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "belongs to a request that was carried out: what other devices save is later",
        arguments: SMSyncConflictResolutionPolicy.allCases, ["old", "theirs"])
    func carriedOut(policy: SMSyncConflictResolutionPolicy, note: String) async throws {
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        for label in ["home", "work"] { try a.add("Clock", ["label": label, "note": "old"]) }
        try await Device.settle(a, b)
        for label in ["home", "work"] { try a.change(label, ["note": "sent"]) }
        cloud.faults.add(
            .interrupt(after: 1, CloudKitServiceError(.serverResponseLost)),
            for: .kind(.modifyRecords, device: a.cloudContainer.device))
        #expect(await a.attemptSync() != nil)
        #expect(try a.store.syncStatus().pendingChangeCount == 1)
        try await b.store.sync()
        for label in ["home", "work"] { try b.change(label, ["note": note, "position": 7]) }
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        for label in ["home", "work"] { #expect(try a.value("note", of: label) == note) }
    }

    @Test(
        "that refuses one change refuses all, and is in conflict with what is saved since",
        arguments: [
            (SMSyncConflictResolutionPolicy.serverRecordWins, ["theirs"]),
            (.clientRecordWins, ["mine"]), (.keepBoth, ["mine", "theirs"]),
            (.mergeByProperty, ["theirs"]), (.mergeByPropertyClientWins, ["mine"]),
        ])
    func refused(policy: SMSyncConflictResolutionPolicy, notes: [String]) async throws {
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        for label in ["home", "work"] { try a.add("Clock", ["label": label, "note": "old"]) }
        try await Device.settle(a, b)
        let names = try await RawClient(cloud).records().map(\.recordID.recordName)
        for label in ["home", "work"] { try a.change(label, ["note": "mine"]) }
        cloud.faults.add(.failItems([names[1]], .zoneBusy), for: .kind(.modifyRecords))
        #expect(await a.attemptSync() != nil)
        #expect(try a.store.syncStatus().pendingChangeCount == 2)
        for label in ["home", "work"] { try b.change(label, ["note": "theirs"]) }
        try await b.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        let found = try a.read { context in
            try Device.all("Clock", in: context).compactMap { $0.value(forKey: "note") as? String }
        }
        #expect(found.sorted() == (notes + notes).sorted())
    }

    @Test(
        "keeps an edit that was not carried out if another device gives its object a one-to-one owner",
        arguments: OneToOneConvergenceTests.DecidingEnd.allCases)
    func ownedMeanwhile(end: OneToOneConvergenceTests.DecidingEnd) async throws {
        let devices = try ["a", "b"].map {
            try Device($0, on: cloud, policy: .mergeByProperty, model: end.model())
        }
        let (a, b) = (devices[0], devices[1])
        try a.addAll("Document", "home", "work")
        try a.addAll(end.coverEntity, "cover")
        try await Device.settle(a, b)
        let records = try await RawClient(cloud).records(ofType: "Document")
        let home = try #require(records.first { $0["name"] as? String == "home" })
            .recordID.recordName
        try a.edit { context in
            for name in ["home", "work"] {
                try Device.object("Document", name, in: context)
                    .setValue("sent \(name)", forKey: "name")
            }
        }
        cloud.faults.add(
            .failItems([home], .zoneBusy), for: .kind(.modifyRecords, item: home))
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: a.cloudContainer.device))
        #expect(await a.attemptSync() != nil)
        try b.edit { context in
            try Device.object(end.coverEntity, "cover", in: context)
                .setValue(try Device.object("Document", "home", in: context), forKey: "document")
        }
        try await b.store.sync()
        try await Device.settle(a, b)
        for device in devices {
            try device.read { context in
                let names = try Device.all("Document", in: context).map {
                    $0.value(forKey: "name") as? String ?? "-"
                }
                #expect(names.sorted() == ["sent home", "sent work"])
            }
        }
    }

    @Test(
        "keeps an edit that was in conflict with a version that nobody has saved",
        arguments: [true, false])
    func touched(isDeletion: Bool) async throws {
        let device = try Device(on: cloud, policy: .mergeByProperty)
        let client = RawClient(cloud)
        try await device.store.sync()
        try await client.save(client.record("Folder", named: "folder", ["name": "old"]))
        try await device.store.sync()
        func edit(_ change: (NSManagedObject, NSManagedObjectContext) -> Void) throws {
            try device.edit { change(try Device.all("Folder", in: $0)[0], $0) }
        }
        try edit { folder, _ in folder.setValue("sent", forKey: "name") }
        // The clock gives its folder a new tag before the device's request, whose answer is lost.
        let clock = client.record("Clock", named: "clock", ["label": "clock"])
        clock["folder"] = client.reference(to: "folder")
        let request = RequestPattern.kind(.modifyRecords, device: device.cloudContainer.device)
        cloud.faults.add(
            .touch([.targets]), for: .kind(.modifyRecords, item: "clock"), occurrences: .always)
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                await #expect(throws: Never.self) { try await client.save(clock) }
            }, for: request)
        cloud.faults.add(.loseAnswer(), for: request)
        #expect(await device.attemptSync() != nil)
        cloud.faults.removeAll()
        if isDeletion { try edit { folder, context in context.delete(folder) } }
        try await device.store.sync()
        let names = try await client.records(ofType: "Folder").map { $0["name"] as? String }
        #expect(names == (isDeletion ? [] : ["sent"]))
        #expect(try device.count("Folder") == names.count)
    }

    @Test(
        "which refuses a new record does not double it if the network has sent the request twice",
        arguments: SMSyncConflictResolutionPolicy.allCases, [false, true])
    func sentTwice(policy: SMSyncConflictResolutionPolicy, isEdited: Bool) async throws {
        let device = try Device(on: cloud, policy: policy)
        device.store.recordConflictResolutionBlock = { server, _, _ in server }
        try await device.store.sync()
        try device.add("Clock", ["label": "home", "note": "sent"])
        cloud.faults.add(
            .loseAnswer(CloudKitServiceError(.zoneBusy)),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        #expect(await device.attemptSync() != nil)
        if isEdited { try device.change("home", ["note": "edited"]) }
        try await device.store.sync()
        #expect(try device.count("Clock") == 1)
        #expect(try device.value("note", of: "home") == (isEdited ? "edited" : "sent"))
        #expect(try await RawClient(cloud).records(ofType: "Clock").count == 1)
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
