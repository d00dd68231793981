import CoreData
import LocalCloud
import Seam3
import Testing

/// Deletions that are saved and undone before the first sync with a new model.
@Suite(
    "A property that has another field, if the deletion of its object is undone", .allMigrationKinds
)
struct FormerFieldUndoTests {
    typealias Policy = SMSyncConflictResolutionPolicy
    let cloud = LocalCloud.inMemory()

    private func deleteAndUndo(on device: Device) throws {
        let undoManager = try device.edit { context in
            let items = try Device.all("Item", in: context)
            return context.undoable { items.forEach(context.delete) }
        }
        try device.edit { context in
            undoManager.undo()
            context.undoManager = nil
        }
    }

    private func notes(_ device: Device) throws -> [String?] {
        try device.read { context in
            try Device.all("Item", in: context).map { $0.value(forKey: "note") as? String }
        }
    }

    @Test(
        "keeps its value on all devices", arguments: Policy.allCases,
        [nil, "new"] as [String?])
    func kept(policy: SMSyncConflictResolutionPolicy, edit: String?) async throws {
        let former = SyncSettingMigrationTests.model()
        let present = SyncSettingMigrationTests.model(
            note: [SMStore.SMFieldNameUserInfoKey: "remark"])
        let (a, b) = (
            try Device("a", on: cloud, policy: policy, model: former),
            try Device("b", on: cloud, policy: policy, model: former)
        )
        try a.add("Item", ["name": "item", "note": "old"])
        try await Device.settle(a, b)
        if let edit {
            try a.edit { context in
                for item in try Device.all("Item", in: context) {
                    item.setValue(edit, forKey: "note")
                }
            }
        }
        try a.relaunch(model: present)
        try deleteAndUndo(on: a)
        try await Device.settle(a, b)
        #expect(try notes(a) == [edit ?? "old"])
        #expect(try notes(b) == ["old"])
        try b.relaunch(model: present)
        try await Device.settle(b, a)
        let fresh = try Device("fresh", on: cloud, policy: policy, model: present)
        try await fresh.store.sync()
        for device in [a, b, fresh] {
            #expect(try notes(device) == [edit ?? "old"], "\(device.name)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }
}
