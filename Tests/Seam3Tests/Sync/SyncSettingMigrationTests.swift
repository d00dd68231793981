import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// The data on the device after the model's sync settings have changed.
@Suite("The effects of a change of the sync settings on a file", .allMigrationKinds)
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

    /// When and how a value is edited that is stored in another field from then on.
    enum Edit: CaseIterable {
        case beforeUpgrade, save, batchUpdate
    }

    private static let renamed = model(note: [SMStore.SMFieldNameUserInfoKey: "remark"])

    /// Two devices with an item that is on the server, one of which has sent its note to another field.
    private func devices(
        _ policy: SMSyncConflictResolutionPolicy
    ) async throws -> (device: Device, other: Device) {
        let device = try Device("a", on: cloud, policy: policy, model: Self.model())
        let other = try Device("b", on: cloud, policy: policy, model: Self.model())
        try device.add("Item", ["name": "item", "note": "old"])
        try await Device.settle(device, other)
        try other.relaunch(model: Self.renamed)
        try await other.store.sync()
        return (device, other)
    }

    @Test(
        "a value that another device has only sent again to a new field does not contest an edit",
        arguments: Edit.allCases, SMSyncConflictResolutionPolicy.allCases)
    func editOfResentValue(edit: Edit, policy: SMSyncConflictResolutionPolicy) async throws {
        let (device, other) = try await devices(policy)
        if edit == .beforeUpgrade { try set("new", on: device) }
        try device.relaunch(model: Self.renamed)
        if edit == .save { try set("new", on: device) }
        if edit == .batchUpdate {
            try device.edit { context in
                let request = NSBatchUpdateRequest(entityName: "Item")
                request.propertiesToUpdate = ["note": "new"]
                _ = try context.execute(request)
            }
        }
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try notes(device) == ["new"]) }
    }

    @Test("an edit that was not sent yet when the record arrived survives a value sent again later")
    func editAndOtherProperty() async throws {
        let policy = SMSyncConflictResolutionPolicy.mergeByProperty
        let device = try Device("a", on: cloud, policy: policy, model: Self.model())
        let other = try Device("b", on: cloud, policy: policy, model: Self.model())
        try device.add("Item", ["name": "item", "note": "old"])
        try await Device.settle(device, other)
        try other.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue("other", forKey: "name")
            }
        }
        try await other.store.sync()
        try device.relaunch(model: Self.renamed)
        try set("new", on: device)
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: CKError.self) { try await device.store.sync() }
        cloud.faults.remove(fault)
        try other.relaunch(model: Self.renamed)
        try await other.store.sync()
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try notes(device) == ["new"]) }
    }

    @Test(
        "a value that another device has only sent again to a new field does not undo a deletion",
        arguments: [SMSyncConflictResolutionPolicy.serverRecordWins, .mergeByProperty, .keepBoth])
    func deletionOfResentValue(policy: SMSyncConflictResolutionPolicy) async throws {
        let (device, other) = try await devices(policy)
        try device.relaunch(model: Self.renamed)
        try set("new", on: device)
        try device.edit { context in
            for item in try Device.all("Item", in: context) { context.delete(item) }
        }
        try await device.store.sync()
        try await other.store.sync()
        for device in [device, other] { #expect(try device.count("Item") == 0) }
    }

    /// Models that store or name the note differently.
    static let otherNames = [
        (model(note: [SMStore.SMFieldNameUserInfoKey: "remark"]), "field"),
        (model(noteName: "remark", renamedFrom: "note"), "attribute"),
        (
            model(
                note: [SMStore.SMFieldNameUserInfoKey: "note"], noteName: "remark",
                renamedFrom: "note"), "attribute, not field"
        ),
    ]

    @Test(
        "a deletion stands that waits after its object was sent without a response",
        arguments: otherNames.indices, SMSyncConflictResolutionPolicy.allCases)
    func deletionAfterLostResponse(place: Int, policy: SMSyncConflictResolutionPolicy) async throws
    {
        let device = try Device(on: cloud, policy: policy, model: Self.model())
        try device.add("Item", ["name": "other"])
        try await device.store.sync()
        try device.add("Item", ["name": "item", "note": "note"])
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        try device.edit { context in
            for item in try Device.all("Item", in: context)
            where item.value(forKey: "note") != nil { context.delete(item) }
        }
        try device.relaunch(model: Self.otherNames[place].0)
        try await device.store.sync()
        #expect(try device.count("Item") == 1)
        #expect(try await RawClient(cloud).records().count == 1)
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
