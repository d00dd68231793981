import CoreData

/// What a migration changes in the outbox and in the state of synchronisation.
extension StoreMigration {
    /// Gives waiting changes the new names of their properties, and forgets those that are gone.
    func rewriteOutbox() throws {
        for entity in schema.entities {
            guard let old = plan.oldEntity(of: entity.name) else { continue }
            var names: [String: String] = [:]
            for property in entity.attributes.map(\.name) + entity.toOnes.map(\.name) {
                guard let oldName = plan.oldName(of: property, in: entity.name) else { continue }
                names[oldName] = property
            }
            for toOne in entity.toOnes where toOne.orderColumn != nil {
                guard let oldName = plan.oldName(of: toOne.name, in: entity.name) else { continue }
                names[oldName + "_order"] = toOne.orderName
            }
            try rewrite(changesOf: entity, names) { name, value in
                guard let attribute = entity.attribute(named: names[name] ?? name),
                    let kind = old.attribute(named: name)?.kind,
                    let conversion = AttributeConversion(from: kind, to: attribute.kind)
                else { return value }
                // A value of the past that no longer fits was another than today's all the same.
                return (try? conversion.converted(value, path: name)) ?? .null
            }
        }
    }

    private func rewrite(
        changesOf entity: EntitySchema, _ names: [String: String],
        _ converted: (String, SQLiteValue) -> SQLiteValue
    ) throws {
        for change in try database.outbox.updates(ofEntity: entity.number) {
            var base = FieldValues()
            for (name, value) in change.base.values {
                if let new = names[name] { base[new] = converted(name, value) }
            }
            if base == change.base { continue }
            if base.values.isEmpty {
                try database.outbox.remove(of: change.pk)
            } else {
                try database.outbox.setBase(base, of: change.pk)
            }
        }
    }

    /// Queues the values of attributes that have another field now, which is empty on the server.
    func sendRefielded() throws {
        guard !plan.refieldedAttributes.isEmpty else { return }
        for (name, attributes) in plan.refieldedAttributes {
            guard let entity = schema.entity(named: name), mappings.mapping(of: entity) != nil
            else { continue }
            for attribute in attributes.compactMap({ entity.attribute(named: $0) }) {
                let keys = try connection.rows(
                    "SELECT pk FROM \(entity.table.name.sqlIdentifier)"
                        + " WHERE entity = ? AND \(attribute.column.sqlIdentifier) IS NOT NULL",
                    [.integer(entity.number)]
                ) { $0.integer(at: 0) }
                for pk in keys {
                    try database.outbox.noteUpdate(
                        pk, base: FieldValues([attribute.name: .null]))
                }
            }
        }
    }

    /// Other devices may have filled the new properties already: their records are fetched again,
    /// as records that are not known yet.
    func askServerAgain() throws {
        guard !plan.extendedEntities.isEmpty else { return }
        for entity in schema.entities where plan.extendedEntities.contains(entity.name) {
            try database.objects.forgetChangeTags(ofEntity: entity.number)
        }
        try database.syncState.askAgain()
    }
}
