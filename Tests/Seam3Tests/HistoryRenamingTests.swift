import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The history from before a migration") struct HistoryRenamingTests {
    private static func model(_ name: String, relationship: String) -> NSManagedObjectModel {
        let label = NSAttributeDescription(name, .stringAttributeType)
        label.preservesValueInHistoryOnDeletion = true
        label.renamingIdentifier = "label"
        let thing = NSEntityDescription(
            "Thing", [label, NSAttributeDescription("note", .stringAttributeType)])
        let box = NSEntityDescription("Box", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((thing, relationship, 1), (box, "things", 0))
        thing.relationshipsByName[relationship]?.renamingIdentifier = "box"
        return NSManagedObjectModel(thing, box)
    }

    @Test("keeps the changed and the preserved properties, under their present names")
    func renamed() throws {
        let device = try Device(
            on: LocalCloud.inMemory(), model: Self.model("label", relationship: "box"),
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        let thing = try device.add("Thing", ["label": "a", "note": "b"])
        let box = try device.add("Box", ["name": "box"])
        try device.edit { context in
            let object = context.object(with: thing)
            object.setValue("c", forKey: "label")
            object.setValue("d", forKey: "note")
            object.setValue(context.object(with: box), forKey: "box")
        }
        try device.edit { $0.delete($0.object(with: thing)) }
        try device.relaunch(model: Self.model("title", relationship: "crate"))
        let fetch = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        let result = try device.execute(fetch, as: NSPersistentHistoryResult.self)
        let changes = (result.result as? [NSPersistentHistoryTransaction] ?? [])
            .flatMap { $0.changes ?? [] }
        let update = changes.first {
            $0.changeType == .update && $0.changedObjectID.entity.name == "Thing"
        }
        #expect(Set((update?.updatedProperties ?? []).map(\.name)) == ["title", "note", "crate"])
        let deletion = changes.first { $0.changeType == .delete }
        #expect(deletion?.tombstone?["title"] as? String == "c")
    }
}
