import FoundationGaps

/// Recognising the models of a compiled mapping model by what it names, as its version hashes are
/// Apple's and cannot be compared with those made here.
extension NSMappingModel {
    /// Whether the mapping model leads from one model to the other: it maps every entity of both
    /// that is not abstract, and every property that it names exists.
    func fits(from source: NSManagedObjectModel, to destination: NSManagedObjectModel) -> Bool {
        let mappings = entityMappings ?? []
        let sources = Set(mappings.compactMap(\.sourceEntityName))
        let destinations = Set(mappings.compactMap(\.destinationEntityName))
        return sources.isSubset(of: source.entitiesByName.keys)
            && destinations.isSubset(of: destination.entitiesByName.keys)
            && source.namesOfConcreteEntities.isSubset(of: sources)
            && destination.namesOfConcreteEntities.isSubset(of: destinations)
            && mappings.allSatisfy { $0.fits(from: source, to: destination) }
    }
}

extension NSManagedObjectModel {
    fileprivate var namesOfConcreteEntities: Set<String> {
        Set(entities.filter { !$0.isAbstract }.compactMap(\.name))
    }
}

extension NSEntityMapping {
    fileprivate func fits(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) -> Bool {
        let mapped = (attributeMappings ?? []) + (relationshipMappings ?? [])
        if let entity = destinationEntityName.flatMap({ destination.entitiesByName[$0] }) {
            let names = Set(mapped.compactMap(\.name))
            guard names.isSubset(of: entity.propertiesByName.keys) else { return false }
            // The editor lists every property, with or without an expression.
            guard names.isEmpty || entity.namesOfOwnStoredProperties.isSubset(of: names) else {
                return false
            }
        }
        guard let entity = sourceEntityName.flatMap({ source.entitiesByName[$0] }) else {
            return true
        }
        return mapped.compactMap(\.valueExpression).flatMap(\.keysOfSource).allSatisfy {
            entity.propertiesByName[$0] != nil
        }
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
    /// The first keys of the paths that start at the source object: `name` of `$source.name`.
    fileprivate var keysOfSource: [String] {
        guard expressionType == .function else { return [] }
        let inner = ([operand] + (arguments ?? [])).flatMap(\.keysOfSource)
        guard function == "valueForKeyPath:", operand.expressionType == .variable,
            operand.variable == NSMigrationSourceObjectKey,
            let path = arguments?.first, path.expressionType == .keyPath,
            let key = path.keyPath.split(separator: ".").first
        else { return inner }
        return inner + [String(key)]
    }
}
