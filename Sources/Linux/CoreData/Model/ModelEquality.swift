import FoundationGaps

// As on Apple's systems, two parts of models are equal if their contents are. Whether a store is
// compatible with both is a different question, which version hashes answer.
//
// Other parts are compared by their names: the comparison does not follow relationships.

extension NSManagedObjectModel {
    /// Whether another model has the same contents.
    final func saysSame(as other: NSManagedObjectModel) -> Bool {
        entitiesByName == other.entitiesByName
            && versionIdentifiers == other.versionIdentifiers
            && entityNamesByConfiguration.mapValues(Set.init)
                == other.entityNamesByConfiguration.mapValues(Set.init)
            && Set(templates.keys) == Set(other.templates.keys)
            && localizationDictionary == other.localizationDictionary
    }
}

extension NSEntityDescription {
    /// Whether another entity has the same contents.
    final func saysSame(as other: NSEntityDescription) -> Bool {
        name == other.name
            && managedObjectClassName == other.managedObjectClassName
            && isAbstract == other.isAbstract
            && superentity?.name == other.superentity?.name
            && versionHashModifier == other.versionHashModifier
            && renamingIdentifier == other.renamingIdentifier
            && _areEqual(userInfo, other.userInfo)
            && names(uniquenessConstraints) == other.names(other.uniquenessConstraints)
            && names(compoundIndexes) == other.names(other.compoundIndexes)
            && Dictionary(ownProperties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
                == Dictionary(other.ownProperties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
            && indexes.map(\.summary) == other.indexes.map(\.summary)
    }

    private func names(_ groups: [[Any]]) -> [[String]] {
        groups.map { $0.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" } }
    }
}

extension NSPropertyDescription {
    /// Whether the settings that all kinds of properties share are the same.
    final func sharesSettings(with other: NSPropertyDescription) -> Bool {
        name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
            && isIndexed == other.isIndexed && versionHashModifier == other.versionHashModifier
            && isIndexedBySpotlight == other.isIndexedBySpotlight
            && isStoredInExternalRecord == other.isStoredInExternalRecord
            && renamingIdentifier == other.renamingIdentifier
            && validationPredicates == other.validationPredicates
            && _areEqual(validationWarnings, other.validationWarnings)
            && _areEqual(userInfo, other.userInfo)
    }
}

extension NSFetchIndexDescription {
    /// The contents of the index as a string.
    fileprivate var summary: String {
        let columns = elements.map { element in
            let expression = (element.property as? NSExpressionDescription)?.expression
            return "\(expression?.description ?? element.propertyName ?? "") "
                + "\(element.collationType) \(element.isAscending)"
        }
        return "\(name): \(columns) \(partialIndexPredicate?.description ?? "")"
    }
}
