import FoundationGaps

/// Finds out how a model became another, by the rules of lightweight migration.
struct MappingModelInference {
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    /// The source entity that each destination entity was, by the destination's name.
    private let originals: [String: NSEntityDescription]

    /// Pairs the entities of two models.
    init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
        self.source = source
        self.destination = destination
        let candidates = source.entities.map { entity in
            (entity, name: entity.name ?? "", identifier: entity.renamingIdentifier)
        }
        var originals: [String: NSEntityDescription] = [:]
        var successors: [String: String] = [:]
        for entity in destination.entities {
            let name = entity.name ?? ""
            guard let original = Self.former(entity.renamingIdentifier, name, among: candidates)
            else { continue }
            if let other = successors.updateValue(name, forKey: original.name ?? "") {
                throw CocoaError.notInferred(
                    "Source entity '\(original.name ?? "")' has several destination entities: "
                        + "'\(other)' and '\(name)'",
                    entity: entity)
            }
            originals[name] = original
        }
        self.originals = originals
    }

    /// What an entity or a property of the destination was in the source: what has the name or
    /// the renaming identifier that it was renamed from, or else its name.
    private static func former<Described>(
        _ identifier: String?, _ name: String,
        among candidates: [(Described, name: String, identifier: String?)]
    ) -> Described? {
        let match =
            candidates.first { $0.name == identifier }
            ?? candidates.first { $0.identifier == identifier }
            ?? candidates.first { $0.name == name }
        return match?.0
    }

    /// The mappings of all entities: kept and new ones in the order of the destination model,
    /// then the removed ones.
    func entityMappings() throws -> [NSEntityMapping] {
        var mappings = try destination.entities.map(mapping)
        let kept = Set(originals.values.compactMap(\.name))
        for entity in source.entities where !kept.contains(entity.name ?? "") {
            let mapping = NSEntityMapping()
            mapping.mappingType = .removeEntityMappingType
            mapping.name = "IEM_Remove_\(entity.name ?? "")"
            mapping.sourceEntityName = entity.name
            mapping.sourceEntityVersionHash = entity.versionHash
            mappings.append(mapping)
        }
        return mappings
    }

    private func mapping(to entity: NSEntityDescription) throws -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.destinationEntityName = entity.name
        mapping.destinationEntityVersionHash = entity.versionHash
        guard let original = originals[entity.name ?? ""] else {
            mapping.mappingType = .addEntityMappingType
            mapping.name = "IEM_Add_\(entity.name ?? "")"
            return mapping
        }
        try checkHierarchy(of: entity, formerly: original)
        let isCopy = entity.versionHash == original.versionHash
        mapping.mappingType = isCopy ? .copyEntityMappingType : .transformEntityMappingType
        mapping.name = "IEM_\(isCopy ? "Copy" : "Transform")_\(entity.name ?? "")"
        mapping.sourceEntityName = original.name
        mapping.sourceEntityVersionHash = original.versionHash
        mapping.sourceExpression = NSExpression(
            format: "FETCH(FUNCTION($manager, "
                + "'fetchRequestForSourceEntityNamed:predicateString:', %@, 'TRUEPREDICATE'), "
                + "FUNCTION($manager, 'sourceContext'), NO)", original.name)
        let attributes = try pairs(NSAttributeDescription.self, of: entity, with: original)
        let relationships = try pairs(NSRelationshipDescription.self, of: entity, with: original)
        mapping.attributeMappings = try attributeMappings(attributes, of: entity)
        mapping.relationshipMappings = try relationshipMappings(relationships, of: entity)
        mapping.userInfo = Self.summary(
            of: attributes.map { ($0.property.name, $0.former?.name) }
                + relationships.map { ($0.property.name, $0.former?.name) },
            from: original)
        return mapping
    }

    /// Which properties stay, come and go, as Apple's inferred mappings note it.
    private static func summary(
        of pairs: [(name: String, former: String?)], from original: NSEntityDescription
    ) -> [AnyHashable: Any] {
        let formers = Set(pairs.compactMap(\.former))
        let removed = original.properties.filter {
            !$0.isTransient && $0.isPersistentKind && !formers.contains($0.name)
        }
        return [
            "mappedProperties": Set(pairs.filter { $0.former != nil }.map(\.name)),
            "addedProperties": Set(pairs.filter { $0.former == nil }.map(\.name)),
            "removedProperties": Set(removed.map(\.name)),
        ]
    }

    /// Entities of different hierarchies cannot come into one.
    private func checkHierarchy(
        of entity: NSEntityDescription, formerly original: NSEntityDescription
    ) throws {
        let relatives = entity.root.hierarchy.compactMap { originals[$0.name ?? ""] }
        guard let stranger = relatives.first(where: { $0.root !== original.root }) else { return }
        throw CocoaError.notInferred(
            "The source entities '\(original.name ?? "")' and '\(stranger.name ?? "")' have no "
                + "common parent",
            entity: entity)
    }
}

