import CoreData

/// The properties whose values a mapping model copies as they are.
///
/// What another device writes to the field of such a property is a value of the new property as well, even if that one
/// has another field.
struct CopiedProperties {
    /// An entity, and one of those that its objects become.
    struct Route: Hashable {
        let source: String
        let destination: String
    }

    /// New property → old property.
    private var oldNames: [Route: [String: String]] = [:]
    /// New element of a composite attribute, by its path → old one.
    private var oldElements: [Route: [String: String]] = [:]

    /// - Parameters:
    ///   - mappings: The mapping model; nil if nothing is known of it.
    ///   - source: The old model.
    ///   - destination: The new model.
    init(
        _ mappings: NSMappingModel?, from source: NSManagedObjectModel,
        to destination: NSManagedObjectModel
    ) {
        for mapping in mappings?.entityMappings ?? [] {
            guard let source = mapping.sourceEntityName,
                let destination = mapping.destinationEntityName
            else { continue }
            let route = Route(source: source, destination: destination)
            let properties =
                (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
            let copied = Self.copiedNames(properties)
            // Objects of one entity may become those of another by several mappings.
            oldNames[route] = oldNames[route]?.filter { copied[$0.key] == $0.value } ?? copied
        }
        oldNames = oldNames.mapValues(Self.withoutRivals)
        for (route, names) in oldNames {
            let old = source.entitiesByName[route.source]?.attributesByName ?? [:]
            let new = destination.entitiesByName[route.destination]?.attributesByName ?? [:]
            for (name, oldName) in names {
                guard let attribute = new[name], let former = old[oldName] else { continue }
                oldElements[route, default: [:]].merge(
                    AttributeElement.oldNames(of: attribute, from: former)
                ) { $1 }
            }
        }
    }

    /// Of several copies of one property, the one that keeps its name counts, or else the one that sorts first.
    private static func withoutRivals(_ names: [String: String]) -> [String: String] {
        let copies = Dictionary(grouping: names.keys) { names[$0] ?? $0 }
        return names.filter { new, old in
            let rivals = copies[old] ?? []
            return new == (rivals.contains(old) ? old : rivals.min())
        }
    }

    private static func copiedNames(_ properties: [NSPropertyMapping]) -> [String: String] {
        var names: [String: String] = [:]
        for property in properties {
            guard let name = property.name else { continue }
            names[name] = property.valueExpression?.copiedProperty
        }
        return names
    }

    /// The old property, or element of a composite attribute, that is copied to a new one; nil if none is.
    ///
    /// - Parameters:
    ///   - name: The new name.
    ///   - source: The old entity.
    ///   - destination: The new entity.
    func oldName(of name: String, from source: String, to destination: String) -> String? {
        let route = Route(source: source, destination: destination)
        return oldNames[route]?[name] ?? oldElements[route]?[name]
    }

    /// The ways from old entities to new ones.
    var routes: Set<Route> { Set(oldNames.keys) }

    /// The new property to which an old one is copied; nil if it is copied to none.
    func newName(of name: String, _ route: Route) -> String? {
        oldNames[route]?.first { $0.value == name }?.key
    }
}

extension NSExpression {
    /// The property of the source object whose value the expression returns, or whose destinations it maps; nil if it
    /// computes something else.
    fileprivate var copiedProperty: String? {
        // A key path that starts at a variable may count as a key path or as a function.
        guard expressionType == .function || expressionType == .keyPath else { return nil }
        switch function {
        case "valueForKey:", "valueForKeyPath:":
            guard operand.expressionType == .variable,
                operand.variable == NSMigrationSourceObjectKey, let key = arguments?.first
            else { return nil }
            let path =
                key.specifiedKeyPath
                ?? (key.expressionType == .constantValue ? key.constantValue as? String : nil)
            return path.flatMap { $0.contains(".") ? nil : $0 }
        case "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            "destinationInstancesForEntityMappingNamed:sourceInstances:":
            return arguments?.last?.copiedProperty
        default:
            return nil
        }
    }
}
