import CoreData
import LocalCloud
import Seam3
import Testing

/// A device migrates, and its changes still wait when it migrates again.
@Suite("A waiting change", .allMigrationKinds) struct RepeatedMigrationTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud = LocalCloud.inMemory()

    /// What a model has for the note and the folder of items.
    enum Version: CaseIterable {
        /// They are not synced.
        case unsynced
        case synced
        /// They have other names, and the same fields.
        case renamed
        /// They have other names, and therefore other fields.
        case moved

        var isRenamed: Bool { self == .renamed || self == .moved }
        var note: String { isRenamed ? "remark" : "note" }
        var folder: String { isRenamed ? "place" : "folder" }

        func model() -> NSManagedObjectModel {
            let note = NSAttributeDescription(note, .stringAttributeType)
            let item = NSEntityDescription(
                "Item", [NSAttributeDescription("name", .stringAttributeType), note])
            let folders = NSEntityDescription(
                "Folder", [NSAttributeDescription("name", .stringAttributeType)])
            NSRelationshipDescription.join((item, folder, 1), (folders, "items", 0))
            for (property, name) in [
                (note, "note"), (item.relationshipsByName[folder] ?? note, "folder"),
            ] {
                property.renamingIdentifier = name
                switch self {
                case .unsynced: property.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
                case .renamed: property.userInfo = [SMStore.SMFieldNameUserInfoKey: name]
                case .synced, .moved: break
                }
            }
            if self == .unsynced {
                folders.relationshipsByName["items"]?.userInfo = [
                    SMStore.SMSyncedUserInfoKey: "NO"
                ]
            }
            return NSManagedObjectModel(item, folders)
        }
    }

    /// The last migrations, and all policies.
    private static let cases = [Version.renamed, .moved].flatMap { version in
        Policy.allCases.map { (version, $0) }
    }
    /// The last migrations, and the policies that find out which properties were changed, also of an object whose
    /// server is forgotten.
    private static let mergingCases = [Version.renamed, .moved].flatMap { version in
        [(version, Policy.mergeByProperty), (version, .mergeByPropertyClientWins)]
    }

    /// Two devices that have an item with a note, which is in a folder.
    private func devices(_ version: Version, _ policy: Policy) async throws -> (Device, Device) {
        let a = try Device("a", on: cloud, policy: policy, model: version.model())
        let b = try Device("b", on: cloud, policy: policy, model: version.model())
        try a.edit { context in
            for name in ["Item", "Folder"] {
                NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                    .setValue(name, forKey: "name")
            }
        }
        try await Device.settle(a, b)
        try a.edit { context in
            let item = try #require(Device.all("Item", in: context).first)
            item.setValue("old", forKey: version.note)
            item.setValue(try Device.all("Folder", in: context).first, forKey: version.folder)
        }
        try await Device.settle(a, b)
        return (a, b)
    }

    private func set(_ key: String, _ value: String?, on device: Device) throws {
        try device.edit { context in
            try #require(Device.all("Item", in: context).first).setValue(value, forKey: key)
        }
    }

    private func values(_ key: String, on device: Device) throws -> [String?] {
        try device.read { context in
            try Device.all("Item", in: context).map { $0.value(forKeyPath: key) as? String }
        }
    }

    private func migrate(_ device: Device, to versions: Version...) throws {
        for version in versions { try device.relaunch(model: version.model()) }
    }

    private func expectSound(_ devices: Device...) throws {
        for device in devices {
            #expect(try device.store.checkInvariants() == [])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    // MARK: - Changes that no user has made

    @Test(
        "that a migration has made does not undo a deletion after the next migration",
        arguments: cases)
    func deletion(last: Version, policy: Policy) async throws {
        let (a, b) = try await devices(.unsynced, policy)
        try migrate(a, to: .synced, last)
        try b.deleteAll("Item")
        try await Device.settle(b, a, b)
        for device in [a, b] { #expect(try device.count("Item") == 0) }
        try migrate(b, to: last)
        try await Device.settle(b, a)
        try expectSound(a, b)
    }

    @Test(
        "that a migration has made does not beat a user's edit after the next migration",
        arguments: cases)
    func edit(last: Version, policy: Policy) async throws {
        let (a, b) = try await devices(.unsynced, policy)
        try migrate(a, to: .synced, last)
        try migrate(b, to: .synced, last)
        try set(last.note, "new", on: b)
        try await Device.settle(b, a, b)
        for device in [a, b] {
            #expect(try values(last.note, on: device) == ["new"])
            #expect(try values("\(last.folder).name", on: device) == ["Folder"])
        }
        try expectSound(a, b)
    }

    @Test(
        "that empties what a migration sends again survives a deletion, unless the policy lets that win",
        arguments: Policy.allCases, [Version.unsynced, .synced])
    func emptiedBesideDeletion(policy: Policy, first: Version) async throws {
        let last = first == .unsynced ? Version.synced : .moved
        let (a, b) = try await devices(first, policy)
        try migrate(a, to: last)
        try set(last.note, nil, on: a)
        try b.deleteAll("Item")
        try await Device.settle(b, a)
        try migrate(b, to: last)
        try await Device.settle(b, a)
        for device in [a, b] {
            #expect(
                try values(last.note, on: device) == (policy == .serverRecordWins ? [] : [nil]))
        }
        try expectSound(a, b)
    }

    // MARK: - Changes to what the server has

    /// Two devices, of which one forgets the server and makes a change before it migrates and sends that.
    private func devices(
        migratedTo last: Version, _ policy: Policy, change: (Device) throws -> Void
    ) async throws -> (Device, Device) {
        let (a, b) = try await devices(.synced, policy)
        try a.store.resetCloudFieldsInBackingStore()
        try change(a)
        try migrate(a, to: last)
        try await a.store.sync()
        try migrate(b, to: last)
        try await Device.settle(b, a)
        return (a, b)
    }

    @Test(
        "to a value that nobody else has changed stands if the server was forgotten before the migration",
        arguments: mergingCases)
    func forgotten(last: Version, policy: Policy) async throws {
        let (a, b) = try await devices(migratedTo: last, policy) { try set("note", "new", on: $0) }
        for device in [a, b] { #expect(try values(last.note, on: device) == ["new"]) }
        try expectSound(a, b)
    }

    @Test(
        "that empties a value stands if the server was forgotten before the migration",
        arguments: mergingCases)
    func emptied(last: Version, policy: Policy) async throws {
        let (a, b) = try await devices(migratedTo: last, policy) { device in
            try device.edit { context in
                let item = try #require(Device.all("Item", in: context).first)
                item.setValue(nil, forKey: "note")
                item.setValue(nil, forKey: "folder")
            }
        }
        for device in [a, b] {
            #expect(try values(last.note, on: device) == [nil])
            #expect(try values("\(last.folder).name", on: device) == [nil])
        }
        try expectSound(a, b)
    }

    @Test(
        "that deletes an edited object stands if the server was forgotten before the migration",
        arguments: cases)
    func forgottenDeletion(last: Version, policy: Policy) async throws {
        let (a, b) = try await devices(migratedTo: last, policy) { device in
            try set("note", "new", on: device)
            try device.deleteAll("Item")
        }
        for device in [a, b] { #expect(try device.count("Item") == 0) }
        try expectSound(a, b)
    }
}
