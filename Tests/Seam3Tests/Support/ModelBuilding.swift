import CoreData

/// Short forms for models in tests.
extension NSEntityDescription {
    convenience init(_ name: String, _ properties: [NSPropertyDescription] = []) {
        self.init()
        self.name = name
        self.properties = properties
    }
}

extension NSAttributeDescription {
    convenience init(_ name: String, _ type: NSAttributeType) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = true
    }

    /// A composite attribute, which requires a newer system than this package does.
    static func composite(
        _ name: String, _ elements: [NSAttributeDescription]
    ) -> NSAttributeDescription {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else {
            fatalError("There are no composite attributes on this system.")
        }
        let attribute = NSCompositeAttributeDescription()
        attribute.name = name
        attribute.isOptional = true
        attribute.elements = elements
        return attribute
    }

    /// The elements of a composite attribute; nil for any other.
    var compositeElements: [NSAttributeDescription]? {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return nil }
        return (self as? NSCompositeAttributeDescription)?.elements
    }
}

extension NSRelationshipDescription {
    /// Connects two entities, or one with itself.
    ///
    /// - Parameters:
    ///   - end: The first entity, and its relationship's name and maximum count; 0 means no limit.
    ///   - other: The same for the second entity.
    static func join(
        _ end: (entity: NSEntityDescription, name: String, count: Int),
        _ other: (entity: NSEntityDescription, name: String, count: Int)
    ) {
        let first = relationship(end.name, end.count, to: other.entity)
        let second = relationship(other.name, other.count, to: end.entity)
        first.inverseRelationship = second
        second.inverseRelationship = first
        end.entity.properties += [first]
        other.entity.properties += [second]
    }

    /// Adds a relationship that is its own inverse to an entity.
    ///
    /// - Parameter count: Its maximum count; 0 means no limit.
    static func addOwnInverse(_ name: String, _ count: Int, to entity: NSEntityDescription) {
        let relationship = relationship(name, count, to: entity)
        relationship.inverseRelationship = relationship
        entity.properties += [relationship]
    }

    private static func relationship(
        _ name: String, _ count: Int, to destination: NSEntityDescription
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = count
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }
}

extension NSManagedObjectModel {
    convenience init(_ entities: NSEntityDescription...) {
        self.init()
        self.entities = entities
    }
}

extension Device {
    /// All objects of an entity, including its subentities.
    static func all(
        _ entity: String, in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    /// The number of objects of an entity.
    func count(_ entity: String) throws -> Int {
        try read { context in
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
        }
    }
}
