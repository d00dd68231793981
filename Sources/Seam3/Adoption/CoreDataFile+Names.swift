import CoreData

/// The file's names for the tables and columns of the model's entities and properties.
extension CoreDataFile {
    // What Apple's frameworks do here is an assumption: SM-15.

    /// The name of an entity's table: that of its root entity, in capitals.
    static func table(of entity: NSEntityDescription) -> String {
        "Z" + (entity.rootEntity.name ?? "").uppercased()
    }

    /// The table of an entity. It may still have the entity's name from before a renaming.
    func table(of entity: NSEntityDescription) -> String {
        let root = entity.rootEntity
        let old = root.renamingIdentifier.map { "Z" + $0.uppercased() }
        let name = Self.table(of: entity)
        return tables[name] == nil ? old.flatMap { tables[$0] == nil ? nil : $0 } ?? name : name
    }

    func number(of entity: NSEntityDescription) -> Int64 {
        entityNumbers[entity.name ?? ""] ?? 0
    }

    /// The entities of a hierarchy, sorted by their numbers.
    func members(ofRoot root: NSEntityDescription) -> [NSEntityDescription] {
        model.entities.filter { $0.rootEntity === root }.sorted { number(of: $0) < number(of: $1) }
    }

    /// The properties with a column that an entity declares, by name. A composite attribute has none; its elements
    /// have.
    static func stored(in entity: NSEntityDescription) -> [NSPropertyDescription] {
        entity.propertiesByName.sorted { $0.key < $1.key }.compactMap { name, property in
            let isToMany = (property as? NSRelationshipDescription)?.isToMany == true
            guard entity.declaringEntity(of: name) === entity, !property.isTransient, !isToMany,
                !(property is NSFetchedPropertyDescription),
                (property as? NSAttributeDescription)?.elementsIfComposite == nil
            else { return nil }
            return property
        }
    }

    /// The columns of the properties of a hierarchy, by "Entity.property". Properties of siblings
    /// with the same name get a number, in the order of the entities.
    func columns(ofRoot root: NSEntityDescription) -> [String: String] {
        if let columns = knownColumns[root.name ?? ""] { return columns }
        let present = Set(tables[table(of: root)] ?? [])
        let members = members(ofRoot: root)
        var columns = columns(of: members, among: present) { $0.name }
        let count = members.reduce(0) { $0 + Self.stored(in: $1).count }
        if !keepsModel, columns.count < count {
            columns = formerColumns(of: members, among: present)
        }
        knownColumns[root.name ?? ""] = columns
        return columns
    }

    private func columns(
        of members: [NSEntityDescription], among present: Set<String>,
        _ name: (NSPropertyDescription) -> String
    ) -> [String: String] {
        var taken: Set<String> = []
        var columns: [String: String] = [:]
        for entity in members {
            for property in Self.stored(in: entity) {
                let base = "Z" + name(property).uppercased()
                var column = base
                var suffix = 1
                while taken.contains(column) {
                    column = base + String(suffix)
                    suffix += 1
                }
                taken.insert(column)
                guard present.contains(column) else { continue }
                columns["\(entity.name ?? "").\(property.name)"] = column
            }
        }
        return columns
    }

    /// The columns of a file without a model, if the app's model has renamed some since: they are
    /// found by their old names, from the renaming identifiers.
    private func formerColumns(
        of members: [NSEntityDescription], among present: Set<String>
    ) -> [String: String] {
        let names = present.filter { $0.hasPrefix("Z") && !$0.hasPrefix("Z_") }.map {
            VersionedName(String($0.dropFirst()), identifier: nil)
        }
        var formerNames: [String: String] = [:]
        for entity in members {
            let properties = Self.stored(in: entity)
            let matches = VersionMatches(
                of: properties.map {
                    VersionedName(
                        $0.name.uppercased(), identifier: $0.renamingIdentifier?.uppercased())
                }, with: names, keepsNames: true
            ).oldNames
            for property in properties {
                formerNames["\(entity.name ?? "").\(property.name)"] =
                    matches[property.name.uppercased()]
            }
        }
        return columns(of: members, among: present) { property in
            formerNames["\(property.entity.name ?? "").\(property.name)"] ?? property.name
        }
    }

    /// The column with the position in an ordered relationship.
    func orderColumn(ofToOneColumn column: String, in table: String) -> String? {
        let name = "Z_FOK_" + column.dropFirst()
        return tables[table]?.contains(name) == true ? name : nil
    }

    /// The column in the destination's table that refers to the owner of a to-many relationship
    /// without an inverse. The number in its name is that of the owning entity, possibly in an
    /// earlier version of the model.
    func memberColumn(of relationship: NSRelationshipDescription) -> String? {
        guard let destination = relationship.destinationEntity,
            let columns = tables[table(of: destination)]
        else { return nil }
        let owner = relationship.entity.declaringEntity(of: relationship.name)
        let names = formerNames(of: relationship)
        if let exact = names.map({ "Z\(number(of: owner))\($0)" }).first(where: columns.contains) {
            return exact
        }
        let others = columns.filter { column in
            let rest = column.dropFirst().drop { ("0"..."9").contains($0) }
            return column.first == "Z" && rest.count < column.count - 1
                && names.contains(String(rest))
        }
        return others.count == 1 ? others[0] : nil
    }

    /// A property's name in capitals, and the name that it may have had before.
    func formerNames(of property: NSPropertyDescription) -> [String] {
        let name = property.name.uppercased()
        guard !keepsModel, let old = property.renamingIdentifier?.uppercased(), old != name else {
            return [name]
        }
        return [name, old]
    }
}
