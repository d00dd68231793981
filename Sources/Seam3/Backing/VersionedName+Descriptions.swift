import CoreData

extension NSEntityDescription {
    /// The entity's name in this version of the model.
    var versionedName: VersionedName {
        VersionedName(name ?? "", identifier: renamingIdentifier)
    }
}

extension NSPropertyDescription {
    /// The property's name in this version of the model.
    var versionedName: VersionedName { VersionedName(name, identifier: renamingIdentifier) }

    /// The same; for a composite attribute, the names of its elements.
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
