import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A device edits an object, and another one edits it, too, and gets a model in which another property of the object
/// has another field.
@Suite("A property that a device has yet to send to its new field", .allMigrationKinds)
struct FormerFieldConflictTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    /// The property that gets another field.
    enum Moved: CaseIterable {
        case attribute, encryptedAttribute, reference

        var name: String { self == .reference ? "garden" : "name" }

        func model(isNew: Bool) -> NSManagedObjectModel {
            let name = NSAttributeDescription("name", .stringAttributeType)
            name.allowsCloudEncryption = self == .encryptedAttribute && isNew
            let plant = NSEntityDescription(
                "Plant", [name, NSAttributeDescription("note", .stringAttributeType)])
            let garden = NSEntityDescription(
                "Garden", [NSAttributeDescription("name", .stringAttributeType)])
            NSRelationshipDescription.join((garden, "plants", 0), (plant, "garden", 1))
            if isNew {
                plant.propertiesByName[self.name]?.userInfo = [
                    SMStore.SMFieldNameUserInfoKey: "moved"
                ]
            }
            return NSManagedObjectModel(plant, garden)
        }
    }

    /// The record that the app's block returns.
    enum Choice: CaseIterable { case server, client, ancestor }

    private static let cases = Moved.allCases.flatMap { moved in
        Choice.allCases.map { (moved, $0) }
    }
    /// Versions that never agreed have no ancestor.
    private static let casesWithoutAncestor = cases.filter { $0.1 != .ancestor }

    private func devices(
        _ moved: Moved, _ choice: Choice, _ policy: Policy
    ) async throws -> (former: Device, updated: Device) {
        let former = try Device(
            "former", on: cloud, policy: policy, model: moved.model(isNew: false))
        let updated = try Device(
            "updated", on: cloud, policy: policy, model: moved.model(isNew: false))
        try former.edit { context in
            let plant = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
            let garden = NSEntityDescription.insertNewObject(
                forEntityName: "Garden", into: context)
            plant.setValue("fern", forKey: "name")
            garden.setValue("north", forKey: "name")
            plant.setValue(garden, forKey: "garden")
        }
        try await Device.settle(former, updated)
        for device in [former, updated] { try set("note", device.name, on: device) }
        return (former, updated)
    }

    private func set(_ key: String, _ value: String, on device: Device) throws {
        try device.edit { context in
            try #require(Device.all("Plant", in: context).first).setValue(value, forKey: key)
        }
    }

    private func update(
        _ device: Device, _ moved: Moved, _ choice: Choice
    ) throws {
        try device.relaunch(model: moved.model(isNew: true))
        device.store.recordConflictResolutionBlock = { server, client, ancestor in
            switch choice {
            case .server: server
            case .client: client
            case .ancestor: ancestor
            }
        }
    }

    /// Expects the property's value on both devices and in the new field, whatever has become of the note.
    private func expect(
        _ name: String, _ moved: Moved, _ choice: Choice, _ former: Device, _ updated: Device
    ) async throws {
        try await updated.store.sync()
        try update(former, moved, choice)
        try await Device.settle(former, updated)
        for device in [former, updated] {
            try device.read { context in
                for plant in try Device.all("Plant", in: context) {
                    let garden = plant.value(forKey: "garden") as? NSManagedObject
                    #expect(plant.value(forKey: "name") as? String == name, "\(device.name)")
                    #expect(garden?.value(forKey: "name") as? String == "north", "\(device.name)")
                }
            }
            #expect(try device.store.syncStatus().pendingChangeCount == 0, "\(device.name)")
        }
        for record in try await RawClient(cloud).records(ofType: "Plant") {
            let value: Any? =
                moved == .encryptedAttribute
                ? record.encryptedValues["moved"] as String? : record["moved"]
            #expect(value != nil)
        }
    }

    /// Lets the other device's edit of the note meet one that waits while the property moves.
    private func expectKept(
        _ row: (moved: Moved, choice: Choice), _ policy: Policy, isForgotten: Bool = false
    ) async throws {
        let (former, updated) = try await devices(row.moved, row.choice, policy)
        try await former.store.sync()
        if isForgotten { try updated.store.resetCloudFieldsInBackingStore() }
        try update(updated, row.moved, row.choice)
        try await expect("fern", row.moved, row.choice, former, updated)
    }

    @Test(
        "is not lost if the policy prefers another version of the object", arguments: cases,
        Policy.ofEachKind)
    func conflict(row: (moved: Moved, choice: Choice), policy: Policy) async throws {
        try await expectKept(row, policy)
    }

    @Test(
        "is not lost after resetCloudFieldsInBackingStore()", arguments: casesWithoutAncestor,
        Policy.ofEachKind)
    func forgotten(row: (moved: Moved, choice: Choice), policy: Policy) async throws {
        try await expectKept(row, policy, isForgotten: true)
    }

    @Test(
        "keeps an edit that nobody contests, if properties are merged",
        arguments: [Moved.attribute, .encryptedAttribute],
        [Policy.mergeByProperty, .mergeByPropertyClientWins])
    func edited(moved: Moved, policy: Policy) async throws {
        let (former, updated) = try await devices(moved, .server, policy)
        try set("name", "palm", on: updated)
        try await former.store.sync()
        try update(updated, moved, .server)
        try await expect("palm", moved, .server, former, updated)
    }

    @Test(
        "keeps its object if that was edited, and another device has deleted it",
        arguments: [Moved.attribute, .encryptedAttribute], Policy.ofEachKind)
    func deletedElsewhere(moved: Moved, policy: Policy) async throws {
        let (former, updated) = try await devices(moved, .client, policy)
        try await Device.settle(former, updated)
        try set("name", "palm", on: updated)
        try update(updated, moved, .client)
        try former.deleteAll("Plant")
        try await Device.settle(former, updated)
        for device in [former, updated] {
            #expect(try device.count("Plant") == (policy == .serverRecordWins ? 0 : 1))
        }
    }

    @Test(
        "does not tell a device that its edit has arrived because another device has sent it, too",
        arguments: Moved.allCases, Policy.ofEachKind)
    func sentByBoth(moved: Moved, policy: Policy) async throws {
        let (former, updated) = try await devices(moved, .client, policy)
        for device in [updated, former] { try update(device, moved, .client) }
        await updated.syncSendingNothing(on: cloud)
        try await former.store.sync()
        try await Device.settle(updated, former)
        let notes =
            switch policy {
            case .serverRecordWins, .mergeByProperty: ["former"]
            case .keepBoth: ["former", "updated"]
            default: ["updated"]
            }
        for device in [former, updated] {
            let values = try device.read { context in
                try Device.all("Plant", in: context).compactMap {
                    $0.value(forKey: "note") as? String
                }
            }
            #expect(values.sorted() == notes, "\(device.name)")
        }
    }

    /// How an object is deleted whose property moves.
    struct Deletion {
        let moved: Moved
        /// Whether it is deleted before the model changes.
        let isEarly: Bool
        /// Whether the answer to an edit of the property is lost before.
        var hasLostAnswer = false
    }

    private static let deletions = Moved.allCases.flatMap { moved in
        [false, true].flatMap { isEarly in
            // Only an edit of the moved property matters.
            (moved == .reference ? [false] : [false, true]).map {
                Deletion(moved: moved, isEarly: isEarly, hasLostAnswer: $0)
            }
        }
    }

    private func delete(_ deletion: Deletion, on device: Device) async throws {
        if deletion.hasLostAnswer {
            try set("name", "palm", on: device)
            try await device.syncLosingAnswer(on: cloud)
        }
        if deletion.isEarly { try device.deleteAll("Plant") }
        try update(device, deletion.moved, .server)
        if !deletion.isEarly { try device.deleteAll("Plant") }
    }

    @Test(
        "does not undo a deletion if nobody has edited the object", arguments: deletions,
        Policy.ofEachKind)
    func deletion(deletion: Deletion, policy: Policy) async throws {
        let (former, updated) = try await devices(deletion.moved, .server, policy)
        try await Device.settle(former, updated)
        try await delete(deletion, on: updated)
        try await RawClient(cloud).touchRecords(ofType: "Plant")
        try await Device.settle(updated, former)
        for device in [former, updated] { #expect(try device.count("Plant") == 0) }
    }

    @Test(
        "is there if an edit of another property undoes the deletion of the object",
        arguments: deletions, Policy.ofEachKind)
    func survival(deletion: Deletion, policy: Policy) async throws {
        let (former, updated) = try await devices(deletion.moved, .server, policy)
        try await Device.settle(former, updated)
        try await delete(deletion, on: updated)
        try await former.store.sync()
        try set("note", "new", on: former)
        try await former.store.sync()
        if policy == .clientRecordWins {
            try await Device.settle(updated, former)
            for device in [former, updated] { #expect(try device.count("Plant") == 0) }
        } else {
            let name = deletion.hasLostAnswer ? "palm" : "fern"
            try await expect(name, deletion.moved, .server, former, updated)
            for device in [former, updated] { #expect(try device.count("Plant") == 1) }
        }
    }
}
