import CoreData

extension NSEntityDescription {
    /// The topmost entity that it inherits from, or else itself.
    var rootEntity: NSEntityDescription {
        var root = self
        while let parent = root.superentity { root = parent }
        return root
    }

    /// The topmost entity that has a property, which is the one that declares it.
    func declaringEntity(of property: String) -> NSEntityDescription {
        // An element of a composite attribute belongs to where that is declared.
        let property = property.components(separatedBy: ".")[0]
        var owner = self
        while let parent = owner.superentity, parent.propertiesByName[property] != nil {
            owner = parent
        }
        return owner
    }

    /// The name of a property behind that of the entity that declares it: siblings may have equally
    /// named properties.
    func qualifiedName(of property: String) -> String {
        "\(declaringEntity(of: property).name ?? "").\(property)"
    }
}
