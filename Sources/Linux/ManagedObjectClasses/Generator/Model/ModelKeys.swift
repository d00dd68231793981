/// The names of properties in a target's models, to tell which one a member of a class means.
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

    /// The key that a property reads; `primitiveName` is the primitive value of `name`, unless a
    /// model has a property of just that name.
    func propertyKey(_ name: String) -> (name: String, isPrimitive: Bool) {
        guard name.hasPrefix("primitive"), !properties.contains(name) else { return (name, false) }
        let rest = String(name.dropFirst("primitive".count))
        guard let first = rest.first, first.isUppercase else { return (name, false) }
        let isCapitalized = properties.contains(rest) && !properties.contains(rest.lowercasedFirst)
        return (isCapitalized ? rest : rest.lowercasedFirst, true)
    }

    /// The to-many relationship that the rest of a method's name means: its name with a capital
    /// first letter. Any rest means one in a class that no model of the target has: its entity may be
    /// that of a model which is built in code.
    func relationshipKey(_ rest: String, of owner: [String]) -> String? {
        guard let first = rest.first, first.isUppercase || !first.isLetter else { return nil }
        if relationships.contains(rest.lowercasedFirst) { return rest.lowercasedFirst }
        if relationships.contains(rest) { return rest }
        return classes.contains(owner.last ?? "") ? nil : rest.lowercasedFirst
    }
}
