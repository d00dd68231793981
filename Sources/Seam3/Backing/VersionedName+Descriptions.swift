import CoreData

extension NSEntityDescription {
    /// What the entity is called in this version of the model.
    var versionedName: VersionedName {
        VersionedName(name ?? "", identifier: renamingIdentifier)
    }
}

extension NSPropertyDescription {
    /// What the property is called in this version of the model.
    var versionedName: VersionedName { VersionedName(name, identifier: renamingIdentifier) }

    /// The same; of a composite attribute, what its elements go by.
    var versionedNames: [VersionedName] {
        guard let attribute = self as? NSAttributeDescription else { return [versionedName] }
        return AttributeElement.all(of: attribute).map { element in
            let identifier = attribute.renamingIdentifier.map {
                ([$0] + element.path.dropFirst()).joined(separator: ".")
            }
            return VersionedName(element.name, identifier: identifier)
        }
    }
}
