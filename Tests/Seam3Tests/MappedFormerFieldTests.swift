import CoreData
import LocalCloud
import Seam3
import Testing

/// Makes a tag of each item's note.
final class TagMakingPolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        let tag = NSEntityDescription.insertNewObject(
            forEntityName: "Tag", into: manager.destinationContext)
        tag.setValue(sInstance.value(forKey: "note"), forKey: "name")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: tag, for: mapping)
    }
}

/// A device migrates its items by a mapping model of the app, and another one still edits them with the former model.
@Suite("What a mapping model copies to another property")
struct MappedFormerFieldTests {
    let cloud = LocalCloud.inMemory()

    private static func model(_ properties: [String]) -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Item", properties.map { NSAttributeDescription($0, .stringAttributeType) }))
    }

    private static let former = model(["name", "note"])

    /// A mapping model with values for the properties of the new model: in the first mapping of all items but others, in
    /// the second one of others.
    private static func mappings(_ expressions: [[String: NSExpression]]) -> NSMappingModel {
        let mappings = NSMappingModel()
        mappings.entityMappings = expressions.enumerated().map { place, expressions in
            let mapping = NSEntityMapping()
            mapping.name = "Items\(place)"
            mapping.mappingType = .transformEntityMappingType
            mapping.sourceEntityName = "Item"
            mapping.destinationEntityName = "Item"
            mapping.sourceExpression = NSExpression(
                format: "FETCH(FUNCTION($manager, "
                    + "'fetchRequestForSourceEntityNamed:predicateString:', 'Item', %@), "
                    + "$manager.sourceContext, NO)",
                place == 0 ? "name != 'other'" : "name == 'other'")
            mapping.attributeMappings = expressions.sorted { $0.key < $1.key }.map {
                let property = NSPropertyMapping()
                property.name = $0.key
                property.valueExpression = $0.value
                return property
            }
            return mapping
        }
        return mappings
    }

    private func notes(_ device: Device, _ key: String) throws -> [String] {
        try device.read { context in
            try Device.all("Item", in: context).map { ($0.value(forKey: key) as? String) ?? "nil" }
                .sorted()
        }
    }

    private func set(_ note: String, on device: Device) throws {
        try device.edit { context in
            for item in try Device.all("Item", in: context) { item.setValue(note, forKey: "note") }
        }
    }

    /// A device that has migrated an item with the note "old", and one that has set the note to "new" since.
    private func migrated(
        to new: NSManagedObjectModel, _ expressions: [[String: NSExpression]]
    ) async throws -> Device {
        let updated = try Device("updated", on: cloud, model: Self.former)
        let former = try Device("former", on: cloud, model: Self.former)
        try updated.add("Item", ["name": "item", "note": "old"])
        try await Device.settle(updated, former)
        try updated.map(
            by: SMMigrationManager(sourceModel: Self.former, destinationModel: new),
            Self.mappings(expressions))
        try await updated.store.sync()
        try set("new", on: former)
        try await Device.settle(former, updated)
        #expect(try updated.store.syncStatus().pendingChangeCount == 0)
        #expect(try updated.store.checkInvariants() == [])
        return updated
    }

    private static let name = NSExpression(format: "$source.name")

    @Test(
        "is followed under its new name",
        arguments: ["$source.note", "FUNCTION($source, 'valueForKey:', 'note')"])
    func copied(format: String) async throws {
        let updated = try await migrated(
            to: Self.model(["name", "remark"]),
            [["name": Self.name, "remark": NSExpression(format: format)]])
        #expect(try notes(updated, "remark") == ["new"])
        let record = try await RawClient(cloud).records(ofType: "Item").first
        #expect(record?["remark"] == "new")
    }

    @Test("is not followed if the mapping computes the value")
    func computed() async throws {
        let updated = try await migrated(
            to: Self.model(["name", "remark"]),
            [["name": Self.name, "remark": NSExpression(format: "uppercase:($source.note)")]])
        #expect(try notes(updated, "remark") == ["OLD"])
    }

    @Test("is not followed if another mapping of the entity computes the value")
    func computedByOne() async throws {
        let updated = try await migrated(
            to: Self.model(["name", "remark"]),
            [
                ["name": Self.name, "remark": NSExpression(format: "$source.note")],
                ["name": Self.name, "remark": NSExpression(format: "uppercase:($source.note)")],
            ])
        #expect(try notes(updated, "remark") == ["old"])
    }

    /// The items on two devices with a policy, of which one computes a remark for each, and the other one makes a change
    /// before it does the same.
    private func items(
        _ policy: SMSyncConflictResolutionPolicy, change: (Device) throws -> Void
    ) async throws -> [[String]] {
        let devices = try ["a", "b"].map {
            try Device($0, on: cloud, policy: policy, model: Self.former)
        }
        try devices[0].add("Item", ["name": "item", "note": "old"])
        try await Device.settle(devices[0], devices[1])
        try change(devices[1])
        let new = Self.model(["name", "remark"])
        for device in devices {
            try device.map(
                by: SMMigrationManager(sourceModel: Self.former, destinationModel: new),
                Self.mappings([
                    [
                        "name": Self.name,
                        "remark": NSExpression(format: "uppercase:($source.note)"),
                    ]
                ]))
            try await device.store.sync()
        }
        try await Device.settle(devices[1], devices[0])
        return try devices.map { device in
            try zip(notes(device, "name"), notes(device, "remark")).map { "\($0) \($1)" }
        }
    }

    @Test(
        "does not undo a deletion that waits if the mapping computes the value",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func deletionBesideComputed(policy: SMSyncConflictResolutionPolicy) async throws {
        let items = try await items(policy) { try $0.deleteAll("Item") }
        #expect(items == [[], []])
    }

    @Test(
        "does not compete with an edit that waits if the mapping computes the value",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func editBesideComputed(policy: SMSyncConflictResolutionPolicy) async throws {
        let items = try await items(policy) { device in
            try device.edit { context in
                for item in try Device.all("Item", in: context) {
                    item.setValue("edited", forKey: "name")
                }
            }
        }
        #expect(items == [["edited OLD"], ["edited OLD"]])
    }

    @Test("is followed by the property that keeps its name, if it is copied to two")
    func copiedTwice() async throws {
        let updated = try await migrated(
            to: Self.model(["name", "note", "another"]),
            [
                [
                    "name": Self.name, "note": NSExpression(format: "$source.note"),
                    "another": NSExpression(format: "$source.note"),
                ]
            ])
        #expect(try notes(updated, "note") == ["new"])
        #expect(try notes(updated, "another") == ["old"])
    }

    @Test("Objects with a natural key that two devices' mappings make are one record")
    func naturalKey() async throws {
        let new = Self.model(["name", "note"])
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        new.entities += [tag]
        let devices = try ["a", "b"].map { try Device($0, on: cloud, model: Self.former) }
        for device in devices { try device.add("Item", ["name": device.name, "note": "red"]) }
        for device in devices {
            let mappings = try NSMappingModel.inferredMappingModel(
                forSourceModel: Self.former, destinationModel: new)
            for mapping in mappings.entityMappings where mapping.sourceEntityName == "Item" {
                mapping.mappingType = .customEntityMappingType
                mapping.entityMigrationPolicyClassName = "TagMakingPolicy"
            }
            try device.map(
                by: SMMigrationManager(sourceModel: Self.former, destinationModel: new), mappings)
        }
        try await Device.settle(devices[0], devices[1])
        for device in devices {
            #expect(try device.count("Item") == 2)
            #expect(try device.count("Tag") == 1)
        }
    }
}
