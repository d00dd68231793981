/// The names of properties in a target's models, for matching the members of classes.
struct ModelKeys {
    private var properties: Set<String> = []
    private var relationships: Set<String> = []
    /// The classes of the entities, without their modules.
    private var classes: Set<String> = []

    init(_ entities: [ModelEntity]) {
        for entity in entities {
            properties.formUnion(entity.attributes.map(\.name))
            properties.formUnion(entity.relationships.map(\.name))
            properties.formUnion(entity.fetchedProperties.map(\.name))
            relationships.formUnion(entity.relationships.filter(\.isToMany).map(\.name))
            let names = entity.representedClass?.split(separator: ".") ?? []
            if let name = names.last { classes.insert(String(name)) }
        }
    }

    /// The key of a property; `primitiveName` is the primitive value of `name`, unless a model has
    /// a property with exactly that name.
    func propertyKey(_ name: String) -> (name: String, isPrimitive: Bool) {
        guard name.hasPrefix("primitive"), !properties.contains(name) else { return (name, false) }
        let rest = String(name.dropFirst("primitive".count))
        guard let first = rest.first, first.isUppercase else { return (name, false) }
        let isCapitalized = properties.contains(rest) && !properties.contains(rest.lowercasedFirst)
        return (isCapitalized ? rest : rest.lowercasedFirst, true)
    }

    /// The to-many relationship for the rest of a method's name: its name with a capital first
    /// letter. In a class that no model of the target contains, any rest matches, because its
    /// entity may belong to a model that is built in code.
    func relationshipKey(_ rest: String, of owner: [String]) -> String? {
        guard let first = rest.first, first.isUppercase || !first.isLetter else { return nil }
        if relationships.contains(rest.lowercasedFirst) { return rest.lowercasedFirst }
        if relationships.contains(rest) { return rest }
        return classes.contains(owner.last ?? "") ? nil : rest.lowercasedFirst
    }
}
