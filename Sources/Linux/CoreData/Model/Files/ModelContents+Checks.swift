// What a model must not contain stops the process when the model is used, because in code it is a programming error.
// In a file it is an error of the file.

/// The line of ancestors of each entity in a file.
enum InheritanceLines {
    /// The maximum number of ancestors. What is computed for an entity is computed for each of them.
    static let maximumLength = 64

    /// An entity with too many ancestors, or that is one of its own.
    ///
    /// - Parameter parents: Entity → its parent.
    static func tooLong<Entity: Hashable>(_ parents: [Entity: Entity]) -> Entity? {
        parents.keys.first { entity in
            var (ancestor, length) = (parents[entity], 0)
            while let current = ancestor, length <= maximumLength {
                (ancestor, length) = (parents[current], length + 1)
            }
            return length > maximumLength
        }
    }
}

extension [NSEntityDescription] {
    /// Why the entities cannot be those of a model; nil if they can.
    var problem: String? {
        var names = Set<String>()
        for entity in self {
            let name = entity.name ?? ""
            guard names.insert(name).inserted else {
                return "there are two entities named '\(name)'"
            }
            if let problem = entity.problem { return "entity '\(name)': \(problem)" }
        }
        return nil
    }
}

extension NSEntityDescription {
    fileprivate var problem: String? {
        var names = Set(superentity?.properties.map(\.name) ?? [])
        for property in ownProperties {
            if ReservedNames.contains(property.name) { return ReservedNames.reason(property.name) }
            guard names.insert(property.name).inserted else {
                return "the property '\(property.name)' is declared twice"
            }
            if let attribute = property as? NSAttributeDescription,
                let value = attribute.defaultValue, attribute.canonicalValue(of: value) == nil
            {
                return "the default of '\(property.name)' is not of its type"
            }
        }
        return nil
    }
}
