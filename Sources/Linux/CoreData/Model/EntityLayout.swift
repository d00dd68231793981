import FoundationGaps

/// How the objects of an entity store their values: one index in an array for each attribute and
/// relationship.
///
/// Inherited properties come first, in the parent's order, so a property has the same index in
/// every entity that inherits it (`NSPropertyDescription.valueIndex`). A layout is created once,
/// when the model becomes immutable, and never changes.
///
/// Unchecked because every property is a constant, and the descriptions that it refers to can no
/// longer be changed.
final class EntityLayout: @unchecked Sendable {
    /// The attributes and relationships, persistent and transient, by index.
    let properties: [NSPropertyDescription]
    /// The index of each attribute and relationship.
    let indexByName: PropertyIndexTable
    /// The attributes, in the order of their indexes.
    let attributes: [NSAttributeDescription]
    /// The indexes of the attributes that are not stored.
    let transientAttributes: [Int]
    /// The to-one relationships, in the order of their indexes.
    let toOneRelationships: [NSRelationshipDescription]
    /// The to-many relationships, in the order of their indexes.
    let toManyRelationships: [NSRelationshipDescription]
    /// All relationships, in the order of their indexes.
    let relationships: [NSRelationshipDescription]
    /// The attributes and relationships that are stored, in the order of their indexes.
    let persistentProperties: [NSPropertyDescription]
    /// The properties among them that restrict their values: relationships, and attributes with
    /// limits.
    let limitedProperties: [NSPropertyDescription]
    /// The values of a new object by index: defaults for attributes, none for other properties.
    let initialValues: [AttributeValue]
    /// The position of each relationship among the relationships, by index; -1 for attributes.
    let relationshipPositions: [Int]
    /// The positions of the to-one relationships.
    let toOnePositions: [Int]
    /// The relationships of a new object, by their positions.
    let initialRelationships: [RelationshipValue]
    /// The relationships of an object whose row does not contain any, by their positions.
    let unreadRelationships: [RelationshipValue]
    /// The class of the entity's objects, looked up once.
    let managedObjectClass = SetOnceReference<ManagedObjectClass>()
    /// All properties of all kinds by name, inherited ones included.
    let propertiesByName: [String: NSPropertyDescription]
    /// The attributes by name, inherited ones included.
    let attributesByName: [String: NSAttributeDescription]
    /// The relationships by name, inherited ones included.
    let relationshipsByName: [String: NSRelationshipDescription]

    private let lineage: Set<ObjectIdentifier>

    /// Lays out an entity, and assigns indexes to the properties that it declares.
    init(_ entity: NSEntityDescription, inheriting parent: EntityLayout?) {
        var properties = parent?.properties ?? []
        var values = parent?.initialValues ?? []
        var byName = parent?.propertiesByName ?? [:]
        for property in entity.ownProperties {
            Self.check(property, of: entity, byName)
            byName[property.name] = property
            switch property {
            case let attribute as NSAttributeDescription:
                values.append(attribute.requireAttributeValue(of: attribute.defaultValue))
            case is NSRelationshipDescription:
                values.append(.none)
            default:
                continue
            }
            property.valueIndex = properties.count
            properties.append(property)
        }
        self.properties = properties
        initialValues = values
        propertiesByName = byName
        indexByName = PropertyIndexTable(properties.map(\.name))
        attributes = properties.compactMap { $0 as? NSAttributeDescription }
        transientAttributes = attributes.filter(\.isTransient).map(\.valueIndex)
        relationships = properties.compactMap { $0 as? NSRelationshipDescription }
        var position = -1
        relationshipPositions = properties.map { property in
            guard property is NSRelationshipDescription else { return -1 }
            position += 1
            return position
        }
        initialRelationships = relationships.map { $0.isToMany ? .members(ObjectSet()) : .none }
        unreadRelationships = relationships.map { relationship in
            !relationship.isToMany && relationship.isTransient ? .none : .unresolved
        }
        toOneRelationships = relationships.filter { !$0.isToMany }
        toOnePositions = relationships.indices.filter { [relationships] in
            !relationships[$0].isToMany
        }
        toManyRelationships = relationships.filter(\.isToMany)
        persistentProperties = properties.filter { !$0.isTransient }
        limitedProperties = persistentProperties.filter {
            $0 is NSRelationshipDescription || !$0.isOptional || !$0.validationPredicates.isEmpty
                || ($0 as? NSAttributeDescription)?.integerRange != nil
        }
        attributesByName = byName.compactMapValues { $0 as? NSAttributeDescription }
        relationshipsByName = byName.compactMapValues { $0 as? NSRelationshipDescription }
        lineage = (parent?.lineage ?? []).union([ObjectIdentifier(entity)])
    }

    private static func check(
        _ property: NSPropertyDescription, of entity: NSEntityDescription,
        _ known: [String: NSPropertyDescription]
    ) {
        if ReservedNames.contains(property.name) {
            raise(
                .invalidArgument,
                "Entity '\(entity.name ?? "")': \(ReservedNames.reason(property.name)).")
        }
        if known[property.name] != nil {
            raise(
                .internalInconsistency,
                "Property '\(property.name)' of entity '\(entity.name ?? "")' is declared twice.")
        }
    }

    /// The attribute at a value index that does not belong to a relationship.
    ///
    /// A conditional cast would take longer than most uses of the value.
    func attribute(at index: Int) -> NSAttributeDescription {
        unsafeDowncast(properties[index], to: NSAttributeDescription.self)
    }

    /// Whether an entity is the one laid out here or one of its ancestors.
    func descends(from entity: NSEntityDescription) -> Bool {
        lineage.contains(ObjectIdentifier(entity))
    }

    /// The index of the property whose setter key-value coding finds for a key that is not a property: `setDate:` is the
    /// setter for `Date` as well as for `date`.
    func indexOfSetter(forKey key: String) -> Int? {
        guard let first = key.first, first.isUppercase else { return nil }
        return indexByName[first.lowercased() + key.dropFirst()]
    }
}
