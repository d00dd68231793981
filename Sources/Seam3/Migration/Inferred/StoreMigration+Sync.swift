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
            func converted(_ name: String, _ new: String, _ value: SQLiteValue) -> SQLiteValue {
                guard let attribute = entity.attribute(named: new) else { return value }
                let conversion = old.attribute(named: name)?.kind.flatMap {
                    AttributeConversion(from: $0, to: attribute.kind)
                }
                guard let conversion else { return dataInRow(value, of: attribute) }
                // A value that does not fit the new type differs from the present value, so NULL
                // serves as well.
                let converted = try? conversion.converted(value, path: name)
                return dataInRow(converted ?? .null, of: attribute)
            }
            for change in try database.outbox.changes(ofEntity: entity.number) {
                try database.outbox.rename(change, names) { $0.renamed(names, converted) }
            }
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
                for change in try database.outbox.changes(ofEntity: entity.number)
                where change.kind == .update {
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
            // Other devices send the values that the deletions know.
            try database.outbox.noteResend(
                Set(properties.flatMap { names(of: $0, in: entity) }),
                ofDeletionsOf: entity.number)
            for property in properties { try send(property, of: entity) }
        }
    }

    /// A property and its place in an order.
    private func names(of property: String, in entity: EntitySchema) -> [String] {
        let toOne = entity.toOne(named: property)
        return [property] + (toOne?.orderColumn == nil ? [] : [toOne?.orderName ?? property])
    }

    private func send(_ property: String, of entity: EntitySchema) throws {
        guard
            let column = entity.attribute(named: property)?.column
                ?? entity.toOne(named: property)?.column
        else { return }
        let keys = try connection.rows(
            "SELECT pk FROM \(entity.table.name.sqlIdentifier)"
                + " WHERE entity = ? AND \(column.sqlIdentifier) IS NOT NULL",
            [.integer(entity.number)]
        ) { $0.integer(at: 0) }
        for pk in keys {
            try database.outbox.noteResend(Set(names(of: property, in: entity)), of: pk)
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
