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
}
