import CoreData

/// The changes of a migration to the outbox and the state of sync.
extension StoreMigration {
    /// Renames the properties in waiting changes, and drops properties that no longer exist.
    func rewriteOutbox() throws {
        for entity in schema.entities {
            guard let old = plan.oldEntity(of: entity.name) else { continue }
            var names: [String: String] = [:]
            let synced = mappings.mapping(of: entity)?.propertyNames ?? []
            for property in entity.attributes.map(\.name) + entity.toOnes.map(\.name)
            where synced.contains(property) {
                guard let oldName = plan.oldName(of: property, in: entity.name) else { continue }
                names[oldName] = property
            }
            for toOne in entity.toOnes where synced.contains(toOne.orderName) {
                guard let oldName = plan.oldName(of: toOne.name, in: entity.name) else { continue }
                names[oldName + "_order"] = toOne.orderName
            }
            for (_, reference) in mappings.mapping(of: entity)?.formerReferences ?? []
            where plan.oldReference(reference.name, in: entity.name) == nil {
                guard let oldName = plan.oldName(of: reference.name, in: entity.name) else {
                    continue
                }
                names[oldName] = reference.name
            }
            func converted(_ name: String, _ new: String, _ value: SQLiteValue) -> SQLiteValue? {
                guard let attribute = entity.attribute(named: new),
                    let kind = old.attribute(named: name)?.kind,
                    let conversion = AttributeConversion(from: kind, to: attribute.kind)
                else { return value }
                return try? conversion.converted(value, path: name)
            }
            try rewrite(changesOf: entity, names) { name, new, value in
                // A base value that does not fit the new type differs from the present value, so
                // NULL serves as well.
                let value = converted(name, new, value) ?? .null
                return entity.attribute(named: new).map { dataInRow(value, of: $0) } ?? value
            }
            try database.outbox.rewriteServerVersions(ofEntity: entity.number) {
                $0.renamed(names, converted)
            }
        }
    }

    private func rewrite(
        changesOf entity: EntitySchema, _ names: [String: String],
        _ converted: (_ name: String, _ new: String, SQLiteValue) -> SQLiteValue?
    ) throws {
        for change in try database.outbox.updates(ofEntity: entity.number) {
            let base = change.base.renamed(names, converted)
            if base == change.base { continue }
            if base.values.isEmpty {
                try database.outbox.remove(of: change.pk)
            } else {
                try database.outbox.setBase(base, of: change.pk)
            }
        }
        for change in try database.outbox.annotated(ofEntity: entity.number) {
            try database.outbox.setFormer(change.former.renamed(names, converted), of: change.pk)
            try database.outbox.setAutomatic(
                Set(change.automatic.compactMap { names[$0] }), of: change.pk)
        }
    }

    /// Queues the removal of pairs that waiting changes have removed from references that are links now: another
    /// device may have sent the links.
    ///
    /// - Returns: The pairs.
    func removePairs() throws -> [(row: LinkRow, link: LinkSchema)] {
        var removed: [(LinkRow, LinkSchema)] = []
        for entity in schema.entities {
            for (link, reference) in mappings.mapping(of: entity)?.formerReferences ?? []
            where mappings.isSynced(link) {
                guard let oldName = plan.oldReference(reference.name, in: entity.name) else {
                    continue
                }
                for change in try database.outbox.updates(ofEntity: entity.number) {
                    guard let former = change.base[oldName].text,
                        let other = try database.objects.entry(named: former), other.isPresent
                    else { continue }
                    let row = LinkRow(
                        owner: change.pk, member: other.pk, isSource: reference.isSource)
                    if try database.links.removeAbsent(row, link) { removed.append((row, link)) }
                }
            }
        }
        return removed
    }

    /// Refuses changes that are impossible for records on the server, if such records may exist.
    func checkRecords() throws {
        for change in plan.recordChanges {
            guard let number = plan.oldAssignedNames.entityNumbers[change.oldEntity],
                try database.objects.hasSent(ofEntity: number),
                try change.column.map({ try hasValues($0, ofEntity: number) }) ?? true
            else { continue }
            throw MigrationPlan.Refusal(reason: change.reason)
        }
    }

    private func hasValues(
        _ column: MigrationPlan.OldColumn, ofEntity number: Int64
    ) throws -> Bool {
        try connection.firstRow(
            "SELECT 1 FROM \(column.table.sqlIdentifier) WHERE entity = ?"
                + " AND \(column.column.sqlIdentifier) IS NOT NULL LIMIT 1", [.integer(number)]
        ) { _ in true } == true
    }

    /// Queues objects that are synced from now on as new, and removes those that are no longer
    /// synced from the outbox.
    func followSwitches() throws {
        for entity in schema.entities {
            guard let old = plan.oldEntity(of: entity.name) else { continue }
            let mapping = mappings.mapping(of: entity)
            if old.isSynced, mapping == nil { try database.withdraw(entity.number) }
            if !old.isSynced, let mapping { try queueAsNew(entity, mapping) }
        }
        for link in schema.links {
            guard let wasSynced = wasSynced(link) else { continue }
            let isSynced = mappings.isSynced(link)
            if wasSynced, !isSynced { try database.withdraw(link.number) }
            if !wasSynced, isSynced {
                try database.outbox.noteInsertions(ofEntity: link.number)
                try database.syncState.askAgain()
            }
        }
    }

