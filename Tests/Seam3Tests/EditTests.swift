import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("No edit is lost, whenever it is made", .tags(.acknowledgedOnly)) struct EditTests {
    let cloud = LocalCloud.inMemory()

    private func devices(
        _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: policy)
        let b = try Device("b", on: cloud, policy: policy)
        try a.add("Clock", ["label": "home", "note": "old", "position": 0])
        try await Device.settle(a, b)
        return (a, b)
    }

    private func loseNextAnswer(of device: Device) {
        cloud.faults.add(
            .loseAnswer(), for: .kind(.modifyRecords, device: device.cloudContainer.device))
    }

    // MARK: - Deletions

    @Test(
        "A deletion counts even if the answer to an earlier edit was lost",
        .tags(.lastIntentCounts, .sentIsTheAncestor),
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func deletionAfterLostEdit(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        try a.change("home", ["note": "first"])
        loseNextAnswer(of: a)
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        try a.delete("home")
        let summary = try await a.store.sync()
        #expect(summary.conflictCount == 0)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().isEmpty)
    }

    @Test(
        "A deletion counts even if the answer to the insertion was lost",
        .tags(.lastIntentCounts, .neverSeenMeansNeverSent))
    func deletionAfterLostInsertion() async throws {
        let (a, b) = try await devices()
        try a.add("Clock", ["label": "short-lived"])
        loseNextAnswer(of: a)
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        try a.delete("short-lived")
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().count == 1)
    }

    @Test("A deletion made while the server saves the insertion counts", .tags(.lastIntentCounts))
    func deletionDuringInsertion() async throws {
        let (a, b) = try await devices()
        try a.add("Clock", ["label": "short-lived"])
        nonisolated(unsafe) let device = a
        cloud.faults.add(
            .call(.afterCommit) { _ in try? device.delete("short-lived") },
            for: .kind(.modifyRecords, device: a.cloudContainer.device))
        let summary = try await a.store.sync()
        #expect(summary.deletedRecordCount == 1)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.table().count == 1)
    }

    @Test(
        "A deletion can be undone after it was saved, before or after it was sent",
        .tags(.lastIntentCounts),
        arguments: [false, true])
    func undoneDeletion(isSent: Bool) async throws {
        let (a, b) = try await devices()
        let other = a.container.newBackgroundContext()
        let held = try other.performAndWait {
            let clock = try Device.clock("home", in: other)
            #expect(clock.value(forKey: "note") as? String == "old")
            return clock
        }
        try a.delete("home")
        if isSent { try await a.store.sync() }
        // The requests of a context with an undo manager to the store.
        nonisolated(unsafe) let object = held
        let store = a.store
        try other.performAndWait {
            let request = NSSaveChangesRequest(
                inserted: [object], updated: nil, deleted: nil, locked: nil)
            _ = try store.execute(request, with: other)
        }
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "old")
    }

    @Test(
        "An object that comes back is never mistaken for the one before it", .tags(.honestVersions))
    func restoredVersion() async throws {
        let (a, b) = try await devices()
        let stale = a.container.newBackgroundContext()
        stale.mergePolicy = NSMergePolicy(merge: .errorMergePolicyType)
        let held = try stale.performAndWait {
            let clock = try Device.clock("home", in: stale)
            #expect(clock.value(forKey: "note") as? String == "old")
            return clock
        }
        try a.delete("home")
        try b.change("home", ["note": "theirs"])
        try await b.store.sync()
        try await a.store.sync()
        #expect(try a.value("note", of: "home") == "theirs")
        nonisolated(unsafe) let object = held
        stale.performAndWait {
            object.setValue("stale", forKey: "note")
            #expect(throws: CocoaError.self) { try stale.save() }
        }
    }

    // MARK: - Edits during a pass

    /// The requests of a pass during which an edit can be made.
    static let kinds: [RequestKind] = [
        CloudPath.current.accountRequest, .fetchCaller, .fetchDatabaseChanges, .fetchZoneChanges,
        .modifyRecords,
    ]

    @Test(
        "An edit made before or after the commit of any request arrives",
        .tags(.editsDuringAPass), arguments: kinds,
        [Fault.Moment.beforeCommit, .afterCommit])
    func editInPass(kind: RequestKind, moment: Fault.Moment) async throws {
        let (a, b) = try await devices()
        try b.change("home", ["position": 5])
        try await b.store.sync()
        try a.add("Folder", ["name": "makes the pass push"])
        nonisolated(unsafe) let device = a
        cloud.faults.add(
            .call(moment) { _ in
                _ = try? device.add("Folder", ["name": "in between"])
                try? device.change("home", ["note": "in between"])
            }, for: .kind(kind, device: a.cloudContainer.device))
        try await a.store.sync()
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.count("Folder") == 2)
    }

    @Test("Edits made all the time while passes run all arrive", .tags(.editsDuringAPass))
    func constantEdits() async throws {
        let (a, b) = try await devices(.mergeByProperty)
        let store = a.store
        nonisolated(unsafe) let device = a
        let editor = Task.detached {
            // Alternating properties: if a change and its row were read at different moments, one
            // of them would be lost.
            for index in 1...80 {
                try device.change("home", ["note": "note \(index)"])
                try device.change("home", ["position": index])
                try device.change("home", ["created": Date(timeIntervalSince1970: Double(index))])
                try device.add("Folder", ["name": "\(index)"])
                if index % 2 == 0 {
                    try device.edit { context in
                        for folder in try Device.all("Folder", in: context)
                        where folder.value(forKey: "name") as? String == "\(index)" {
                            context.delete(folder)
                        }
                    }
                }
            }
        }
        for _ in 0..<25 { try await store.sync() }
        try await editor.value
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "note 80")
        #expect(try b.value("position", of: "home") == 80)
        #expect(try b.count("Folder") == 40)
    }

    @Test("A reset during a pass is not undone by the pass", .tags(.oneTransaction))
    func resetInPass() async throws {
        let (a, b) = try await devices()
        try b.edit { context in
            for index in 0..<300 {
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("\(index)", forKey: "name")
            }
        }
        try await b.store.sync()
        let store = a.store
        cloud.faults.add(
            .call(.beforeCommit) { _ in try? store.resetBackingStore() },
            for: .kind(.fetchZoneChanges, device: a.cloudContainer.device), occurrences: .nth(2))
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        a.context.performAndWait { a.context.reset() }
        try await a.store.sync()
        try expectAgreement(a, b)
    }

    @Test("Marking everything as new during a pass sends everything again", .tags(.oneTransaction))
    func forgettingInPass() async throws {
        let (a, b) = try await devices()
        try a.change("home", ["note": "edited"])
        let store = a.store
        cloud.faults.add(
            .call(.afterCommit) { _ in try? store.resetCloudFieldsInBackingStore() },
            for: .kind(.modifyRecords, device: a.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await a.store.sync() }
        #expect(try a.store.syncStatus().pendingChangeCount == 1)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try b.value("note", of: "home") == "edited")
    }
}
