import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// The data on the device after the model's sync settings have changed.
@Suite("The effects of a change of the sync settings on a file")
struct SyncSettingMigrationTests {
    let cloud = LocalCloud.inMemory()

    /// A model of items with a note and the given user info.
    static func model(
        item: [String: Any] = [:], note: [String: Any] = [:], noteName: String = "note",
        renamedFrom: String? = nil
    ) -> NSManagedObjectModel {
        let attribute = NSAttributeDescription(noteName, .stringAttributeType)
        attribute.userInfo = note
        attribute.renamingIdentifier = renamedFrom
        let entity = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType), attribute])
        entity.userInfo = item
        return NSManagedObjectModel(entity)
    }

    private static let off: [String: Any] = [SMStore.SMSyncedUserInfoKey: "NO"]

    private func device(_ model: NSManagedObjectModel, _ name: String = "a") throws -> Device {
        try Device(name, on: cloud, model: model)
    }

    private func notes(_ device: Device, _ key: String = "note") throws -> [String] {
        try device.read { context in
            try Device.all("Item", in: context)
                .map { ($0.value(forKey: key) as? String) ?? "nil" }.sorted()
        }
    }

    private func set(_ note: String?, on device: Device) throws {
        try device.edit { context in
            for item in try Device.all("Item", in: context) { item.setValue(note, forKey: "note") }
        }
    }

    @Test("an attribute that is no longer synced keeps its value, and its edit does not wait")
    func attributeOff() async throws {
        let device = try self.device(Self.model())
        try device.add("Item", ["name": "item", "note": "sent"])
        try await device.store.sync()
        try set("waiting", on: device)
        try device.relaunch(model: Self.model(note: Self.off))
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        try await device.store.sync()
        #expect(try notes(device) == ["waiting"])
        let record = try #require(try await RawClient(cloud).records().first)
        #expect(record["note"] == "sent")
    }

    @Test("an entity that is no longer synced keeps its objects, and nothing of it waits")
    func entityOff() async throws {
        let device = try self.device(Self.model())
        for name in ["deleted", "edited"] { try device.add("Item", ["name": name]) }
        try await device.store.sync()
        try device.edit { context in
            for item in try Device.all("Item", in: context) {
                if item.value(forKey: "name") as? String == "deleted" {
                    context.delete(item)
                } else {
                    item.setValue("here", forKey: "note")
                }
            }
        }
        try device.add("Item", ["name": "new", "note": "new"])
        try device.relaunch(model: Self.model(item: Self.off))
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        try await device.store.sync()
        #expect(try notes(device) == ["here", "new"])
        #expect(try device.store.checkInvariants() == [])
        #expect(try await RawClient(cloud).records().count == 2)
    }

    @Test(
        "the values of a field whose custom name is removed are sent to the field of fresh installs"
    )
    func fieldNameTakenBack() async throws {
        let named = Self.model(note: [SMStore.SMFieldNameUserInfoKey: "remark"])
        let device = try self.device(named)
        try device.add("Item", ["name": "item", "note": "note"])
        try await device.store.sync()
        try device.relaunch(model: Self.model())
        try await device.store.sync()
        let fresh = try self.device(Self.model(), "b")
        try await fresh.store.sync()
        #expect(try notes(fresh) == ["note"])
        #expect(try notes(device) == ["note"])
    }

    @Test("is refused with the entity's name if nothing is to be migrated") func notMigrated()
        throws
    {
        let device = try self.device(Self.model(note: Self.off))
        try device.add("Item", ["name": "item"])
        do {
            try device.relaunch(model: Self.model(), migrates: false)
            Issue.record("it opened")
        } catch {
            #expect("\(error) \((error as NSError).userInfo)".contains("Item"))
        }
    }

    @Test("a record type may change as long as nothing of it was sent") func unsentRecordType()
        async throws
    {
        let device = try self.device(Self.model())
        try device.add("Item", ["name": "item", "note": "note"])
        try device.relaunch(model: Self.model(item: [SMStore.SMRecordTypeUserInfoKey: "Thing"]))
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().map(\.recordType) == ["Thing"])
    }

    @Test("an attribute is found again by its oldest name, through several versions")
    func renamedTwice() async throws {
        let device = try self.device(Self.model())
        try device.add("Item", ["name": "item", "note": "note"])
        try await device.store.sync()
        try device.relaunch(model: Self.model(noteName: "remark", renamedFrom: "note"))
        #expect(try notes(device, "remark") == ["note"])
        try device.relaunch(model: Self.model(noteName: "comment", renamedFrom: "note"))
        #expect(try notes(device, "comment") == ["note"])
        try await device.store.sync()
        let fresh = try self.device(
            Self.model(noteName: "comment", renamedFrom: "note"), "b")
        try await fresh.store.sync()
        #expect(try notes(fresh, "comment") == ["note"])
    }

    @Test("objects with a natural key that two devices have are one record from then on")
    func naturalKeys() async throws {
        let key: [String: Any] = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        let off = key.merging(Self.off) { first, _ in first }
        let devices = try ["a", "b"].map { try device(Self.model(item: off), $0) }
        for device in devices { try device.add("Item", ["name": "item"]) }
        for device in devices { try device.relaunch(model: Self.model(item: key)) }
        for _ in 1...2 { for device in devices { try await device.store.sync() } }
        for device in devices { #expect(try device.count("Item") == 1) }
        #expect(try await RawClient(cloud).records().count == 1)
    }
}
