import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// What devices with a former model write to the field that a property had in it.
@Suite("The former field of a property that another model stores in a new one", .allMigrationKinds)
struct FormerFieldTests {
    let cloud = LocalCloud.inMemory()

    private typealias Policy = SMSyncConflictResolutionPolicy

    private static let former = SyncSettingMigrationTests.model()
    private static let present = model(field: "remark")

    private static func model(field: String) -> NSManagedObjectModel {
        SyncSettingMigrationTests.model(note: [SMStore.SMFieldNameUserInfoKey: field])
    }

    private func device(
        _ name: String, _ model: NSManagedObjectModel = former,
        _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) throws -> Device {
        try Device(name, on: cloud, policy: policy, model: model)
    }

    /// Two devices with the former model that have an item with the note "old".
    private func formerDevices(
        _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) async throws -> (updated: Device, former: Device) {
        let (updated, former) = (
            try device("updated", Self.former, policy), try device("former", Self.former, policy)
        )
        try updated.add("Item", ["name": "item", "note": "old"])
        try await Device.settle(updated, former)
        return (updated, former)
    }

    /// The same devices, after the first one has got the new model.
    private func devices(
        _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) async throws -> (updated: Device, former: Device) {
        let (updated, former) = try await formerDevices(policy)
        try updated.relaunch(model: Self.present)
        try await Device.settle(updated, former)
        return (updated, former)
    }

