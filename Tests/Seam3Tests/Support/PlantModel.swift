import CoreData
import LocalCloud
import Seam3
import Testing

/// Plants in gardens. A plant is in one garden, or in several in a later model.
enum PlantModel {
    static func make(isToMany: Bool, isOrdered: Bool = false) -> NSManagedObjectModel {
        let plant = NSEntityDescription(
            "Plant", [NSAttributeDescription("name", .stringAttributeType)])
        let garden = NSEntityDescription(
            "Garden", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join(
            (plant, "garden", isToMany ? 0 : 1), (garden, "plants", 0))
        plant.relationshipsByName["garden"]?.isOrdered = isToMany && isOrdered
        garden.relationshipsByName["plants"]?.isOrdered = isOrdered
        return NSManagedObjectModel(plant, garden)
    }
}

extension Device {
    /// Devices whose plants are in one garden, and which know a fern in the front garden. There are more gardens.
    static func withFern(
        _ names: [String], gardens: [String] = ["front", "back"], on cloud: LocalCloud,
        isOrdered: Bool = false
    ) async throws -> [Device] {
        let model = PlantModel.make(isToMany: false, isOrdered: isOrdered)
        let devices = try names.map { try Device($0, on: cloud, model: model) }
        guard let first = devices.first else { return [] }
        for name in gardens { try first.add("Garden", ["name": name]) }
        try first.add("Plant", ["name": "fern"])
        try first.put("fern", in: ["front"])
        for device in devices { try await device.store.sync() }
        return devices
    }

    /// The objects with some names.
    static func objects(
        _ entity: String, _ names: Set<String>, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name IN %@", names)
        return try context.fetch(request)
    }

    /// Puts a plant in some gardens, and no others.
    func put(_ plant: String, in names: Set<String>) throws {
        try edit { context in
            let object = try #require(Self.objects("Plant", [plant], in: context).first)
            let members = try Self.objects("Garden", names, in: context)
            guard let relationship = object.entity.relationshipsByName["garden"] else { return }
            let value: Any? =
                !relationship.isToMany
                ? members.first
                : relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
            object.setValue(value, forKey: "garden")
        }
    }

    /// The names of a plant's gardens.
    func gardens(of plant: String = "fern") throws -> [String]? {
        try read { context in
            let plant = try Self.objects("Plant", [plant], in: context).first
            let value = plant?.value(forKey: "garden")
            let members =
                (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects
                ?? [value].compactMap { $0 }
            return plant == nil
                ? nil
                : members.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
                    .sorted()
        }
    }
}
