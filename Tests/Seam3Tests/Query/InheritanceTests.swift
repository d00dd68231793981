import CoreData
import Testing

@testable import Seam3

/// Three levels of inheritance, with abstract parents and siblings with attributes of the same
/// name.
@Suite struct InheritanceTests {
    private let store: QueryStore

    private static func makeModel() -> NSManagedObjectModel {
        let vehicle = NSEntityDescription(
            "InheritedVehicle", [NSAttributeDescription("name", .stringAttributeType)])
        let landVehicle = NSEntityDescription(
            "InheritedLandVehicle", [NSAttributeDescription("wheels", .integer16AttributeType)])
        let boat = NSEntityDescription(
            "InheritedBoat", [NSAttributeDescription("size", .stringAttributeType)])
        let car = NSEntityDescription(
            "InheritedCar", [NSAttributeDescription("size", .integer32AttributeType)])
        let truck = NSEntityDescription(
            "InheritedTruck", [NSAttributeDescription("size", .decimalAttributeType)])
        vehicle.isAbstract = true
        landVehicle.isAbstract = true
        vehicle.subentities = [landVehicle, boat]
        landVehicle.subentities = [car, truck]
        let garage = NSEntityDescription("InheritedGarage")
        NSRelationshipDescription.join((vehicle, "garage", 1), (garage, "vehicles", 0))
        NSRelationshipDescription.join((landVehicle, "trailer", 1), (truck, "pulledBy", 1))
        return NSManagedObjectModel(vehicle, landVehicle, boat, car, truck, garage)
    }

    init() throws {
        store = try QueryStore(model: Self.makeModel())
        let garage = store.insert("InheritedGarage")
        let values: [(String, String, Any)] = [
            ("InheritedBoat", "boat", "long"), ("InheritedCar", "car", 4),
            ("InheritedTruck", "truck", NSDecimalNumber(string: "7.5")),
        ]
        for (entity, name, size) in values {
            let vehicle = store.insert(entity)
            vehicle.setValue(name, forKey: "name")
            vehicle.setValue(size, forKey: "size")
            vehicle.setValue(garage, forKey: "garage")
        }
        try store.save()
        store.context.reset()
    }

    private func names(
        _ entity: String, _ format: String = "TRUEPREDICATE", subentities: Bool = true
    ) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.includesSubentities = subentities
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try store.fetch(request).compactMap { $0.value(forKey: "name") as? String }
    }

    @Test("A fetch of a parent finds the objects of all its descendants")
    func parents() throws {
        #expect(try names("InheritedVehicle") == ["boat", "car", "truck"])
        #expect(try names("InheritedLandVehicle") == ["car", "truck"])
        #expect(try names("InheritedCar") == ["car"])
    }

    @Test("Without subentities an abstract entity has no objects")
    func withoutSubentities() throws {
        #expect(try names("InheritedVehicle", subentities: false) == [])
        #expect(try names("InheritedLandVehicle", subentities: false) == [])
        #expect(try names("InheritedTruck", subentities: false) == ["truck"])
    }

    @Test("Object IDs are of the concrete entity, and lead back to the object")
    func objectIDs() throws {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "InheritedVehicle")
        request.resultType = .managedObjectIDResultType
        let ids = try store.fetch(request)
        let expected: Set = ["InheritedBoat", "InheritedCar", "InheritedTruck"]
        #expect(Set(ids.compactMap(\.entity.name)) == expected)
        for id in ids {
            let object = try store.context.existingObject(with: id)
            #expect(object.entity.name == id.entity.name)
            #expect(object.objectID == id)
        }
    }

    @Test("Siblings keep attributes of the same name apart, each with its own type")
    func siblings() throws {
        #expect(try names("InheritedBoat", "size == 'long'") == ["boat"])
        #expect(try names("InheritedCar", "size == 4") == ["car"])
        #expect(try names("InheritedTruck", "size > 7 AND size < 8") == ["truck"])
        #expect(try names("InheritedTruck", "size == 4") == [])
    }

    @Test("A relationship to a parent leads to objects of their own entities")
    func toParent() throws {
        let garages = try store.fetch(
            NSFetchRequest<NSManagedObject>(entityName: "InheritedGarage"))
        let vehicles = garages.first?.value(forKey: "vehicles") as? Set<NSManagedObject> ?? []
        #expect(
            vehicles.compactMap(\.entity.name).sorted()
                == ["InheritedBoat", "InheritedCar", "InheritedTruck"])
    }

    @Test(
        "A relationship that an intermediate entity declares is inherited, and leads to a subentity"
    )
    func inheritedRelationship() throws {
        let vehicles = try store.fetch(
            NSFetchRequest<NSManagedObject>(entityName: "InheritedLandVehicle"))
        let car = try #require(vehicles.first { $0.entity.name == "InheritedCar" })
        let truck = try #require(vehicles.first { $0.entity.name == "InheritedTruck" })
        car.setValue(truck, forKey: "trailer")
        try store.save()
        store.context.reset()
        #expect(try names("InheritedCar", "trailer.name == 'truck'") == ["car"])
        #expect(try names("InheritedTruck", "pulledBy.name == 'car'") == ["truck"])
        #expect(try store.store.checkInvariants() == [])
    }
}
