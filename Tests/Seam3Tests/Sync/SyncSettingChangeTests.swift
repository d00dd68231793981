import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A new version of the model changes which properties are synced, and how.
@Suite("A change of the model's sync settings", .allMigrationKinds)
struct SyncSettingChangeTests {
    let cloud = LocalCloud.inMemory()

    /// The settings in the two versions of the model.
    struct Settings: Sendable {
        var noteIsSynced = true
        var itemIsSynced = true
        var relationshipIsSynced = true
        var linkIsSynced = true
        var noteField: String?
        var itemType: String?
        var isEncrypted = false
        var version = 1

        func model() -> NSManagedObjectModel {
            let note = NSAttributeDescription("note", .stringAttributeType)
            var info: [String: Any] = [:]
            if !noteIsSynced { info[SMStore.SMSyncedUserInfoKey] = "NO" }
            if let noteField { info[SMStore.SMFieldNameUserInfoKey] = noteField }
            note.userInfo = info
            note.allowsCloudEncryption = isEncrypted
            let item = NSEntityDescription(
                "Item", [NSAttributeDescription("name", .stringAttributeType), note])
            var itemInfo: [String: Any] = [:]
            if !itemIsSynced { itemInfo[SMStore.SMSyncedUserInfoKey] = "NO" }
            if let itemType { itemInfo[SMStore.SMRecordTypeUserInfoKey] = itemType }
            item.userInfo = itemInfo
            let box = NSEntityDescription(
                "Box", [NSAttributeDescription("name", .stringAttributeType)])
            NSRelationshipDescription.join((item, "box", 1), (box, "items", 0))
            NSRelationshipDescription.join((item, "former", 0), (box, "formerItems", 0))
            let local =
                (relationshipIsSynced ? [] : ["box", "items"])
                + (linkIsSynced ? [] : ["former", "formerItems"])
            for relationship in [item, box].flatMap(\.relationshipsByName.values)
            where local.contains(relationship.name) {
                relationship.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
            }
            return NSManagedObjectModel(item, box)
        }
    }

    /// A change of the settings.
    struct Change: Sendable, CustomTestStringConvertible {
        let name: String
        let before: Settings
        let after: Settings

        var testDescription: String { name }
    }

    static let changes: [Change] = [
        Change(
            name: "an attribute is synced from now on",
            before: Settings(noteIsSynced: false), after: Settings()),
        Change(
            name: "an entity is synced from now on",
            before: Settings(itemIsSynced: false), after: Settings()),
        Change(
            name: "a relationship is synced from now on",
            before: Settings(relationshipIsSynced: false), after: Settings()),
        Change(
            name: "a many-to-many relationship is synced from now on",
            before: Settings(linkIsSynced: false), after: Settings()),
        Change(
            name: "a field gets a name", before: Settings(), after: Settings(noteField: "remark")),
        Change(
            name: "a field gets another name", before: Settings(noteField: "comment"),
            after: Settings(noteField: "remark")),
        Change(
            name: "a record type gets a name", before: Settings(),
            after: Settings(itemType: "Thing")),
        Change(
            name: "a record type gets another name", before: Settings(itemType: "Object"),
            after: Settings(itemType: "Thing")),
        Change(
            name: "a field is encrypted from now on", before: Settings(),
            after: Settings(isEncrypted: true)),
        Change(
            name: "a field is no longer encrypted", before: Settings(isEncrypted: true),
            after: Settings()),
    ]

    private func fill(_ device: Device) throws {
        try device.edit { context in
            let box = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
            box.setValue("box", forKey: "name")
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue("item", forKey: "name")
            item.setValue("note", forKey: "note")
            item.setValue(box, forKey: "box")
            item.mutableSetValue(forKey: "former").add(box)
        }
    }

    /// The items on a device: name, note, box and number of former boxes.
    private func items(_ device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Item", in: context).map { item in
                let box = (item.value(forKey: "box") as? NSManagedObject)?.value(forKey: "name")
                let formerCount = (item.value(forKey: "former") as? NSSet)?.count
                return [item.value(forKey: "name"), item.value(forKey: "note"), box, formerCount]
                    .map { $0.map { "\($0)" } ?? "nil" }.joined(separator: " ")
            }.sorted()
        }
    }

    private func set(_ note: String, on device: Device) throws {
        try device.edit { context in
            for item in try Device.all("Item", in: context) { item.setValue(note, forKey: "note") }
        }
    }

    /// Opens a device's file with the new settings.
    ///
    /// - Returns: Whether it opened. Otherwise the error names the entity or property.
    private func adopt(_ settings: Settings, on device: Device) throws -> Bool {
        do {
            try device.relaunch(model: settings.model())
            return true
        } catch {
            let text = "\(error) \((error as NSError).userInfo)"
            #expect(text.contains("Item"), "\(text)")
            return false
        }
    }

    @Test("is migrated, so that fresh installs have everything, or refused", arguments: changes)
    func freshInstall(change: Change) async throws {
        let device = try Device(on: cloud, model: change.before.model())
        try fill(device)
        try await device.store.sync()
        guard try adopt(change.after, on: device) else { return }
        #expect(try items(device) == ["item note box 1"])
        try await device.store.sync()
        #expect(try items(device) == ["item note box 1"])
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        let fresh = try Device("fresh", on: cloud, model: change.after.model())
        try await fresh.store.sync()
        #expect(try items(fresh) == ["item note box 1"])
    }

    @Test("lets later edits be synced in both directions, or is refused", arguments: changes)
    func laterEdits(change: Change) async throws {
        let a = try Device("a", on: cloud, model: change.before.model())
        try fill(a)
        try await a.store.sync()
        guard try adopt(change.after, on: a) else { return }
        try await a.store.sync()
        let b = try Device("b", on: cloud, model: change.after.model())
        try await b.store.sync()
        try set("by b", on: b)
        try await Device.settle(b, a)
        #expect(try items(a) == ["item by b box 1"])
        try set("by a", on: a)
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(try items(device) == ["item by a box 1"])
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    @Test("keeps an edit that waits, or is refused", arguments: changes)
    func waitingEdit(change: Change) async throws {
        let a = try Device("a", on: cloud, model: change.before.model())
        try fill(a)
        try await a.store.sync()
        try set("waiting", on: a)
        guard try adopt(change.after, on: a) else { return }
        for _ in 1...2 { try await a.store.sync() }
        let b = try Device("b", on: cloud, model: change.after.model())
        try await b.store.sync()
        for device in [a, b] { #expect(try items(device) == ["item waiting box 1"]) }
        #expect(try a.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("fetches what others have sent in the meantime, or is refused", arguments: changes)
    func receivedMeanwhile(change: Change) async throws {
        let newer = try Device("newer", on: cloud, model: change.after.model())
        let device = try Device("a", on: cloud, model: change.before.model())
        try fill(newer)
        try await newer.store.sync()
        await device.attemptSync()
        guard try adopt(change.after, on: device) else { return }
        try await device.store.sync()
        #expect(try items(device) == ["item note box 1"])
        try expectOneRecord(await RawClient(cloud).records(), change)
    }

    private func expectOneRecord(_ records: [CKRecord], _ change: Change) throws {
        let type = change.after.itemType ?? "Item"
        #expect(records.filter { $0.recordType == type }.count == 1)
    }
}
