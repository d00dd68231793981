import CoreData

extension NSEntityDescription {
    /// The topmost entity that it inherits from, or itself.
    var rootEntity: NSEntityDescription {
        var root = self
        while let parent = root.superentity { root = parent }
        return root
    }

    /// All entities that inherit from it.
    var descendants: [NSEntityDescription] { subentities.flatMap { [$0] + $0.descendants } }

    /// The topmost entity that has a property, which is the one that declares it.
    func declaringEntity(of property: String) -> NSEntityDescription {
        // The owner of an element is the owner of its composite attribute.
        let property = property.components(separatedBy: ".")[0]
        var owner = self
        while let parent = owner.superentity, parent.propertiesByName[property] != nil {
            owner = parent
        }
        return owner
    }

    /// The name of a property, qualified by the entity that declares it, because siblings may have
    /// properties of the same name.
    func qualifiedName(of property: String) -> String {
        "\(declaringEntity(of: property).name ?? "").\(property)"
    }
}
