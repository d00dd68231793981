import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A migration pins the field of a property that it renames, and a later one gives the name to another property.
@Suite("The field that a renamed property keeps") struct PinnedFieldTests {
    let cloud = LocalCloud.inMemory()

    /// A model of boxes.
    ///
    /// - Parameters:
    ///   - names: The names of the properties by their first names, which are their renaming identifiers.
    ///   - box: The name of the entity.
    ///   - others: The names of other entities.
    private static func model(
        _ names: [String: String], box: String = "Box", others: [String] = []
    ) -> NSManagedObjectModel {
        let properties = names.sorted { $0.key < $1.key }.map { first, name in
            let attribute = NSAttributeDescription(name, .stringAttributeType)
            attribute.renamingIdentifier = first
            return attribute
        }
        let entity = NSEntityDescription(box, properties)
        entity.renamingIdentifier = "Box"
        let name = NSAttributeDescription("label", .stringAttributeType)
        let model = NSManagedObjectModel()
        model.entities = [entity] + others.map { NSEntityDescription($0, [name]) }
        return model
    }

    private static let first = model(["label": "label", "size": "size"])
    private static let shifted = model(["label": "size", "size": "other"])
    private static let swapped = model(["label": "size", "size": "label"])
    private static let single = model(["label": "label", "size": "other"])

    private func devices() async throws -> (Device, Device) {
        let a = try Device("a", on: cloud, model: Self.first)
        let b = try Device("b", on: cloud, model: Self.first)
        try a.add("Box", ["label": "l", "size": "s"])
        try await Device.settle(a, b)
        return (a, b)
    }

    private func set(_ key: String, _ value: String, on device: Device) throws {
        try device.edit { context in
            try #require(Device.all("Box", in: context).first).setValue(value, forKey: key)
        }
    }

    private func values(on device: Device) throws -> [String?] {
        try device.read { context in
            let box = try #require(Device.all("Box", in: context).first)
            return ["label", "size"].map { box.value(forKey: $0) as? String }
        }
    }

    /// Migrates, one kind of migration after the other.
    private func migrate(
        _ device: Device, _ steps: [(model: NSManagedObjectModel, kind: MigrationKind)]
    ) throws {
        for step in steps {
            try MigrationKind.$current.withValue(step.kind) {
                try device.relaunch(model: step.model)
            }
        }
    }

    /// Models, and how a device migrates to the second one and back.
    static let detours: [(model: NSManagedObjectModel, kinds: [MigrationKind])] = [
        (shifted, [.inferred, .inferred]), (shifted, [.inferred, .mapped]),
        (shifted, [.mapped, .inferred]), (shifted, [.mapped, .mapped]),
        // Core Data takes models that only differ in their renaming identifiers for the same.
        (swapped, [.inferred, .mapped]), (swapped, [.mapped, .mapped]),
    ]

