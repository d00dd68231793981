import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A newer model on one device") struct NewerModelTests {
    let cloud = LocalCloud.inMemory()

    private static func oldModel() -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription("Plant", [NSAttributeDescription("name", .stringAttributeType)]))
    }

    /// The newer version has an additional attribute, an additional entity, and a relationship to
    /// it.
    private static func newModel() -> NSManagedObjectModel {
        let plant = NSEntityDescription(
            "Plant",
            [
                NSAttributeDescription("name", .stringAttributeType),
                NSAttributeDescription("height", .integer64AttributeType),
            ])
        let pot = NSEntityDescription("Pot", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((plant, "pot", 1), (pot, "plants", 0))
        return NSManagedObjectModel(plant, pot)
    }

    /// The plants on a device with the newer model: name, height and pot.
    private func plants(_ device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Plant", in: context).map { plant in
                let pot = plant.value(forKey: "pot") as? NSManagedObject
                let values: [Any?] = [
                    plant.value(forKey: "name"), plant.value(forKey: "height"),
                    pot?.value(forKey: "name"),
                ]
                return values.map { $0.map { "\($0)" } ?? "nil" }.joined(separator: " ")
            }.sorted()
        }
    }

    /// A device with the older model, and one with the newer model, which has created a plant in a
    /// pot.
    private func devices() async throws -> (old: Device, new: Device) {
        let old = try Device("old", on: cloud, model: Self.oldModel())
        let new = try Device("new", on: cloud, model: Self.newModel())
        try new.edit { context in
            let pot = NSEntityDescription.insertNewObject(forEntityName: "Pot", into: context)
            pot.setValue("red", forKey: "name")
            let plant = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
            plant.setValue("fern", forKey: "name")
            plant.setValue(NSNumber(value: 30), forKey: "height")
            plant.setValue(pot, forKey: "pot")
        }
        try await Device.settle(new, old)
        return (old, new)
    }

    private func rename(_ name: String, to other: String, on device: Device) throws {
        try device.edit { context in
            for plant in try Device.all("Plant", in: context)
            where plant.value(forKey: "name") as? String == name {
                plant.setValue(other, forKey: "name")
            }
        }
    }

    @Test("gives the older one what it knows, and loses nothing through the older one's edits")
    func edits() async throws {
        let (old, new) = try await devices()
        #expect(try old.count("Plant") == 1)
        try rename("fern", to: "palm", on: old)
        try old.add("Plant", ["name": "moss"])
        try await Device.settle(old, new)
        #expect(try plants(new) == ["moss nil nil", "palm 30 red"])
        #expect(try new.count("Pot") == 1)
    }

    @Test("gives the older one the rest once it has the model")
    func migration() async throws {
        let (old, new) = try await devices()
        try rename("fern", to: "palm", on: old)
        try await Device.settle(old, new)
        try old.relaunch(model: Self.newModel())
        try await Device.settle(old, new)
        #expect(try plants(old) == ["palm 30 red"])
        #expect(try plants(new) == ["palm 30 red"])
        #expect(try old.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("keeps an edit that the older one had not sent when it got the model")
    func migrationWithChanges() async throws {
        let (old, new) = try await devices()
        try rename("fern", to: "palm", on: old)
        try old.relaunch(model: Self.newModel())
        try await Device.settle(old, new)
        #expect(try plants(old) == ["palm 30 red"])
        #expect(try plants(new) == ["palm 30 red"])
    }

    @Test("keeps a deletion that the older one had not sent when it got the model")
    func migrationWithDeletion() async throws {
        let (old, new) = try await devices()
        try old.edit { context in
            for plant in try Device.all("Plant", in: context) { context.delete(plant) }
        }
        try old.relaunch(model: Self.newModel())
        try await Device.settle(old, new)
        #expect(try plants(old).isEmpty)
        #expect(try plants(new).isEmpty)
    }
}
