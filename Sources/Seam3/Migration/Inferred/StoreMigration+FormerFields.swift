import CoreData

/// What records have in the fields of properties that have another field from now on.
extension StoreMigration {
    /// A value of a property that gets another field.
    private struct MovedPart {
        let field: LeftField
        /// An SQL expression for its value in the old table.
        let expression: String
    }

    /// Remembers what the server has in the fields that properties leave, before any value is moved: a
    /// different value that a record has there later is an edit by a device with the former model.
    func rememberFormerFields() throws {
        for entity in schema.entities {
            guard let mapping = mappings.mapping(of: entity),
                let old = plan.oldEntity(of: entity.name),
                let table = plan.oldAssignedNames.tables[old.root]
            else { continue }
            let parts = movedParts(of: mapping) + formerReferences(of: mapping)
            if parts.isEmpty { continue }
            let values =
                "SELECT \(parts.map(\.expression).joined(separator: ", "))"
                + " FROM \(table.sqlIdentifier) AS r WHERE pk = ?"
            for pk in try database.objects.sentKeys(ofEntity: entity.number) {
                // A deleted object has no row.
                let row = try connection.firstRow(values, [.integer(pk)]) { row in
                    parts.indices.map { row.value(at: $0) }
                }
                try autoreleasepool {
                    var present = PropertyValues()
                    for (part, value) in zip(parts, row ?? []) {
                        present[part.field.oldName] = value
                    }
                    try database.remember(
                        parts.map(\.field), of: pk, present, database.outbox.entry(of: pk), mapping)
                }
            }
        }
    }

    private func movedParts(of mapping: RecordMapping) -> [MovedPart] {
        let entity = mapping.entity.name
        return (plan.movedProperties[entity] ?? [:]).sorted { $0.key < $1.key }.flatMap {
            property, field -> [MovedPart] in
            let former = mapping.formerProperties.first {
                $0.parts.contains { $0.name == property && $0.field == field }
            }
            guard let former, let oldName = plan.oldName(of: property, in: entity) else {
                return []
            }
            return former.parts.compactMap { part in
                var suffix = ""
                if case .orderKey = part.content { suffix = "_order" }
                guard part.name == property || !suffix.isEmpty,
                    let column = plan.oldColumn(of: property, in: entity, suffix: suffix)
                else { return nil }
                var expression = "r.\(column.column.sqlIdentifier)"
                if case .reference = part.content {
                    expression = ObjectTable.recordName(of: expression)
                }
                return MovedPart(
                    field: LeftField(name: part.field, oldName: oldName + suffix),
                    expression: expression)
            }
        }
    }

    /// The references that become links.
    private func formerReferences(of mapping: RecordMapping) -> [MovedPart] {
        let entity = mapping.entity.name
        return mapping.formerReferences.map(\.reference).compactMap { reference in
            guard let oldName = plan.oldReference(reference.name, in: entity),
                plan.oldEntity(of: entity)?.fields[oldName] == reference.field,
                let column = plan.oldColumn(of: reference.name, in: entity)
            else { return nil }
            let expression = ObjectTable.recordName(of: "r.\(column.column.sqlIdentifier)")
            return MovedPart(
                field: LeftField(name: reference.field, oldName: oldName), expression: expression)
        }
    }
}