    /// Whether links were synced under the old model; nil if it had no such links.
    private func wasSynced(_ link: LinkSchema) -> Bool? {
        let old = plan.oldRelationship(link.source.name, in: link.sourceEntity)
        guard let old, old.linkRecordType == link.recordType else { return nil }
        return old.isLinkSynced
    }

    private func queueAsNew(_ entity: EntitySchema, _ mapping: RecordMapping) throws {
        if let naturalKey = mapping.naturalKey {
            try database.objects.nameByNaturalKey(naturalKey, entity)
        }
        try database.outbox.noteInsertions(ofEntity: entity.number)
    }

    /// Queues values that the server lacks: of properties that have another field now, or were not
    /// synced before.
    func sendProperties() throws {
        for (name, properties) in plan.propertiesToSend {
            guard let entity = schema.entity(named: name),
                plan.oldEntity(of: name)?.isSynced == true
            else { continue }
            var base = PropertyValues()
            for property in properties {
                base.values[property] = .null
                guard let toOne = entity.toOne(named: property), toOne.orderColumn != nil else {
                    continue
                }
                base.values[toOne.orderName] = .null
            }
            // The server's value in the old field says nothing about the new field.
            func lacking(_ version: PropertyValues) -> PropertyValues {
                let known = base.values.filter { version.values[$0.key] != nil }
                return PropertyValues(version.values.merging(known) { $1 })
            }
            for change in try database.outbox.withServerVersions(ofEntity: entity.number) {
                try database.outbox.rewriteSent(of: change, lacking)
                guard change.kind == .delete else { continue }
                // Other devices send the values that the deletion knows.
                let known = change.base.values.filter { base.values[$0.key] != nil }
                let former = PropertyValues(known).present.adding(change.former)
                try database.outbox.setFormer(former, of: change.pk)
                try database.outbox.setBase(lacking(change.base), ofDeletion: change)
            }
            for change in try database.outbox.updates(ofEntity: entity.number) {
                let known = base.values.filter { change.base.values[$0.key] != nil }
                guard !known.isEmpty else { continue }
                var merged = change.base
                for (name, value) in known { merged[name] = value }
                try database.outbox.setBase(merged, of: change.pk)
                // Other devices send the value that both sides agreed on.
                let agreed = change.base.values.filter { known[$0.key] != nil && !$0.value.isNull }
                let former = PropertyValues(agreed).adding(change.former)
                try database.outbox.setFormer(former, of: change.pk)
            }
            for property in properties { try send(property, of: entity, base) }
        }
    }

    private func send(_ property: String, of entity: EntitySchema, _ base: PropertyValues) throws {
        let toOne = entity.toOne(named: property)
        guard let column = entity.attribute(named: property)?.column ?? toOne?.column else {
            return
        }
        let names = [property] + (toOne?.orderColumn == nil ? [] : [toOne?.orderName ?? property])
        let own = PropertyValues(base.values.filter { names.contains($0.key) })
        let keys = try connection.rows(
            "SELECT pk FROM \(entity.table.name.sqlIdentifier)"
                + " WHERE entity = ? AND \(column.sqlIdentifier) IS NOT NULL",
            [.integer(entity.number)]
        ) { $0.integer(at: 0) }
        for pk in keys where try !database.outbox.sendInsertionAgain(pk) {
            try database.outbox.noteUpdate(pk, base: own, automatic: own.keys)
        }
    }

    /// Notes in waiting changes which properties no user has set here, because the old model did not have them, or
    /// could not hold the values of records.
    func noteUnreadProperties() throws {
        for entity in schema.entities where plan.oldEntity(of: entity.name)?.isSynced == true {
            let names = plan.unreadProperties(of: entity)
            if names.isEmpty { continue }
            for pk in try database.outbox.keys(ofEntity: entity.number) {
                try database.outbox.noteUnread(names, of: pk)
            }
        }
    }

    /// Other devices may have set what the old model did not have, or could not hold: the records are
    /// fetched again, as if they were unknown.
    func askServerAgain() throws {
        let links = schema.links.filter(mappings.isSynced)
        let hasNewLinks = links.contains {
            plan.oldAssignedNames.linkTables[$0.recordType] == nil
        }
        let unreadLinks = links.filter(plan.mayBeUnread)
        guard !plan.extendedEntities.isEmpty || hasNewLinks || !unreadLinks.isEmpty else { return }
        for entity in schema.entities where plan.extendedEntities.contains(entity.name) {
            try database.objects.forgetChangeTags(ofEntity: entity.number)
        }
        for link in unreadLinks {
            try database.objects.forgetChangeTags(ofPresentLinks: link.number)
        }
        try database.syncState.askAgain()
    }
}

extension StoreDatabase {
    /// Stops syncing an entity or a kind of link: its rows stay, and its changes leave the outbox.
    /// Its records stay on the server.
    fileprivate func withdraw(_ number: Int64) throws {
        try outbox.remove(in: ObjectTable.keys(ofEntities: [number]))
        for pk in try objects.deletedKeys(ofEntity: number) { try objects.remove(pk) }
        try objects.forgetSystemFields(ofEntity: number)
    }
}
