import CoreData

/// The fields of properties, which stay if the model renames these.
extension MigrationPlan {
    /// The names that make up the new field of a property or element. If the user info that specified the attribute's
    /// field was removed, the field changes. If a renaming identifier was removed, the field stays.
    ///
    /// - Parameters:
    ///   - name: The name in the new model.
    ///   - entity: The new entity.
    ///   - oldName: The name in the old model.
    ///   - old: The old entity.
    private func fieldNames(
        of name: String, _ entity: EntitySchema, _ oldName: String, in old: ModelSnapshot.Entity
    ) -> (old: [String], new: [String])? {
        let path = name.components(separatedBy: ".")
        guard let names = old.fieldNames(of: oldName), names.count == path.count,
            let property = entity.description.propertiesByName[path[0]]
        else { return nil }
        let given = old.givenFields.contains(oldName) ? property.name : names[0]
        let elements = entity.attribute(named: name)?.element.attributes ?? []
        return (
            names,
            [property.pinnedField ?? given]
                + zip(elements, names).dropFirst().map { $0.formerName ?? $1 }
        )
    }

    /// The new field of a property or element, if it differs from the old one.
    func newField(
        of name: String, _ entity: EntitySchema, _ oldName: String, in old: ModelSnapshot.Entity
    ) -> String? {
        guard let names = fieldNames(of: name, entity, oldName, in: old) else { return nil }
        let field = names.new.joined(separator: "_")
        return field == names.old.joined(separator: "_") ? nil : field
    }

    /// What a property or element keeps of its field that the new model does not specify, for the assigned names.
    func pinnedFields(
        of name: String, _ entity: EntitySchema, _ oldName: String, in old: ModelSnapshot.Entity
    ) -> [String: String] {
        guard let names = fieldNames(of: name, entity, oldName, in: old) else { return [:] }
        let path = name.components(separatedBy: ".")
        var fields: [String: String] = [:]
        for (index, pair) in zip(names.old, names.new).enumerated()
        where pair.0 == pair.1 && pair.0 != path[index] {
            let element = path[...index].joined(separator: ".")
            fields[entity.description.qualifiedName(of: element)] = pair.0
        }
        return fields
    }

    /// The fields in which devices with the old model, or an older one, store a property that is still synced.
    func formerFields(
        of name: String, _ entity: EntitySchema, _ oldName: String, in old: ModelSnapshot.Entity,
        _ newField: String?
    ) -> [AssignedNames.FormerField] {
        if entity.toMany(named: name)?.isLink == true {
            return formerReferences(of: name, entity, oldName, in: old)
        }
        guard isSynced(name, in: entity), old.syncedProperties.contains(oldName),
            let oldField = old.field(of: oldName)
        else { return [] }
        let owner = old.owners[oldName] ?? old.name
        let attribute = old.attribute(named: oldName)
        let left = AssignedNames.FormerField(
            name: oldField, type: attribute?.type, isEncrypted: attribute?.isEncrypted ?? false)
        return (oldAssignedNames.formerFields["\(owner).\(oldName)"] ?? [])
            .adding(newField == nil ? nil : left, present: newField ?? oldField)
    }
}