// MARK: - Properties

extension MappingModelInference {
    /// Pairs the persistent properties of one kind.
    private func pairs<Property: NSPropertyDescription>(
        _: Property.Type, of entity: NSEntityDescription, with original: NSEntityDescription
    ) throws -> [(property: Property, former: Property?)] {
        let candidates = original.properties.compactMap { $0 as? Property }
            .filter { !$0.isTransient }
            .map { ($0, name: $0.name, identifier: $0.renamingIdentifier) }
        var successors: [String: String] = [:]
        return try entity.properties.compactMap { $0 as? Property }.filter { !$0.isTransient }
            .map { property in
                let former = Self.former(
                    property.renamingIdentifier, property.name, among: candidates)
                guard let former else { return (property, nil) }
                if let other = successors.updateValue(property.name, forKey: former.name) {
                    throw CocoaError.notInferred(
                        "Source property '\(former.name)' has several destination properties: "
                            + "'\(other)' and '\(property.name)'",
                        entity: entity, property: property.name)
                }
                return (property, former)
            }
    }

    private func attributeMappings(
        _ pairs: [(property: NSAttributeDescription, former: NSAttributeDescription?)],
        of entity: NSEntityDescription
    ) throws -> [NSPropertyMapping] {
        try pairs.map { pair in
            let mapping = NSPropertyMapping()
            mapping.name = pair.property.name
            guard let former = pair.former, !(pair.property is NSDerivedAttributeDescription) else {
                return mapping
            }
            guard former.attributeType.canBecome(pair.property.attributeType) else {
                throw CocoaError.notInferred(
                    "Source and destination attribute types are incompatible", entity: entity,
                    property: pair.property.name)
            }
            mapping.valueExpression = Self.sourceValue(former.name)
            return mapping
        }
    }

    private func relationshipMappings(
        _ pairs: [(property: NSRelationshipDescription, former: NSRelationshipDescription?)],
        of entity: NSEntityDescription
    ) throws -> [NSPropertyMapping] {
        try pairs.map { pair in
            let mapping = NSPropertyMapping()
            mapping.name = pair.property.name
            guard let former = pair.former else { return mapping }
            guard pair.property.isToMany || !former.isToMany else {
                throw CocoaError.notInferred(
                    "A to-many relationship can't become a to-one relationship", entity: entity,
                    property: pair.property.name)
            }
            guard leadsOn(former, to: pair.property) else {
                throw CocoaError.notInferred(
                    "Source and destination relationship destinations are incompatible",
                    entity: entity, property: pair.property.name)
            }
            mapping.valueExpression = NSExpression(
                forFunction: NSExpression(forVariable: NSMigrationManagerKey),
                selectorName: "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                arguments: [
                    NSExpression(forConstantValue: former.name), Self.sourceValue(former.name),
                ])
            return mapping
        }
    }

    /// Whether what the objects that a relationship led to have become is what its successor
    /// leads to.
    private func leadsOn(
        _ former: NSRelationshipDescription, to relationship: NSRelationshipDescription
    ) -> Bool {
        guard let old = former.destinationEntity, let new = relationship.destinationEntity else {
            return former.destinationEntity == nil
        }
        let successor = destination.entities.first { originals[$0.name ?? ""] === old }
        return successor?.isKindOf(entity: new) ?? false
    }

    private static func sourceValue(_ key: String) -> NSExpression {
        NSExpression(
            forFunction: NSExpression(forVariable: NSMigrationSourceObjectKey),
            selectorName: "valueForKey:", arguments: [NSExpression(forConstantValue: key)])
    }
}

extension NSAttributeType {
    /// Whether every value of the type is one of another type.
    fileprivate func canBecome(_ other: NSAttributeType) -> Bool {
        if self == other { return true }
        switch (self, other) {
        case (.integer16AttributeType, .integer32AttributeType),
            (.integer16AttributeType, .integer64AttributeType),
            (.integer32AttributeType, .integer64AttributeType),
            (.floatAttributeType, .doubleAttributeType):
            return true
        default:
            return false
        }
    }
}
