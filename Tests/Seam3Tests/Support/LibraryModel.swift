import CoreData

/// A model with every kind of to-many relationship: articles and tags (many-to-many), articles and
/// readers (many-to-many, ordered on both sides), people and their friends (many-to-many with
/// itself), albums and tracks (one-to-many, ordered).
enum LibraryModel {
    static func make() -> NSManagedObjectModel {
        let names = ["Article", "Tag", "Reader", "Person", "Album", "Track"]
        let entities = Dictionary(
            uniqueKeysWithValues: names.map { name -> (String, NSEntityDescription) in
                let entity = NSEntityDescription()
                entity.name = name
                let attribute = NSAttributeDescription()
                attribute.name = "name"
                attribute.attributeType = .stringAttributeType
                entity.properties = [attribute]
                return (name, entity)
            })
        func join(
            _ left: String, _ leftName: String, _ right: String, _ rightName: String,
            leftOrdered: Bool = false, rightOrdered: Bool = false, rightIsToOne: Bool = false
        ) {
            let first = relationship(leftName, to: entities[right], isOrdered: leftOrdered)
            let second = relationship(rightName, to: entities[left], isOrdered: rightOrdered)
            if rightIsToOne { second.maxCount = 1 }
            first.inverseRelationship = second
            second.inverseRelationship = first
            entities[left]?.properties.append(first)
            entities[right]?.properties.append(second)
        }
        join("Article", "tags", "Tag", "articles")
        join("Article", "readers", "Reader", "articles", leftOrdered: true, rightOrdered: true)
        join("Album", "tracks", "Track", "album", leftOrdered: true, rightIsToOne: true)
        let friends = relationship("friends", to: entities["Person"], isOrdered: false)
        friends.inverseRelationship = friends
        entities["Person"]?.properties.append(friends)
        let model = NSManagedObjectModel()
        model.entities = names.compactMap { entities[$0] }
        return model
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription?, isOrdered: Bool
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = 0
        relationship.isOptional = true
        relationship.isOrdered = isOrdered
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}

extension Device {
    /// The object of an entity with a name.
    static func object(
        _ entity: String, _ name: String, in context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        guard let object = try context.fetch(request).first else {
            throw CocoaError(.managedObjectReferentialIntegrity)
        }
        return object
    }

    /// Creates objects of an entity with names.
    func addAll(_ entity: String, _ names: String...) throws {
        for name in names { try add(entity, ["name": name]) }
    }

    /// Sets a to-many relationship to the objects with names.
    func setMembers(
        _ entity: String, _ name: String, _ relationship: String, _ members: [String]
    ) throws {
        try edit { try Self.setMembers(entity, name, relationship, members, in: $0) }
    }

    /// Sets a to-many relationship to the objects with names, without saving.
    static func setMembers(
        _ entity: String, _ name: String, _ relationship: String, _ members: [String],
        in context: NSManagedObjectContext
    ) throws {
        let owner = try object(entity, name, in: context)
        let description = owner.entity.relationshipsByName[relationship]
        let destination = description?.destinationEntity?.name ?? ""
        let objects = try members.map { try object(destination, $0, in: context) }
        owner.setValue(
            description?.isOrdered == true
                ? NSOrderedSet(array: objects) : NSSet(array: objects), forKey: relationship)
    }

    /// The names of the members of a to-many relationship, sorted or in the relationship's order.
    func members(_ entity: String, _ name: String, _ relationship: String) throws -> [String] {
        try read { context in
            let value = try Self.object(entity, name, in: context).value(forKey: relationship)
            if let ordered = value as? NSOrderedSet {
                return ordered.array.map { Self.name($0) }
            }
            return (value as? Set<NSManagedObject> ?? []).map { Self.name($0) }.sorted()
        }
    }

    private static func name(_ object: Any) -> String {
        (object as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
    }
}
