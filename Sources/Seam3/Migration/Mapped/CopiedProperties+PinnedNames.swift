import CoreData

/// The record types and fields that former migrations, or renaming identifiers of the old model, have pinned, because
/// they cannot change on the server.
///
/// They are known by names of the old model, which a mapping model may give to something else.
extension CopiedProperties {
    /// The pinned record types for the names of a new model.
    func pinnedRecordTypes(
        from source: StoreSchema, to entities: [NSEntityDescription]
    ) -> [String: String] {
        var recordTypes: [String: String] = [:]
        for name in entities.compactMap(\.name) where isKept(name) {
            guard let old = source.entity(named: name)?.description else { continue }
            let recordType = source.assignedNames.recordType(of: old)
            recordTypes[name] =
                old.givenRecordType == nil && recordType != name
                ? recordType : source.assignedNames.recordTypes[name]
        }
        return recordTypes
    }

    /// The pinned fields for the names of a new model, as "Entity.property".
    func pinnedFields(
        from source: StoreSchema, to entities: [NSEntityDescription]
    ) -> [String: String] {
        var fields: [String: String] = [:]
        // Entities may inherit a property that only some of their mappings keep.
        var others: Set<String> = []
        for entity in entities {
            guard let name = entity.name else { continue }
            var sources = routes.filter { $0.destination == name }
            if sources.isEmpty, isKept(name) { sources = [Route(source: name, destination: name)] }
            for route in sources.sorted(by: { $0.source < $1.source }) {
                guard let old = source.entity(named: route.source)?.description else { continue }
                for property in entity.properties.map(\.name) {
                    let key = entity.qualifiedName(of: property)
                    if !isKept(property, route) { others.insert(key) }
                    if let field = pinnedField(of: property, in: old, source.assignedNames) {
                        fields[key] = field
                    }
                }
                for attribute in entity.attributesByName.values {
                    fields.merge(
                        pinnedNames(of: attribute, in: entity, old, route, source.assignedNames)
                    ) { $1 }
                }
            }
        }
        return fields.filter { !others.contains($0.key) }
    }

    /// The field of an old property, if it is not the property's name. One that the user info specified is not pinned.
    private func pinnedField(
        of name: String, in old: NSEntityDescription, _ names: AssignedNames
    ) -> String? {
        guard let property = old.propertiesByName[name], property.givenField == nil else {
            return names.fields[old.qualifiedName(of: name)]
        }
        let field = names.field(of: property, in: old)
        return field == name ? nil : field
    }

    /// The names in their fields of the elements of a composite attribute that keep their names. If the attribute itself
    /// gets another field, its elements keep their parts of it.
    private func pinnedNames(
        of attribute: NSAttributeDescription, in entity: NSEntityDescription,
        _ old: NSEntityDescription, _ route: Route, _ names: AssignedNames
    ) -> [String: String] {
        let oldRoot = oldName(of: attribute.name, from: route.source, to: route.destination)
        guard let former = old.attributesByName[oldRoot ?? attribute.name] else { return [:] }
        let formerElements = AttributeElement.all(of: former)
        let oldNames = AttributeElement.oldNames(of: attribute, from: former)
        var fields: [String: String] = [:]
        for element in AttributeElement.all(of: attribute) {
            guard
                let oldElement = formerElements.first(where: { $0.name == oldNames[element.name] })
            else { continue }
            let pinned = names.fieldNames(of: oldElement, in: old)
            for (index, name) in zip(element.path.indices.dropFirst(), pinned)
            where oldElement.path[index] == element.path[index] && name != element.path[index] {
                let path = element.path[...index].joined(separator: ".")
                fields[entity.qualifiedName(of: path)] = name
            }
        }
        return fields
    }

    /// Whether a new entity is the old one with its name, as far as the mapping model tells.
    private func isKept(_ entity: String) -> Bool {
        let known = routes.filter { $0.source == entity || $0.destination == entity }
        return known.isEmpty || known.contains { $0.source == $0.destination }
    }

    /// Whether a new property is the old one with its name, as far as the mapping model tells.
    private func isKept(_ property: String, _ route: Route) -> Bool {
        let old = oldName(of: property, from: route.source, to: route.destination)
        return (old ?? property) == property
            && (newName(of: property, route) ?? property) == property
    }
}
