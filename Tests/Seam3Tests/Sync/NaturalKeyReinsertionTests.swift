import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A context has changed the natural key of an object that another context has deleted in the meantime, and saves it.
@Suite("An object with a natural key that a save inserts again with another key")
struct NaturalKeyReinsertionTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static func tags(on device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            return try Device.all("Tag", in: context).map { tag in
                ["name", "color"].map { tag.value(forKey: $0) as? String ?? "-" }
                    .joined(separator: " ")
            }.sorted()
        }
    }

    @Test(
        "remains the same object if another device has edited it",
        arguments: [
            (Policy.serverRecordWins, ["work red"]), (.clientRecordWins, ["home -"]),
            (.clientTellsWhichWins, ["work red"]), (.keepBoth, ["home red"]),
            (.mergeByProperty, ["home red"]), (.mergeByPropertyClientWins, ["home red"]),
            (.mergeByPropertyClientTells, ["home red"]),
        ], [false, true])
    func edited(
        _ outcome: (policy: Policy, tags: [String]), wasDeletionTried: Bool
    ) async throws {
        let policy = outcome.policy
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, policy: policy, model: TagModel.make())
        let b = try Device("b", on: cloud, policy: policy, model: TagModel.make())
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, _, _ in server }
        }
        try a.add("Tag", ["name": "work"])
        try await Device.settle(a, b)
        let editor = a.container.newBackgroundContext()
        try editor.performAndWait {
            editor.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try Device.object("Tag", "work", in: editor).setValue("home", forKey: "name")
        }
        try a.edit { $0.delete(try Device.object("Tag", "work", in: $0)) }
        if wasDeletionTried { await a.syncSendingNothing(on: cloud) }
        try b.edit { try Device.object("Tag", "work", in: $0).setValue("red", forKey: "color") }
        try await b.store.sync()
        try editor.performAndWait { try editor.save() }
        for _ in 1...2 { try await Device.settle(a, b) }
        for device in [a, b] {
            let tags = try Self.tags(on: device)
            // The server's version may be one that was made after the deletion, so it may win as a whole.
            #expect(tags == outcome.tags || wasDeletionTried && tags == ["work red"])
            #expect(try device.store.checkInvariants() == [])
        }
    }
}
