import FoundationGaps

/// A mapping model as saved by Xcode's editor. It contains the user's choices; the rest follows
/// from the models, as when Xcode compiles the file.
struct SourceMappingModel {
    /// How the objects of an entity are migrated.
    struct EntityMapping {
        /// The name of the mapping; nil for the name derived from the entities.
        var name: String?
        var sourceName: String?
        var destinationName: String?
        var policyClassName: String?
        /// The format of a predicate for the objects to migrate.
        var filter: String?
        /// The expression for the source objects; nil for all of the source entity.
        var sourceExpression: NSExpression?
        var userInfo: [AnyHashable: Any]?
        var attributes: [PropertyMapping] = []
        var relationships: [PropertyMapping] = []
    }

    /// How a property gets its value.
    struct PropertyMapping {
        var name: String
        /// The value; nil for the one derived from the models.
        var expression: NSExpression?
        /// The expression that leads from the source object to the objects of a relationship.
        var sourceObjects: NSExpression?
        /// The entity mapping that creates the objects of a relationship.
        var mappingName: String?
        var userInfo: [AnyHashable: Any]?
    }

    var entities: [EntityMapping] = []
    /// The copies of the two models in the file.
    var sourceModel: NSManagedObjectModel?
    var destinationModel: NSManagedObjectModel?

    /// Whether the mapped entities of two models have the same version hashes as when the file was
    /// saved; nil if the file does not contain them.
    func fitsByVersionHashes(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> Bool? {
        guard let sourceModel, let destinationModel, !entities.isEmpty else { return nil }
        return Self.agree(entities.compactMap(\.sourceName), in: source, sourceModel)
            && Self.agree(entities.compactMap(\.destinationName), in: destination, destinationModel)
    }

    private static func agree(
        _ names: [String], in model: NSManagedObjectModel, _ copy: NSManagedObjectModel
    ) -> Bool {
        let (entities, copies) = (model.entitiesByName, copy.entitiesByName)
        return names.allSatisfy { name in
            guard let entity = entities[name] else { return false }
            return copies[name]?.versionHash == entity.versionHash
        }
    }

    /// The mappings between two models, complete.
    func mappings(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> [NSEntityMapping] {
        let (old, new) = (source.entitiesByName, destination.entitiesByName)
        return entities.map { entity in
            let original = entity.sourceName.flatMap { old[$0] }
            let mapping = entity.mapping(
                from: original, to: entity.destinationName.flatMap { new[$0] })
            mapping.attributeMappings = entity.attributes.map { attribute in
                attribute.mapping {
                    original?.attributesByName[attribute.name].map { .sourceValue($0.name) }
                }
            }
            mapping.relationshipMappings = entity.relationships.map { relationship in
                relationship.mapping { value(of: relationship, from: original) }
            }
            return mapping
        }
    }

    /// The value that Xcode generates for a relationship: the destination objects for the source
    /// object's related objects.
    private func value(
        of relationship: PropertyMapping, from original: NSEntityDescription?
    ) -> NSExpression? {
        let former = original?.relationshipsByName[relationship.name]
        guard let objects = relationship.sourceObjects ?? former.map({ .sourceValue($0.name) })
        else { return nil }
        if let name = relationship.mappingName {
            return .destinations("destinationInstancesForEntityMappingNamed:", name, of: objects)
        }
        let mappings = entities.filter { mapping in
            former?.destinationEntity?.hierarchy.contains { $0.name == mapping.sourceName } ?? false
        }
        guard relationship.sourceObjects == nil, mappings.count == 1 else {
            return .destinations(
                "destinationInstancesForSourceRelationshipNamed:", relationship.name, of: objects)
        }
        return .destinations(
            "destinationInstancesForEntityMappingNamed:", mappings[0].completeName, of: objects)
    }
}

extension SourceMappingModel.EntityMapping {
    /// The name of the mapping, which other mappings refer to.
    fileprivate var completeName: String {
        name ?? [sourceName, destinationName].compactMap(\.self).joined(separator: "To")
    }

    /// The mapping without those of its properties.
    fileprivate func mapping(
        from source: NSEntityDescription?, to destination: NSEntityDescription?
    ) -> NSEntityMapping {
        let mapping = NSEntityMapping()
        mapping.name = completeName
        mapping.mappingType = type(from: source, to: destination)
        mapping.sourceEntityName = sourceName
        mapping.sourceEntityVersionHash = source?.versionHash
        mapping.destinationEntityName = destinationName
        mapping.destinationEntityVersionHash = destination?.versionHash
        mapping.entityMigrationPolicyClassName = policyClassName
        mapping.userInfo = userInfo
        mapping.sourceExpression =
            sourceExpression
            ?? sourceName.map { name in
                .sourceObjects(of: name, predicate: filter ?? "TRUEPREDICATE")
            }
        return mapping
    }

    private func type(
        from source: NSEntityDescription?, to destination: NSEntityDescription?
    ) -> NSEntityMappingType {
        if sourceName == nil { return .addEntityMappingType }
        if destinationName == nil { return .removeEntityMappingType }
        if policyClassName != nil { return .customEntityMappingType }
        return source?.versionHash == destination?.versionHash
            ? .copyEntityMappingType : .transformEntityMappingType
    }
}

extension SourceMappingModel.PropertyMapping {
    /// The mapping, with the chosen value or else the given one.
    fileprivate func mapping(_ generated: () -> NSExpression?) -> NSPropertyMapping {
        let mapping = NSPropertyMapping()
        mapping.name = name
        mapping.userInfo = userInfo
        mapping.valueExpression = expression ?? generated()
        return mapping
    }
}

extension NSExpression {
    /// The value of a property of the source object.
    fileprivate static func sourceValue(_ key: String) -> NSExpression {
        NSExpression(format: "$\(NSMigrationSourceObjectKey).%K", key)
    }

    /// The source objects of an entity that a predicate holds for.
    static func sourceObjects(of entityName: String, predicate: String) -> NSExpression {
        NSExpression(
            format: "FETCH(FUNCTION($\(NSMigrationManagerKey), "
                + "'fetchRequestForSourceEntityNamed:predicateString:', %@, %@), "
                + "$\(NSMigrationManagerKey).sourceContext, NO)", entityName, predicate)
    }

    /// The destination objects for source objects, as returned by a method of the manager.
    fileprivate static func destinations(
        _ method: String, _ name: String, of objects: NSExpression
    ) -> NSExpression {
        NSExpression(
            forFunction: NSExpression(forVariable: NSMigrationManagerKey),
            selectorName: method + "sourceInstances:",
            arguments: [NSExpression(forConstantValue: name), objects])
    }
}
