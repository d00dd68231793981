import CoreData
import Testing

/// One change of the model, and the objects afterward.
struct MigrationCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Additions to the old model, compared with the shop's.
    let before: @Sendable (ShopEntities) -> Void
    let change: @Sendable (ShopEntities) -> Void
    /// Entity, name, key and value of objects, separated by spaces.
    let expected: [String]

    init(
        _ name: String, _ expected: [String],
        from before: @escaping @Sendable (ShopEntities) -> Void = { _ in },
        _ change: @escaping @Sendable (ShopEntities) -> Void
    ) {
        testDescription = name
        self.before = before
        self.change = change
        self.expected = expected
    }

    func oldModel() -> NSManagedObjectModel {
        let shop = ShopEntities(model: ShopModel.make())
        before(shop)
        return shop.model
    }

    func newModel() -> NSManagedObjectModel {
        let shop = ShopEntities(model: oldModel())
        change(shop)
        return shop.model
    }
}

extension MigrationCase {
    /// The changes for which Core Data can infer a mapping model. Such a model does not look at the records, so it
    /// refuses another type of an attribute even if no record has it.
    static let mapped = inferred.filter { migration in
        let (old, new) = (migration.oldModel(), migration.newModel())
        let mappings = try? NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: new)
        return mappings != nil && old.entitiesByName["Item"]?.propertiesByName["spare"] == nil
    }
}

/// A model that is being changed.
struct ShopEntities {
    let model: NSManagedObjectModel

    /// An entity that the model must have.
    subscript(name: String) -> NSEntityDescription {
        model.entitiesByName[name] ?? NSEntityDescription(name)
    }

    func attribute(_ entity: String, _ name: String) -> NSAttributeDescription {
        self[entity].attributesByName[name] ?? NSAttributeDescription()
    }

    func relationship(_ entity: String, _ name: String) -> NSRelationshipDescription {
        self[entity].relationshipsByName[name] ?? NSRelationshipDescription()
    }

    func add(_ attribute: NSAttributeDescription, to entity: String) {
        self[entity].properties.append(attribute)
    }

    func addDerived(
        _ name: String, _ type: NSAttributeType, _ format: String, to entity: String
    ) {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: format)
        self[entity].properties.append(attribute)
    }

    func addComposite(_ name: String, _ elements: String..., to entity: String) {
        let elements = elements.map { NSAttributeDescription($0, .stringAttributeType) }
        self[entity].properties.append(NSAttributeDescription.composite(name, elements))
    }

    func constrainAndIndex(_ attribute: String, of entity: String) {
        let element = NSFetchIndexElementDescription(
            property: self.attribute(entity, attribute), collationType: .binary)
        self[entity].indexes = [NSFetchIndexDescription(name: "index", elements: [element])]
        self[entity].uniquenessConstraints = [[attribute]]
    }

    func remove(_ property: String, from entity: String) {
        self[entity].properties.removeAll { $0.name == property }
    }

    func rename(_ property: NSPropertyDescription, _ name: String) {
        property.renamingIdentifier = property.name
        property.name = name
    }

    func rename(entity: String, _ name: String) {
        let description = self[entity]
        description.renamingIdentifier = entity
        description.name = name
    }

    func move(_ attribute: String, from entity: String, to others: String...) {
        let type = self.attribute(entity, attribute).attributeType
        self[entity].properties.removeAll { $0.name == attribute }
        for other in others { add(NSAttributeDescription(attribute, type), to: other) }
    }
}
