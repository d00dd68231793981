import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A context that saves an object which another one has deleted in the meantime, under a policy
/// that prefers the object, inserts it again with its ID.
@Suite("An object that a save inserts again after its deletion") struct ReinsertedObjectTests {
    let cloud = LocalCloud.inMemory()

    /// The device's action between the steps.
    enum Between: String, CaseIterable {
        case nothing, sendNothing, loseAnswer, sync
    }

    private func devices() async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home", "note": "old"])
        try await Device.settle(a, b)
        return (a, b)
    }

    /// Deletes the clock in one context while another has an unsaved edit, which it saves
    /// afterward.
    private func deleteAndInsertAgain(
        on device: Device, _ between: Between = .nothing, policy: NSMergePolicyType
    ) async throws {
        let editor = device.container.newBackgroundContext()
        try editor.performAndWait {
            editor.mergePolicy = NSMergePolicy(merge: policy)
            try Device.clock("home", in: editor).setValue("unsaved", forKey: "note")
        }
        try device.delete("home")
        try await meanwhile(between, on: device)
        try editor.performAndWait { try editor.save() }
        try #require(try device.count("Clock") == 1)
    }

    private func meanwhile(_ between: Between, on device: Device) async throws {
        switch between {
        case .nothing: break
        case .sendNothing: await device.syncSendingNothing(on: cloud)
        case .loseAnswer: try await device.syncLosingAnswer(on: cloud)
        case .sync: try await device.store.sync()
        }
    }

    private func expectGone(_ devices: Device...) async throws {
        #expect(try await RawClient(cloud).records().isEmpty)
        for device in devices {
            #expect(try device.count("Clock") == 0)
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
            #expect(try device.store.checkInvariants().isEmpty)
        }
    }

    @Test(
        "is gone on all devices when it is deleted again",
        arguments: Between.allCases, Between.allCases)
    func deletedAgain(first: Between, second: Between) async throws {
        let (a, b) = try await devices()
        try await deleteAndInsertAgain(
            on: a, first, policy: .mergeByPropertyObjectTrumpMergePolicyType)
        try await meanwhile(second, on: a)
        if try a.count("Clock") > 0 { try a.delete("home") }
        try await Device.settle(a, b)
        try await expectGone(a, b)
    }

    @Test("is gone on all devices, too, under the policy that overwrites")
    func overwriting() async throws {
        let (a, b) = try await devices()
        try await deleteAndInsertAgain(on: a, policy: .overwriteMergePolicyType)
        try a.delete("home")
        try await Device.settle(a, b)
        try await expectGone(a, b)
    }

    @Test(
        "outlives another device's deletion of the earlier one, unless that device's version wins",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func deletedBefore(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices()
        for device in [a, b] { device.store.syncConflictResolutionPolicy = policy }
        try await deleteAndInsertAgain(
            on: a, .sync, policy: .mergeByPropertyObjectTrumpMergePolicyType)
        try a.change("home", ["note": "old"])
        try await a.store.sync()
        try b.delete("home")
        try await Device.settle(b, a)
        let count = policy == .clientRecordWins ? 0 : 1
        #expect(try [a.count("Clock"), b.count("Clock")] == [count, count])
    }

    @Test("exists on all devices if it is not deleted again", arguments: Between.allCases)
    func stays(between: Between) async throws {
        let (a, b) = try await devices()
        try await deleteAndInsertAgain(
            on: a, between, policy: .mergeByPropertyObjectTrumpMergePolicyType)
        try await Device.settle(a, b)
        try expectAgreement(a, b)
        #expect(try await RawClient(cloud).records().count == 1)
        #expect(try b.value("note", of: "home") == "unsaved")
    }

    @Test(
        "is gone on all devices when its deletion came from the server", arguments: Between.allCases
    )
    func deletedElsewhere(between: Between) async throws {
        let (a, b) = try await devices()
        let editor = a.container.newBackgroundContext()
        try editor.performAndWait {
            editor.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try Device.clock("home", in: editor).setValue("unsaved", forKey: "note")
        }
        try b.delete("home")
        for device in [b, a] { try await device.store.sync() }
        try editor.performAndWait { try editor.save() }
        try #require(try a.count("Clock") == 1)
        try await meanwhile(between, on: a)
        try a.delete("home")
        try await Device.settle(a, b)
        try await expectGone(a, b)
    }

    @Test("is not mistaken on another device for any version of the earlier one")
    func readBefore() async throws {
        let (a, b) = try await devices()
        nonisolated(unsafe) var readings: [(NSManagedObjectContext, NSManagedObject)] = []
        for number in 0..<12 {
            let reader = a.container.newBackgroundContext()
            let clock = try reader.performAndWait {
                let clock = try Device.clock("home", in: reader)
                #expect(clock.value(forKey: "label") as? String == "home")
                return clock
            }
            readings.append((reader, clock))
            try b.change("home", ["note": "\(number)"])
            try await Device.settle(b, a)
        }
        let editor = b.container.newBackgroundContext()
        try editor.performAndWait {
            editor.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try Device.clock("home", in: editor).setValue("again", forKey: "note")
        }
        try b.delete("home")
        try await Device.settle(b, a)
        #expect(try a.count("Clock") == 0)
        try editor.performAndWait { try editor.save() }
        try await Device.settle(b, a)
        for (reader, clock) in readings {
            let error = reader.performAndWait {
                clock.setValue("stale", forKey: "note")
                return #expect(throws: CocoaError.self) { try reader.save() }
            }
            #expect(error?.code == .managedObjectMerge)
        }
        #expect(try a.value("note", of: "home") == "again")
    }

    /// Syncs, and the server refuses to save or delete anything.
    private func syncRefused(_ device: Device) async {
        let fault = cloud.faults.add(
            .fail(.badRequest),
            for: .kind(.modifyRecords, device: device.cloudContainer.device), occurrences: .always)
        await device.attemptSync()
        cloud.faults.remove(fault)
    }

    /// What the server has when the deletion is refused, other than the deleted object.
    enum Difference: CaseIterable {
        /// Another device's edit, which the device cannot tell from what it had: it was told to forget the server.
        case unknown
        /// An earlier edit of the device, whose response was lost.
        case earlier
    }

    @Test(
        "has the same values everywhere if its deletion was refused",
        arguments: Difference.allCases, SMSyncConflictResolutionPolicy.allCases)
    func refused(difference: Difference, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices()
        for device in [a, b] {
            device.store.syncConflictResolutionPolicy = policy
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        switch difference {
        case .unknown:
            try b.change("home", ["note": "new"])
            try await b.store.sync()
            try a.store.resetCloudFieldsInBackingStore()
        case .earlier:
            try a.change("home", ["note": "sent"])
            try await a.syncLosingAnswer(on: cloud)
            try a.change("home", ["note": "later"])
        }
        let editor = a.container.newBackgroundContext()
        try editor.performAndWait {
            editor.mergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
            try Device.clock("home", in: editor).setValue(7, forKey: "position")
        }
        try a.delete("home")
        await syncRefused(a)
        try editor.performAndWait { try editor.save() }
        for _ in 1...2 { try await Device.settle(a, b) }
        try expectAgreement(a, b)
        #expect(try b.value("position", of: "home") == 7)
        if difference == .earlier { #expect(try b.value("note", of: "home") == "later") }
    }
}