    private func set(_ note: String?, on device: Device, name: String = "item") throws {
        try device.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue(note, forKey: "note")
                item.setValue(name, forKey: "name")
            }
        }
    }

    private func notes(_ device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Item", in: context)
                .map { ($0.value(forKey: "note") as? String) ?? "nil" }.sorted()
        }
    }

    private func expect(
        _ notes: [String], on devices: Device..., sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for device in devices {
            #expect(try self.notes(device) == notes, sourceLocation: sourceLocation)
            #expect(
                try device.store.syncStatus().pendingChangeCount == 0,
                sourceLocation: sourceLocation)
            #expect(try device.store.checkInvariants() == [], sourceLocation: sourceLocation)
        }
        let fresh = try device("fresh", Self.present)
        try await fresh.store.sync()
        #expect(try self.notes(fresh) == notes, sourceLocation: sourceLocation)
    }

    @Test("is followed: an edit in it arrives, and is sent to the new field")
    func edit() async throws {
        let (updated, former) = try await devices()
        try set("new", on: former)
        try await Device.settle(former, updated)
        try await expect(["new"], on: updated)
        try former.relaunch(model: Self.present)
        try await Device.settle(former, updated)
        try await expect(["new"], on: updated, former)
    }

    @Test("is followed when a value in it is removed")
    func removal() async throws {
        let (updated, former) = try await devices()
        try set(nil, on: former)
        try await Device.settle(former, updated)
        try await expect(["nil"], on: updated)
    }

    @Test(
        "is emptied when the value is removed, so that a device that gets the model later does not send it again",
        arguments: SMSyncConflictResolutionPolicy.ofEachKind, Removal.allCases)
    func removalByUpdated(policy: SMSyncConflictResolutionPolicy, removal: Removal) async throws {
        let (updated, former) = try await formerDevices(policy)
        if removal == .beforeUpgrade { try set(nil, on: updated) }
        try updated.relaunch(model: Self.present)
        if removal == .afterUpgrade { try set(nil, on: updated) }
        if removal == .afterSync || removal == .afterSyncWithoutAnswer {
            try await updated.store.sync()
            try set(nil, on: updated)
        }
        if removal == .afterSyncWithoutAnswer {
            try await updated.syncLosingAnswer(on: cloud, model: Self.present)
        }
        try await updated.store.sync()
        try former.relaunch(model: Self.present)
        try await Device.settle(former, updated)
        try await expect(["nil"], on: updated, former)
        try set("again", on: updated)
        try await Device.settle(updated, former)
        try await expect(["again"], on: updated, former)
    }

    /// When a device with the new model removes a value.
    enum Removal: CaseIterable {
        case beforeUpgrade, afterUpgrade, afterSync, afterSyncWithoutAnswer
    }

    @Test("is emptied when the value is removed: a device with the former model sees that")
    func removalReachesFormer() async throws {
        let (updated, former) = try await devices()
        try set(nil, on: updated)
        try await Device.settle(updated, former)
        try await expect(["nil"], on: updated, former)
        // The present field still counts for devices that know it.
        try set("new", on: updated)
        try await Device.settle(updated, former)
        try await expect(["new"], on: updated)
        try set("later", on: former)
        try await Device.settle(former, updated)
        try await expect(["later"], on: updated, former)
    }

    @Test("is followed for each edit, one after the other")
    func edits() async throws {
        let (updated, former) = try await devices()
        for note in ["first", "second", "old"] {
            try set(note, on: former)
            try await Device.settle(former, updated)
            try await expect([note], on: updated)
        }
    }

    @Test("is not followed when another property is edited: the new field keeps a later value")
    func otherProperty() async throws {
        let (updated, former) = try await devices()
        try set("newer", on: updated)
        try await Device.settle(updated, former)
        try set("old", on: former, name: "renamed")
        try await Device.settle(former, updated)
        try await expect(["newer"], on: updated)
        #expect(
            try updated.read { try Device.all("Item", in: $0).first?.value(forKey: "name") }
                as? String == "renamed")
    }

    @Test(
        "has edits that were not fetched before the new model came", arguments: Policy.ofEachKind,
        [("new", true), ("new", false), (nil, true), (nil, false)])
    func unfetchedEdit(
        policy: SMSyncConflictResolutionPolicy, edit: (note: String?, upgradesItself: Bool)
    ) async throws {
        let (note, upgradesItself) = edit
        let (updated, former) = try await formerDevices(policy)
        try set(note, on: former)
        try await former.store.sync()
        try updated.relaunch(model: Self.present)
        if upgradesItself { try former.relaunch(model: Self.present) }
        try await Device.settle(updated, former)
        try await expect([note ?? "nil"], on: updated)
        if upgradesItself { #expect(try notes(former) == [note ?? "nil"]) }
    }

    @Test(
        "has the edit of a device that gets the new model before others have fetched it",
        arguments: Policy.ofEachKind)
    func editBeforeUpgrade(policy: SMSyncConflictResolutionPolicy) async throws {
        let (updated, former) = try await devices(policy)
        try set("new", on: former)
        try await former.store.sync()
        try former.relaunch(model: Self.present)
        try await Device.settle(former, updated)
        try await former.store.sync()
        try await expect(["new"], on: updated, former)
    }

    @Test("does not undo a deletion that knew its value")
    func deletionOfKnownEdit() async throws {
        let (updated, former) = try await formerDevices()
        try set("new", on: former)
        try await former.store.sync()
        try updated.relaunch(model: Self.present)
        try former.relaunch(model: Self.present)
        try former.deleteAll("Item")
        try await Device.settle(updated, former)
        try await expect([], on: updated, former)
    }

    @Test(
        "does not undo an older deletion when another device sends its value again",
        arguments: Policy.ofEachKind)
    func deletionBeforeUpgrade(policy: SMSyncConflictResolutionPolicy) async throws {
        let updated = try device("updated", Self.former, policy)
        let former = try device("former", Self.former, policy)
        try former.add("Item", ["name": "item", "note": "old"])
        try await former.store.sync()
        try former.deleteAll("Item")
        try former.relaunch(model: Self.present)
        try await updated.store.sync()
        try updated.relaunch(model: Self.present)
        try await Device.settle(updated, former)
        try await expect([], on: updated, former)
    }

    @Test(
        "does not undo a deletion whose device has fetched the record", arguments: Policy.ofEachKind
    )
    func deletionThatWaits(policy: SMSyncConflictResolutionPolicy) async throws {
        let (updated, former) = try await formerDevices(policy)
        try updated.relaunch(model: Self.present)
        try updated.deleteAll("Item")
        await updated.syncSendingNothing(on: cloud)
        try former.relaunch(model: Self.present)
        try await Device.settle(former, updated)
        try await expect([], on: updated, former)
    }

    /// An edit in the former field, and whether the other device has sent the new field before.
    private static let edits: [(note: String?, isSent: Bool)] = [
        ("new", true), ("new", false), (nil, true), (nil, false),
    ]

    @Test(
        "has an edit that meets a deletion as usual", arguments: Policy.ofEachKind, Self.edits)
    func deletion(
        policy: SMSyncConflictResolutionPolicy, edit: (note: String?, isSent: Bool)
    ) async throws {
        let (updated, former) = try await formerDevices(policy)
        try updated.relaunch(model: Self.present)
        if edit.isSent { try await Device.settle(updated, former) }
        try updated.deleteAll("Item")
        try set(edit.note, on: former)
        try await former.store.sync()
        try await Device.settle(updated, former)
        try await expect(
            policy == .clientRecordWins ? [] : [edit.note ?? "nil"], on: updated)
    }

    @Test(
        "has an edit that is contested by one of the new field", arguments: Policy.ofEachKind,
        Self.edits)
    func conflict(
        policy: SMSyncConflictResolutionPolicy, edit: (note: String?, isSent: Bool)
    ) async throws {
        let (updated, former) = try await formerDevices(policy)
        try updated.relaunch(model: Self.present)
        if edit.isSent { try await Device.settle(updated, former) }
        nonisolated(unsafe) var seen: [String?] = []
        updated.store.recordConflictResolutionBlock = { server, client, _ in
            seen += [server["remark"], client["remark"]]
            return server
        }
        try set("mine", on: updated)
        try set(edit.note, on: former)
        try await former.store.sync()
        try await Device.settle(updated, former)
        let theirs = edit.note ?? "nil"
        switch policy {
        case .clientRecordWins, .mergeByPropertyClientWins:
            try await expect(["mine"], on: updated)
        case .keepBoth: try await expect(["mine", theirs], on: updated)
        case .clientTellsWhichWins, .mergeByPropertyClientTells:
            try await expect([theirs], on: updated)
            #expect(seen == [edit.note, "mine"])
        case .serverRecordWins, .mergeByProperty: try await expect([theirs], on: updated)
        }
    }

    @Test("has the values of an object that a device with the former model creates")
    func newObject() async throws {
        let (updated, former) = try await devices()
        try former.add("Item", ["name": "other", "note": "other"])
        try await Device.settle(former, updated)
        try await expect(["old", "other"], on: updated)
    }

    @Test("is missing in a record that a device with the new model has made again")
    func madeAgain() async throws {
        let (updated, former) = try await devices(.keepBoth)
        let other = try device("other", Self.present, .keepBoth)
        try await other.store.sync()
        try set("kept", on: other)
        try former.deleteAll("Item")
        try await former.store.sync()
        try await Device.settle(other, updated)
        try await expect(["kept"], on: updated, other)
    }

    @Test("may have what was sent without a response, which is no edit")
    func lostResponse() async throws {
        let updated = try device("updated")
        try updated.add("Item", ["name": "item", "note": "old"])
        try await updated.store.sync()
        try set("sent", on: updated)
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: (any Error).self) { try await updated.store.sync() }
        try updated.relaunch(model: Self.present)
        try set("mine", on: updated)
        try await updated.store.sync()
        try await expect(["mine"], on: updated)
    }

    @Test("is followed if it is older than another former field")
    func movedTwice() async throws {
        let (updated, former) = try await devices()
        try updated.relaunch(model: Self.model(field: "comment"))
        try await Device.settle(updated, former)
        try set("new", on: former)
        try await Device.settle(former, updated)
        #expect(try notes(updated) == ["new"])
        #expect(try await RawClient(cloud).records().first?["comment"] == "new")
    }

    @Test("is followed after a migration by a mapping model, too")
    func mappedMigration() async throws {
        let (updated, former) = try await devices()
        func present() -> NSManagedObjectModel { Self.model(field: "remark") }
        let next = present()
        next.entitiesByName["Item"]?.properties.append(
            NSAttributeDescription("caption", .stringAttributeType))
        let coordinator = updated.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let files = ["Clocks", "New"].map {
            updated.directory.appendingPathComponent("\($0).sqlite")
        }
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: present(), destinationModel: next)
        try NSMigrationManager(sourceModel: present(), destinationModel: next).migrateStore(
            from: files[0], sourceType: SMStore.type, with: mapping, toDestinationURL: files[1],
            destinationType: SMStore.type)
        try coordinator.replacePersistentStore(
            at: files[0], withPersistentStoreFrom: files[1], ofType: SMStore.type)
        try updated.open(model: next)
        try await Device.settle(updated, former)
        try await expect(["old"], on: updated)
        try set("new", on: former)
        try await Device.settle(former, updated)
        try await expect(["new"], on: updated)
    }

    @Test("becomes the field again if the name is taken back")
    func takenBack() async throws {
        let (updated, former) = try await devices()
        try updated.relaunch(model: Self.former)
        try await Device.settle(updated, former)
        for device in [former, updated] {
            try set("from \(device.name)", on: device)
            try await Device.settle(device, former, updated)
            for other in [former, updated] {
                #expect(try notes(other) == ["from \(device.name)"])
            }
        }
    }

    @Test("is not followed if another property has it")
    func takenOver() async throws {
        let (updated, former) = try await devices()
        let note = NSAttributeDescription("note", .stringAttributeType)
        note.userInfo = [SMStore.SMFieldNameUserInfoKey: "remark"]
        let other = NSAttributeDescription("other", .stringAttributeType)
        other.userInfo = [SMStore.SMFieldNameUserInfoKey: "note"]
        let name = NSAttributeDescription("name", .stringAttributeType)
        try updated.relaunch(
            model: NSManagedObjectModel(NSEntityDescription("Item", [name, note, other])))
        try await Device.settle(updated, former)
        try set("new", on: former)
        try await Device.settle(former, updated)
        #expect(try notes(updated) == ["old"])
    }
}
