import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// Like ``UnreadValueTests``, for relationships.
@Suite("What a device has read of a relationship with a former model that cannot hold it")
struct UnreadRelationshipTests {
    let cloud = LocalCloud.inMemory()

    /// A person with pets, as one-to-many or many-to-many.
    private static func model(isOrdered: Bool, isManyToMany: Bool) -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", [NSAttributeDescription("name", .stringAttributeType)])
        let pet = NSEntityDescription(
            "Pet", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join(
            (person, "pets", 0), (pet, "owner", isManyToMany ? 0 : 1))
        person.relationshipsByName["pets"]?.isOrdered = isOrdered
        return NSManagedObjectModel(person, pet)
    }

    private func pets(_ device: Device) throws -> [String] {
        try device.read { context in
            let person = try #require(try Device.all("Person", in: context).first)
            let pets = person.value(forKey: "pets") as? NSOrderedSet
            return (pets?.array ?? []).compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            }
        }
    }

    private func order(
        _ body: (NSMutableOrderedSet, () -> NSManagedObject) -> Void, on device: Device
    )
        throws
    {
        try device.edit { context in
            let person = try #require(try Device.all("Person", in: context).first)
            body(person.mutableOrderedSetValue(forKey: "pets")) {
                let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
                pet.setValue("new", forKey: "name")
                return pet
            }
        }
    }

    /// What the device with the new model does to the order, and the one with the former model
    /// before it gets the new one.
    enum Edit: String, CaseIterable {
        case move, insertAtBegin, append
    }

    @Test(
        "is an order, which it has after the first sync with the new model",
        arguments: Edit.allCases,
        [false, true])
    func order(edit: Edit, isManyToMany: Bool) async throws {
        func model(_ isOrdered: Bool) -> NSManagedObjectModel {
            Self.model(isOrdered: isOrdered, isManyToMany: isManyToMany)
        }
        let phone = try Device("phone", on: cloud, model: model(false))
        let tablet = try Device("tablet", on: cloud, model: model(false))
        try phone.edit { context in
            let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            let pets = ["x", "y", "z"].map { name in
                let pet = NSEntityDescription.insertNewObject(forEntityName: "Pet", into: context)
                pet.setValue(name, forKey: "name")
                return pet
            }
            person.setValue(Set(pets), forKey: "pets")
        }
        try await Device.settle(phone, tablet)
        try phone.relaunch(model: model(true))
        let before = try pets(phone)
        try order(
            { pets, pet in
                switch edit {
                case .move: pets.moveObjects(at: [2], to: 0)
                case .insertAtBegin: pets.insert(pet(), at: 0)
                case .append: pets.add(pet())
                }
            }, on: phone)
        let expected = try pets(phone)
        #expect(expected != before)
        try await phone.store.sync()
        try await tablet.store.sync()
        try tablet.relaunch(model: model(true))
        #expect(try tablet.store.syncStatus().pendingChangeCount == 0)
        try await tablet.store.sync()
        #expect(try pets(tablet) == expected)
        try order({ pets, pet in pets.add(pet()) }, on: tablet)
        try await Device.settle(tablet, phone)
        let fresh = try Device("fresh", on: cloud, model: model(true))
        try await fresh.store.sync()
        for device in [phone, tablet, fresh] {
            #expect(try pets(device) == expected + ["new"], "\(device.name)")
            #expect(try device.store.syncStatus().pendingChangeCount == 0)
        }
    }

    /// An item whose holder is a box, or anything that holds.
    private static func holders(isNew: Bool, isManyToMany: Bool) -> NSManagedObjectModel {
        let name = { NSAttributeDescription("name", .stringAttributeType) }
        let item = NSEntityDescription("Item", [name()])
        let (box, lid) = (NSEntityDescription("Box"), NSEntityDescription("Lid"))
        let part = NSEntityDescription("Part", [name()])
        part.subentities = [box, lid]
        NSRelationshipDescription.join(
            (item, "holder", isManyToMany ? 0 : 1), (isNew ? part : box, "items", 0))
        return NSManagedObjectModel(item, part, box, lid)
    }

    private func holders(_ device: Device) throws -> [String] {
        try device.read { context in
            let item = try #require(try Device.all("Item", in: context).first)
            let holders =
                item.value(forKey: "holder") as? Set<NSManagedObject>
                ?? Set([item.value(forKey: "holder") as? NSManagedObject].compactMap { $0 })
            return holders.compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    @Test(
        "is a destination of an entity that was none, which it has after the first sync",
        arguments: [false, true])
    func destination(isManyToMany: Bool) async throws {
        func model(_ isNew: Bool) -> NSManagedObjectModel {
            Self.holders(isNew: isNew, isManyToMany: isManyToMany)
        }
        let phone = try Device("phone", on: cloud, model: model(false))
        let tablet = try Device("tablet", on: cloud, model: model(false))
        for (entity, name) in [("Item", "item"), ("Box", "box"), ("Lid", "lid")] {
            try phone.add(entity, ["name": name])
        }
        try await Device.settle(phone, tablet)
        try phone.relaunch(model: model(true))
        try phone.edit { context in
            let item = try Device.object("Item", "item", in: context)
            let lid = try Device.object("Lid", "lid", in: context)
            item.setValue(isManyToMany ? Set([lid]) : lid, forKey: "holder")
        }
        try await phone.store.sync()
        try await tablet.store.sync()
        try tablet.relaunch(model: model(true))
        #expect(try tablet.store.syncStatus().pendingChangeCount == 0)
        try await tablet.store.sync()
        try await phone.store.sync()
        for device in [phone, tablet] { #expect(try holders(device) == ["lid"], "\(device.name)") }
    }
}