    @Test(
        "is not that of another property which gets the name back", arguments: detours.indices)
    func nameGivenBack(number: Int) async throws {
        let (model, kinds) = Self.detours[number]
        let (a, b) = try await devices()
        try set("size", "new", on: a)
        try migrate(a, [(model, kinds[0]), (Self.first, kinds[1])])
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try values(on: device) == ["l", "new"]) }
        try set("label", "edited", on: b)
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try values(on: device) == ["edited", "new"]) }
    }

    @Test(
        "stays if the renaming identifier is removed, also with another entity name",
        arguments: MigrationKind.allCases, ["Box", "Crate"])
    func withoutIdentifier(kind: MigrationKind, box: String) async throws {
        let (a, b) = try await devices()
        try migrate(
            a,
            [
                (Self.single, .inferred),
                (Self.model(["label": "label", "other": "other"], box: box), kind),
            ])
        try a.edit { context in
            try #require(Device.all(box, in: context).first).setValue("new", forKey: "other")
        }
        try await Device.settle(a, b)
        #expect(try values(on: b) == ["l", "new"])
    }

    /// A model of items, whose composite attribute and one other may have other names than at first.
    private static func items(
        _ place: String, from placeIdentifier: String?, _ sum: String, from identifier: String?
    ) -> NSManagedObjectModel {
        let composite = NSAttributeDescription.composite(
            place,
            [
                NSAttributeDescription("x", .stringAttributeType),
                NSAttributeDescription("y", .integer64AttributeType),
            ])
        composite.renamingIdentifier = placeIdentifier
        let amount = NSAttributeDescription(sum, .integer64AttributeType)
        amount.renamingIdentifier = identifier
        let title = NSAttributeDescription("title", .stringAttributeType)
        return NSManagedObjectModel(NSEntityDescription("Item", [composite, amount, title]))
    }

    @Test(
        "stays for the elements of a composite attribute whose renaming identifier is another one or none",
        arguments: ["spot", nil, "place"], MigrationKind.allCases)
    func composite(identifier: String?, kind: MigrationKind) async throws {
        let model = Self.items("place", from: nil, "amount", from: nil)
        let a = try Device("a", on: cloud, model: model)
        let b = try Device("b", on: cloud, model: model)
        try a.add("Item", ["title": "t", "place": ["x": "v", "y": 1]])
        try await Device.settle(a, b)
        try migrate(
            a,
            [
                (Self.items("spot", from: "place", "sum", from: "amount"), kind),
                (Self.items("spot", from: identifier, "amount", from: "sum"), kind),
            ])
        try await Device.settle(a, b)
        for (device, name) in [(a, "spot"), (b, "place")] {
            try device.edit { context in
                let item = try #require(Device.all("Item", in: context).first)
                let place = item.value(forKey: name) as? [String: Any]
                #expect(place?["x"] as? String == "v", "\(name)")
                guard device === a else { return }
                item.setValue(["x": "edited", "y": 2] as [String: Any], forKey: name)
            }
        }
        try await Device.settle(a, b)
        try b.read { context in
            let item = try #require(Device.all("Item", in: context).first)
            #expect((item.value(forKey: "place") as? [String: Any])?["x"] as? String == "edited")
        }
    }

    @Test(
        "is not shared with a new property that the model gives the field: the migration is refused",
        arguments: MigrationKind.allCases)
    func sharedField(kind: MigrationKind) async throws {
        let (a, _) = try await devices()
        try migrate(a, [(Self.single, .inferred)])
        let new = Self.model(["label": "label", "other": "other", "new": "new"])
        let property = new.entitiesByName["Box"]?.propertiesByName["new"]
        property?.userInfo = [SMStore.SMFieldNameUserInfoKey: "size"]
        let error = #expect(throws: CocoaError.self) { try migrate(a, [(new, kind)]) }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        let reason = (cause?.userInfo ?? error?.userInfo)?["reason"] as? String ?? ""
        for word in ["Box.other", "new", "size", "SMFieldName"] {
            #expect(reason.contains(word), "\(reason)")
        }
        try a.open(model: Self.single)
        #expect(try a.count("Box") == 1)
    }

    @Test(
        "is like the record type of an entity, which stays if the renaming identifier is removed",
        arguments: MigrationKind.allCases)
    func recordTypeWithoutIdentifier(kind: MigrationKind) async throws {
        let (a, b) = try await devices()
        let crates = Self.model(["label": "label", "size": "other"], box: "Crate")
        let plain = Self.model(["label": "label", "other": "size"], box: "Crate")
        plain.entities[0].renamingIdentifier = nil
        try migrate(a, [(crates, kind), (plain, kind)])
        try await Device.settle(a, b)
        #expect(try a.count("Crate") == 1)
        #expect(try await RawClient(cloud).records(ofType: "Crate").isEmpty)
        try a.edit { context in
            try #require(Device.all("Crate", in: context).first).setValue("new", forKey: "label")
        }
        try await Device.settle(a, b)
        #expect(try values(on: b) == ["new", "s"])
    }

    @Test(
        "is like the record type of an entity: a new entity that gets the name has its own",
        arguments: MigrationKind.allCases)
    func recordType(kind: MigrationKind) async throws {
        let (a, b) = try await devices()
        let renamed = Self.model(["label": "label", "size": "size"], box: "Crate")
        let both = Self.model(["label": "label", "size": "size"], others: ["Crate"])
        try migrate(a, [(renamed, .inferred), (both, kind)])
        try a.add("Crate", ["label": "crate"])
        try await Device.settle(a, b)
        #expect(try b.count("Box") == 1)
        #expect(try a.count("Box") == 1)
        #expect(try await RawClient(cloud).records(ofType: "Crate").count == 1)
    }
}
