import CoreData
import LocalCloud
import Seam3
import Testing

/// Two devices migrate to a model that syncs more. One of them sends its values, and the other one has a change that
/// waits.
@Suite("The first value of a property that a migration sends", .allMigrationKinds)
struct FirstValueTests {
    let cloud = LocalCloud.inMemory()

    /// When the other device makes its change, and the note that it has.
    struct Situation: CustomTestStringConvertible {
        let isUpgraded: Bool
        let note: String?

        static let all = [false, true].flatMap { isUpgraded in
            ["same", "other", nil].map { Situation(isUpgraded: isUpgraded, note: $0) }
        }

        var testDescription: String {
            "\(isUpgraded ? "after" : "before") the migration, \(note ?? "nil")"
        }
    }

    /// A model of items with a name, a note and a folder.
    ///
    /// - Parameter syncsAll: Whether the note and the folder are synced.
    private static func model(syncsAll: Bool) -> NSManagedObjectModel {
        let info: [String: Any] = syncsAll ? [:] : [SMStore.SMSyncedUserInfoKey: "NO"]
        let note = NSAttributeDescription("note", .stringAttributeType)
        note.userInfo = info
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType), note])
        let folder = NSEntityDescription(
            "Folder", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((item, "folder", 1), (folder, "items", 0))
        for relationship in [item, folder].flatMap(\.relationshipsByName.values) {
            relationship.userInfo = info
        }
        return NSManagedObjectModel(item, folder)
    }

    private static let former = model(syncsAll: false)
    private static let present = model(syncsAll: true)

    /// Two devices with an item and a folder, of which only the first one's item has a note and is in the folder.
    private func devices(_ policy: SMSyncConflictResolutionPolicy) async throws -> (Device, Device)
    {
        let a = try Device("a", on: cloud, policy: policy, model: Self.former)
        let b = try Device("b", on: cloud, policy: policy, model: Self.former)
        try a.add("Folder", ["name": "folder"])
        try a.add("Item", ["name": "item"])
        try await Device.settle(a, b)
        try set("note", "same", on: a)
        return (a, b)
    }

    private func set(_ key: String, _ value: String?, on device: Device) throws {
        try device.edit { context in
            for item in try Device.all("Item", in: context) { item.setValue(value, forKey: key) }
        }
    }

    private func putIntoFolder(on device: Device) throws {
        try device.edit { context in
            let folder = try #require(try Device.all("Folder", in: context).first)
            for item in try Device.all("Item", in: context) {
                item.setValue(folder, forKey: "folder")
            }
        }
    }

    private func values(_ key: String, on device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Item", in: context)
                .map { ($0.value(forKeyPath: key) as? String) ?? "nil" }
        }
    }

    /// Lets the first device send its values, and the other one make a change before or after it is migrated.
    private func upgrade(
        _ a: Device, _ b: Device, _ situation: Situation, change: () throws -> Void
    ) async throws {
        try set("note", situation.note, on: b)
        if !situation.isUpgraded { try change() }
        try a.relaunch(model: Self.present)
        try await a.store.sync()
        try b.relaunch(model: Self.present)
        if situation.isUpgraded { try change() }
        try await Device.settle(b, a)
        for device in [a, b] {
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "does not undo a deletion that waits",
        arguments: Situation.all, SMSyncConflictResolutionPolicy.allCases)
    func deletion(situation: Situation, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        try await upgrade(a, b, situation) { try b.deleteAll("Item") }
        for device in [a, b] { #expect(try device.count("Item") == 0) }
    }

    @Test(
        "does not compete with an edit that waits",
        arguments: Situation.all, SMSyncConflictResolutionPolicy.allCases)
    func edit(situation: Situation, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        try await upgrade(a, b, situation) { try set("name", "edited", on: b) }
        for device in [a, b] {
            #expect(try values("name", on: device) == ["edited"])
            #expect(try values("note", on: device) == ["same"])
        }
    }

    @Test(
        "does not compete with an edit of a device that had migrated long before",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func editAfterSync(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        try b.relaunch(model: Self.present)
        try await b.store.sync()
        try set("name", "edited", on: b)
        try a.relaunch(model: Self.present)
        try await a.store.sync()
        try await Device.settle(b, a)
        for device in [a, b] {
            #expect(try values("name", on: device) == ["edited"])
            #expect(try values("note", on: device) == ["same"])
        }
    }

    @Test(
        "does not undo a deletion if it is a reference", arguments: [false, true],
        SMSyncConflictResolutionPolicy.allCases)
    func deletionBesideReference(
        isUpgraded: Bool, policy: SMSyncConflictResolutionPolicy
    ) async throws {
        let (a, b) = try await devices(policy)
        try putIntoFolder(on: a)
        try await upgrade(a, b, Situation(isUpgraded: isUpgraded, note: nil)) {
            try b.deleteAll("Item")
        }
        for device in [a, b] { #expect(try device.count("Item") == 0) }
    }

    @Test(
        "does not compete with an edit if it is a reference", arguments: [false, true],
        SMSyncConflictResolutionPolicy.allCases)
    func editBesideReference(
        isUpgraded: Bool, policy: SMSyncConflictResolutionPolicy
    ) async throws {
        let (a, b) = try await devices(policy)
        try putIntoFolder(on: a)
        try await upgrade(a, b, Situation(isUpgraded: isUpgraded, note: nil)) {
            try set("name", "edited", on: b)
        }
        for device in [a, b] {
            #expect(try values("name", on: device) == ["edited"])
            #expect(try values("folder.name", on: device) == ["folder"])
        }
    }

    @Test(
        "survives a conflict with a device that does not sync the property, or has no value",
        arguments: [false, true], SMSyncConflictResolutionPolicy.allCases)
    func conflict(isUpgraded: Bool, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        try putIntoFolder(on: a)
        try await contest(a, b, isUpgraded)
        for device in [a, b] {
            #expect(Set(try values("note", on: device)) == ["same"])
            #expect(Set(try values("folder.name", on: device)) == ["folder"])
        }
    }

    @Test(
        "survives such a conflict if a user has replaced it before it was sent",
        arguments: [false, true], SMSyncConflictResolutionPolicy.allCases)
    func conflictAfterEdit(isUpgraded: Bool, policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        try await contest(a, b, isUpgraded) { try set("note", "edited", on: a) }
        for device in [a, b] { #expect(Set(try values("note", on: device)) == ["edited"]) }
    }

    /// Lets both devices edit the name, while the first one has yet to send its values.
    private func contest(
        _ a: Device, _ b: Device, _ isUpgraded: Bool, edit: () throws -> Void = {}
    ) async throws {
        try a.relaunch(model: Self.present)
        try set("name", "mine", on: a)
        try edit()
        if isUpgraded { try b.relaunch(model: Self.present) }
        try set("name", "theirs", on: b)
        try await b.store.sync()
        try await a.store.sync()
        try b.relaunch(model: Self.present)
        try await Device.settle(b, a)
        for device in [a, b] {
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test(
        "is told from an edit of a value that both devices had",
        arguments: SMSyncConflictResolutionPolicy.allCases.filter { $0 != .clientRecordWins })
    func laterEdit(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        for device in [a, b] { try device.relaunch(model: Self.present) }
        try await Device.settle(a, b)
        try b.deleteAll("Item")
        try set("note", "edited", on: a)
        try await a.store.sync()
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try values("note", on: device) == ["edited"]) }
    }

    @Test(
        "does not undo the deletion on a device that has forgotten the server, if it is a default",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func defaultOfNewAttribute(policy: SMSyncConflictResolutionPolicy) async throws {
        let rank = NSAttributeDescription("rank", .integer64AttributeType)
        rank.isOptional = false
        rank.defaultValue = 3
        let models = [[], [rank]].map { attributes in
            NSManagedObjectModel(
                NSEntityDescription(
                    "Item", [NSAttributeDescription("name", .stringAttributeType)] + attributes))
        }
        let a = try Device("a", on: cloud, policy: policy, model: models[0])
        let b = try Device("b", on: cloud, policy: policy, model: models[0])
        try a.add("Item", ["name": "item"])
        try a.relaunch(model: models[1])
        try await Device.settle(a, b)
        try b.store.resetCloudFieldsInBackingStore()
        try b.deleteAll("Item")
        try b.relaunch(model: models[1])
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try device.count("Item") == 0) }
    }

    @Test(
        "may be an edit if the device that deletes the object knows that its record had none",
        arguments: SMSyncConflictResolutionPolicy.allCases.filter { $0 != .clientRecordWins })
    func deletionAfterSync(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = try await devices(policy)
        try set("note", nil, on: a)
        for device in [a, b] { try device.relaunch(model: Self.present) }
        try await Device.settle(a, b)
        try set("note", "edited", on: a)
        try b.deleteAll("Item")
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try values("note", on: device) == ["edited"]) }
    }

    @Test(
        "is told from the first value of an attribute that is new in the model",
        arguments: SMSyncConflictResolutionPolicy.allCases.filter { $0 != .clientRecordWins })
    func newAttribute(policy: SMSyncConflictResolutionPolicy) async throws {
        let models = [["name"], ["name", "note"]].map { names in
            NSManagedObjectModel(
                NSEntityDescription(
                    "Item", names.map { NSAttributeDescription($0, .stringAttributeType) }))
        }
        let a = try Device("a", on: cloud, policy: policy, model: models[0])
        let b = try Device("b", on: cloud, policy: policy, model: models[0])
        try a.add("Item", ["name": "item"])
        try await Device.settle(a, b)
        try b.deleteAll("Item")
        try a.relaunch(model: models[1])
        try set("note", "edited", on: a)
        try await a.store.sync()
        try b.relaunch(model: models[1])
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try values("note", on: device) == ["edited"]) }
    }
}
