import CoreData
import SeededRandom

/// What a user does to the objects of a `StaffVersion`, at random.
struct StaffEdits {
    private var random: SeededGenerator
    private var counter = 0
    private(set) var log: [String] = []

    init(_ random: inout SeededGenerator) {
        self.random = SeededGenerator(seed: random.next())
    }

    /// Adds the first objects to a context.
    mutating func fill(_ context: NSManagedObjectContext) throws {
        for (entity, count) in [("Team", 2), ("Tag", 3), ("Desk", 2), ("Person", 4)] {
            guard let description = Self.entity(entity, in: context) else { continue }
            for _ in 0..<count { try insert(description, context) }
        }
        log.removeAll()
    }

    /// Edits something in a context and does not save.
    mutating func edit(_ context: NSManagedObjectContext) throws {
        let objects = try objects(in: context)
        guard let object = objects.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: setAttribute(of: object)
        case 4..<8: try setRelationship(of: object, context)
        case 8:
            log.append("\(ShownObjects.key(of: object)) deleted")
            context.delete(object)
        default:
            try insert(object.entity, context)
        }
    }

    private static func entity(
        _ first: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        context.persistentStoreCoordinator?.managedObjectModel.entities
            .first { ShownObjects.firstName($0) == first }
    }

    /// All objects, or those of one entity, in the same order in each run.
    private func objects(
        of entity: NSEntityDescription? = nil, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let model = context.persistentStoreCoordinator?.managedObjectModel
        let names = entity.map { [$0] } ?? model?.entities ?? []
        return try names.compactMap(\.name).flatMap { try Device.all($0, in: context) }
            .sorted { ShownObjects.key(of: $0) < ShownObjects.key(of: $1) }
    }

    private mutating func insert(
        _ entity: NSEntityDescription, _ context: NSManagedObjectContext
    ) throws {
        counter += 1
        let object = NSManagedObject(entity: entity, insertInto: context)
        let name = ShownObjects.firstName(entity).lowercased()
        object.setValue("\(name)-\(counter)", forKey: "key")
        log.append("\(ShownObjects.key(of: object)) inserted")
        for attribute in attributes(of: object) where Bool.random(using: &random) {
            object.setValue(value(of: attribute), forKey: attribute.name)
        }
        try setRelationship(of: object, context)
    }

    // MARK: - Attributes

    private func attributes(of object: NSManagedObject) -> [NSAttributeDescription] {
        object.entity.attributesByName.values.filter { $0.name != "key" }
            .sorted { ShownObjects.firstName($0) < ShownObjects.firstName($1) }
    }

    private mutating func value(of attribute: NSAttributeDescription) -> Any {
        counter += 1
        return switch attribute.attributeType {
        case .integer32AttributeType: counter
        case .doubleAttributeType: Double(counter)
        case .binaryDataAttributeType: Data(repeating: UInt8(counter % 256), count: counter)
        default: "\(counter)"
        }
    }

    private mutating func setAttribute(of object: NSManagedObject) {
        guard let attribute = attributes(of: object).randomElement(using: &random) else { return }
        let removes = attribute.isOptional && Int.random(in: 0..<4, using: &random) == 0
        let value = removes ? nil : value(of: attribute)
        object.setValue(value, forKey: attribute.name)
        let name = "\(ShownObjects.key(of: object)).\(attribute.name)"
        log.append("\(name) = \(value.map { "\($0)" } ?? "nil")")
    }

    // MARK: - Relationships

    private mutating func setRelationship(
        of object: NSManagedObject, _ context: NSManagedObjectContext
    ) throws {
        let ends = object.entity.relationshipsByName.values
            .sorted { ShownObjects.firstName($0) < ShownObjects.firstName($1) }
        guard let end = ends.randomElement(using: &random) else { return }
        let candidates = try objects(of: end.destinationEntity, in: context)
        let count = Int.random(in: 0...(end.isToMany ? 3 : 1), using: &random)
        let chosen = Array(candidates.shuffled(using: &random).prefix(count))
        let value: Any? =
            if end.isOrdered {
                NSOrderedSet(array: chosen)
            } else if end.isToMany {
                NSSet(array: chosen)
            } else {
                chosen.first
            }
        object.setValue(value, forKey: end.name)
        let names = chosen.map(ShownObjects.key(of:)).joined(separator: ", ")
        log.append("\(ShownObjects.key(of: object)).\(end.name) = [\(names)]")
    }
}
