import FoundationGaps

/// Matching a mapping model to models by names, if it has no version hashes that are comparable
/// with those of this module.
extension [NSEntityMapping] {
    /// Whether the mappings lead from one model to the other: they map every entity of both that is
    /// not abstract, and every property that they name exists.
    func fit(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Bool {
        let sources = Set(compactMap(\.sourceEntityName))
        let destinations = Set(compactMap(\.destinationEntityName))
        return sources.isSubset(of: source.entitiesByName.keys)
            && destinations.isSubset(of: destination.entitiesByName.keys)
            && source.namesOfConcreteEntities.isSubset(of: sources)
            && destination.namesOfConcreteEntities.isSubset(of: destinations)
            && allSatisfy { $0.fits(from: source, to: destination) }
    }
}

extension NSManagedObjectModel {
    fileprivate var namesOfConcreteEntities: Set<String> {
        Set(entities.filter { !$0.isAbstract }.compactMap(\.name))
    }
}

extension NSEntityMapping {
    private var propertyMappings: [NSPropertyMapping] {
        (attributeMappings ?? []) + (relationshipMappings ?? [])
    }

    fileprivate func fits(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> Bool {
        guard unknownName(from: source, to: destination) == nil else { return false }
        let names = Set(propertyMappings.compactMap(\.name))
        guard !names.isEmpty,
            let entity = destinationEntityName.flatMap({ destination.entitiesByName[$0] })
        else { return true }
        // The editor lists every property, with or without an expression.
        return entity.namesOfOwnStoredProperties.isSubset(of: names)
    }

    /// The first name in the mapping of an entity or a property that the models do not contain.
    func unknownName(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> String? {
        let old = sourceEntityName.flatMap { source.entitiesByName[$0] }
        let new = destinationEntityName.flatMap { destination.entitiesByName[$0] }
        if let name = sourceEntityName, old == nil { return name }
        if let name = destinationEntityName, new == nil { return name }
        let names = propertyMappings.compactMap(\.name)
        let known = new?.propertiesByName ?? [:]
        if let name = names.first(where: { known[$0] == nil }) { return name }
        guard let old else { return nil }
        return propertyMappings.compactMap(\.valueExpression).flatMap(\.keysOfSource)
            .first { old.propertiesByName[$0] == nil }
    }
}

extension NSEntityDescription {
    fileprivate var namesOfOwnStoredProperties: Set<String> {
        let stored = properties.filter { property in
            property.entity === self && !property.isTransient
                && !(property is NSDerivedAttributeDescription)
                && !(property is NSFetchedPropertyDescription)
        }
        return Set(stored.map(\.name))
    }
}

extension NSExpression {
    /// The first keys of the paths that start at the source object, such as `name` in
    /// `$source.name`.
    fileprivate var keysOfSource: [String] {
        guard expressionType == .function else { return [] }
        let inner = ([operand] + (arguments ?? [])).flatMap(\.keysOfSource)
        guard function == "valueForKeyPath:", operand.expressionType == .variable,
            operand.variable == NSMigrationSourceObjectKey,
            let path = arguments?.first,
            [.keyPath, ._keyPathSpecifier].contains(path.expressionType),
            let key = path.keyPath.split(separator: ".").first
        else { return inner }
        return inner + [String(key)]
    }
}
