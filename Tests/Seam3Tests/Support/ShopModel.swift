import CoreData
import Seam3

/// The model of the migration tests, with each kind of relationship and an entity hierarchy, and a
/// few objects of each entity.
enum ShopModel {
    static func make() -> NSManagedObjectModel {
        func entity(_ name: String, _ attributes: [NSAttributeDescription]) -> NSEntityDescription {
            NSEntityDescription(
                name, [NSAttributeDescription("name", .stringAttributeType)] + attributes)
        }
        let item = entity(
            "Item",
            [
                NSAttributeDescription("count", .integer16AttributeType),
                NSAttributeDescription("price", .doubleAttributeType),
                NSAttributeDescription("code", .stringAttributeType),
                NSAttributeDescription("note", .stringAttributeType),
                NSAttributeDescription("picture", .binaryDataAttributeType),
            ])
        let (box, lid, tag) = (entity("Box", []), entity("Lid", []), entity("Tag", []))
        let (person, list, entry) = (entity("Person", []), entity("List", []), entity("Entry", []))
        let vehicle = entity("Vehicle", [NSAttributeDescription("plate", .stringAttributeType)])
        let car = NSEntityDescription(
            "Car", [NSAttributeDescription("doors", .integer16AttributeType)])
        let truck = NSEntityDescription(
            "Truck", [NSAttributeDescription("load", .doubleAttributeType)])
        vehicle.subentities = [car, truck]
        NSRelationshipDescription.join((item, "box", 1), (box, "items", 0))
        NSRelationshipDescription.join((lid, "box", 1), (box, "lid", 1))
        NSRelationshipDescription.join((item, "tags", 0), (tag, "items", 0))
        NSRelationshipDescription.join((item, "owner", 1), (person, "items", 0))
        NSRelationshipDescription.join((list, "entries", 0), (entry, "list", 1))
        NSRelationshipDescription.join((vehicle, "driver", 1), (person, "vehicles", 0))
        list.relationshipsByName["entries"]?.isOrdered = true
        return NSManagedObjectModel(
            item, box, lid, tag, person, list, entry, vehicle, car, truck)
    }

    /// Creates the objects. Each has a name, with which the relationships of others refer to it.
    static func fill(_ device: Device) throws {
        try device.edit { context in
            var objects: [String: NSManagedObject] = [:]
            func add(_ entity: String, _ name: String, _ values: [String: Any] = [:]) {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: context)
                object.setValue(name, forKey: "name")
                for (key, value) in values { object.setValue(value, forKey: key) }
                objects[name] = object
            }
            for name in ["b1", "b2"] { add("Box", name) }
            add("Lid", "l1", ["box": objects["b1"] as Any])
            for name in ["p1", "p2"] { add("Person", name) }
            for (index, name) in ["i1", "i2", "i3"].enumerated() {
                add(
                    "Item", name,
                    [
                        "count": index + 1, "price": Double(index) + 0.5, "code": "\(index + 10)",
                        "picture": Data([UInt8(index)]),
                        "box": objects[index < 2 ? "b1" : "b2"] as Any,
                    ])
            }
            objects["i1"]?.setValue("n", forKey: "note")
            objects["i1"]?.setValue(objects["p1"], forKey: "owner")
            objects["i3"]?.setValue(objects["p2"], forKey: "owner")
            for (tag, items) in [("t1", ["i1", "i2"]), ("t2", ["i3"])] {
                add("Tag", tag, ["items": NSSet(array: items.compactMap { objects[$0] })])
            }
            for name in ["e1", "e2", "e3"] { add("Entry", name) }
            let entries = ["e2", "e3", "e1"].compactMap { objects[$0] }
            add("List", "list", ["entries": NSOrderedSet(array: entries)])
            add("Car", "c1", ["plate": "C", "doors": 5, "driver": objects["p1"] as Any])
            add("Truck", "k1", ["plate": "K", "load": 7.5])
        }
    }

    /// Removes all values but required ones and names.
    ///
    /// - Returns: What sets them again.
    static func clear(_ context: NSManagedObjectContext) throws -> () -> Void {
        let model = context.persistentStoreCoordinator?.managedObjectModel
        let roots = (model?.entities ?? []).filter { $0.superentity == nil }.compactMap(\.name)
        var former: [(NSManagedObject, key: String, value: Any?)] = []
        for object in try roots.flatMap({ try Device.all($0, in: context) }) {
            for (key, property) in object.entity.propertiesByName
            where property.isOptional && !property.isTransient && key != "name"
                && !(property is NSDerivedAttributeDescription)
            {
                let value = object.value(forKey: key)
                let copy = (value as? NSObject)?.copy() ?? value
                former.append((object, key, copy))
            }
        }
        for (object, key, _) in former { object.setValue(nil, forKey: key) }
        return {
            for (object, key, value) in former { object.setValue(value, forKey: key) }
        }
    }
}

extension Device {
    /// An object's value for a key, as text: for relationships the names of the objects, in order
    /// or sorted.
    func text(_ entity: String, _ name: String, _ key: String) throws -> String {
        try read { context in
            let object = try Self.object(entity, name, in: context)
            func title(_ object: Any) -> String {
                (object as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
            }
            switch object.value(forKey: key) {
            case nil: return "nil"
            case let set as NSOrderedSet: return set.array.map(title).joined(separator: ",")
            case let set as Set<NSManagedObject>:
                return set.map(title).sorted().joined(separator: ",")
            case let object as NSManagedObject: return title(object)
            case let data as Data: return data.map { String($0) }.joined(separator: " ")
            case let value?: return "\(value)"
            }
        }
    }
}
