import FoundationGaps
import ModelMatching

/// Infers the mapping between two models, by the rules of lightweight migration.
struct MappingModelInference {
    private let source: NSManagedObjectModel
    private let destination: NSManagedObjectModel
    /// The source entity of each destination entity, by the destination's name.
    private let originals: [String: NSEntityDescription]

    /// Pairs the entities of two models.
    init(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) throws {
        self.source = source
        self.destination = destination
        let matches = VersionMatches(
            of: destination.entities.map(\.versionedName),
            with: source.entities.map(\.versionedName), keepsNames: true)
        let (old, new) = (source.entitiesByName, destination.entitiesByName)
        for rivals in matches.rivals {
            guard let entity = Self.culprit(rivals, new, \.versionedName) else { continue }
            throw CocoaError.notInferred(
                "Source entity '\(rivals.old)' has several destination entities: "
                    + "'\(rivals.successor)' and '\(rivals.other)'",
                entity: entity)
        }
        originals = matches.oldNames.compactMapValues { old[$0] }
    }

    /// Of two entities or properties that match the same original, the one with the renaming
    /// identifier.
    private static func culprit<Described>(
        _ rivals: VersionMatches.Rivals, _ described: [String: Described],
        _ name: (Described) -> VersionedName
    ) -> Described? {
        let pair = [rivals.other, rivals.successor].compactMap { described[$0] }
        return pair.first { name($0).isRenamed } ?? pair.first
    }

    /// The mappings of all entities: kept and new ones in the order of the destination model, then
    /// removed ones.
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
        mapping.sourceExpression = .sourceObjects(
            of: original.name ?? "", predicate: "TRUEPREDICATE")
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

    /// Which properties are kept, added and removed, in the form of Apple's inferred mappings.
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

    /// Entities of different hierarchies cannot be merged into one.
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
        let formers = original.properties.compactMap { $0 as? Property }
            .filter { !$0.isTransient }
        let properties = entity.properties.compactMap { $0 as? Property }
            .filter { !$0.isTransient }
        let matches = VersionMatches(
            of: properties.map(\.versionedName), with: formers.map(\.versionedName))
        let old = Dictionary(formers.map { ($0.name, $0) }) { first, _ in first }
        let new = Dictionary(properties.map { ($0.name, $0) }) { first, _ in first }
        for rivals in matches.rivals {
            guard let property = Self.culprit(rivals, new, \.versionedName) else { continue }
            throw CocoaError.notInferred(
                "Source property '\(rivals.old)' has several destination properties: "
                    + "'\(rivals.successor)' and '\(rivals.other)'",
                entity: entity, property: property.name)
        }
        return properties.map { ($0, matches.oldNames[$0.name].flatMap { old[$0] }) }
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
            guard former.canBecome(pair.property) else {
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

    /// Whether the destination of a relationship's successor corresponds to the relationship's
    /// destination.
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

extension NSEntityDescription {
    fileprivate var versionedName: VersionedName {
        VersionedName(name ?? "", identifier: renamingIdentifier)
    }
}

extension NSPropertyDescription {
    fileprivate var versionedName: VersionedName {
        VersionedName(name, identifier: renamingIdentifier)
    }
}

extension NSAttributeDescription {
    /// Whether lightweight migration can convert values of the attribute to its successor.
    fileprivate func canBecome(_ successor: NSAttributeDescription) -> Bool {
        guard let composite = successor as? NSCompositeAttributeDescription,
            let former = self as? NSCompositeAttributeDescription
        else { return attributeType.canBecome(successor.attributeType) }
        return composite.successors(of: former).allSatisfy { $1.canBecome($0) }
    }
}

extension NSCompositeAttributeDescription {
    /// The elements that the attribute's predecessor had, each with its description there.
    func successors(
        of former: NSCompositeAttributeDescription
    ) -> [(element: NSAttributeDescription, former: NSAttributeDescription)] {
        let matches = VersionMatches(
            of: elements.map(\.versionedName), with: former.elements.map(\.versionedName),
            keepsNames: true
        ).oldNames
        return elements.compactMap { element in
            former.elements.first { $0.name == matches[element.name] }.map { (element, $0) }
        }
    }
}

extension NSAttributeType {
    /// Whether lightweight migration can convert values of the type to another: numbers stay
    /// numbers.
    fileprivate func canBecome(_ other: NSAttributeType) -> Bool {
        self == other || (isNumber && other.isNumber)
    }

    private var isNumber: Bool {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .decimalAttributeType, .doubleAttributeType, .floatAttributeType,
            .booleanAttributeType:
            true
        default: false
        }
    }
}
