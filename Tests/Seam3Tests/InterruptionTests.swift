import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A sync that is interrupted", .tags(.acknowledgedOnly)) struct InterruptionTests {
    let cloud = LocalCloud.inMemory()

    /// The requests of a pass during which the network can fail.
    static let kinds: [RequestKind] = CloudPath.current.failing([
        .accountStatus, .fetchCaller, .fetchDatabaseChanges, .modifyZones, .modifySubscriptions,
        .fetchZoneChanges, .modifyRecords, .requestAssetUploads, .uploadAsset,
    ])

    private func devices() throws -> (a: Device, b: Device) {
        (try Device("a", on: cloud), try Device("b", on: cloud))
    }

    private func addSome(_ device: Device) throws {
        try device.add("Folder", ["name": "family"])
        try device.add("Clock", ["label": "home", "chime": Data(repeating: 7, count: 5000)])
        try device.relate("home", "folder", to: "family")
    }

    @Test("before the server's commit loses nothing", arguments: kinds)
    func lostBefore(kind: RequestKind) async throws {
        let (a, b) = try devices()
        try addSome(a)
        cloud.faults.add(
            .fail(.networkFailure), for: .kind(kind, device: a.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        #expect(try a.store.syncStatus().pendingChangeCount == 2)
        #expect(try a.store.syncStatus().lastError != nil)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().count == 2)
    }

    @Test("after the server's commit repeats nothing visible", arguments: kinds)
    func lostAfter(kind: RequestKind) async throws {
        let (a, b) = try devices()
        try addSome(a)
        cloud.faults.add(
            .loseAnswer(), for: .kind(kind, device: a.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        let summary = try await a.store.sync()
        #expect(summary.conflictCount == 0)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().count == 2)
    }

    @Test(
        "after the server's commit keeps an edit that was made since", .tags(.sentIsTheAncestor))
    func editAfterLostAnswer() async throws {
        let (a, b) = try devices()
        try addSome(a)
        try await Device.settle(a, b)
        try a.change("home", ["note": "first"])
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: a.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        try a.change("home", ["note": "second"])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "second")
    }

    @Test("after the server's commit of a deletion repeats nothing visible")
    func deletionAfterLostAnswer() async throws {
        let (a, b) = try devices()
        try addSome(a)
        try await Device.settle(a, b)
        try a.delete("home")
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: a.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().count == 1)
    }

    @Test("by a relaunch continues where it stopped")
    func relaunch() async throws {
        let (a, b) = try devices()
        try addSome(a)
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: a.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        try a.relaunch()
        #expect(try a.store.syncStatus().pendingChangeCount == 2)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().count == 2)
    }

    @Test("between two pages continues with the second")
    func betweenPages() async throws {
        let (a, b) = try devices()
        try a.edit { context in
            for index in 0..<450 {
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("folder \(index)", forKey: "name")
            }
        }
        try await a.store.sync()
        cloud.faults.add(
            .fail(.networkFailure), for: .kind(.fetchZoneChanges, device: b.cloudContainer.device),
            occurrences: .nth(2))
        await #expect(throws: (any Error).self) { try await b.store.sync() }
        let first = try b.table().count
        #expect(first > 0 && first < 450)
        let summary = try await b.store.sync()
        #expect(summary.insertedObjectIDs.count == 450 - first)
        try expectAgreement(a, b)
    }

    @Test("leaves an edit that was saved while the server answered in the outbox")
    func editWhileServerAnswers() async throws {
        let (a, b) = try devices()
        try addSome(a)
        try await Device.settle(a, b)
        try a.change("home", ["note": "first"])
        nonisolated(unsafe) let device = a
        cloud.faults.add(
            .call(.afterCommit) { _ in try? device.change("home", ["position": 9]) },
            for: .kind(.modifyRecords, device: a.cloudContainer.device))
        let summary = try await a.store.sync()
        // The pass goes on until nothing is left.
        #expect(summary.savedRecordCount == 2)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "first")
        #expect(try b.value("position", of: "home") == 9)
    }

    @Test("by the server refusing a subscription continues without one, and asks again")
    func refusedSubscription() async throws {
        let (a, _) = try devices()
        try addSome(a)
        cloud.faults.add(
            .fail(.badRequest),
            for: .kind(.modifySubscriptions, device: a.cloudContainer.device))
        try await a.store.sync()
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
        #expect(
            try await cloud.listSubscriptions(in: a.cloudContainer.context).subscriptions.isEmpty)
        try await a.store.sync()
        #expect(
            try await cloud.listSubscriptions(in: a.cloudContainer.context).subscriptions.count == 1
        )
    }

    @Test("by the server refusing one record sends the others and reports the one")
    func refusedRecord() async throws {
        let (a, b) = try devices()
        try addSome(a)
        try await a.store.sync()
        try a.change("home", ["note": "refused"])
        try a.add("Folder", ["name": "accepted"])
        let name = try await recordName(ofType: "Clock")
        cloud.faults.add(
            .failItems([name], .badRequest),
            for: .kind(.modifyRecords, device: a.cloudContainer.device))
        await #expect(throws: SMStoreError.self) { try await a.store.sync() }
        #expect(try a.store.syncStatus().pendingChangeCount == 1)
        try await b.store.sync()
        #expect(try b.table().count == 3)
        // The change is retried after the object's next edit.
        try a.change("home", ["note": "accepted"])
        try await Device.settle(a, b)
        try expectAgreement(a, b)
    }

    private func recordName(ofType type: String) async throws -> String {
        let records = try await RawClient(cloud).records(ofType: type)
        return try #require(records.first).recordID.recordName
    }
}
