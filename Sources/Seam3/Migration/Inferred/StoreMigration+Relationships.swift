import CoreData

/// Relationships whose storage changes: a column became a link table, or the reverse, or the column
/// moved to the other end.
extension StoreMigration {
    /// Moves the pairs of all relationships whose storage changes.
    func moveRelationships() throws {
        for entity in schema.entities {
            for toOne in entity.toOnes where toOne.owner == entity.name {
                try fill(toOne, of: entity)
            }
        }
        for link in schema.links {
            // The assigned names still contain tables that an earlier migration has removed.
            if try columns(ofTable: link.table).isEmpty {
                try connection.execute(LinkTable.statement(for: link))
                try fill(link)
            }
            try forgetStrangers(in: link)
        }
        for entity in schema.entities {
            for toOne in entity.toOnes where toOne.owner == entity.name {
                try check(toOne, of: entity)
            }
        }
    }

    // MARK: - Old pairs

    /// A statement for the pairs of an old relationship: the owner, the other object, the owner's
    /// order key in the other's set, and the other's in the owner's.
    private func oldPairs(
        of relationship: ModelSnapshot.Relationship, in old: ModelSnapshot.Entity
    ) -> String? {
        if let recordType = relationship.linkRecordType {
            guard let table = plan.oldAssignedNames.linkTables[recordType] else { return nil }
            let columns =
                relationship.isLinkSource
                ? "source, target, source_order, target_order"
                : "target, source, target_order, source_order"
            return "SELECT \(columns) FROM \(table.sqlIdentifier)"
        }
        if !relationship.isToMany {
            return pairs(of: relationship.name, in: old) { column, order in
                "pk, \(column), \(order), NULL"
            }
        }
        guard let destination = plan.old.entity(named: relationship.destination) else { return nil }
        return pairs(of: relationship.inverse, in: destination) { column, order in
            "\(column), pk, NULL, \(order)"
        }
    }

    private func pairs(
        of toOne: String, in entity: ModelSnapshot.Entity, _ list: (String, String) -> String
    ) -> String? {
        guard let source = plan.column(of: toOne, toOne, in: entity) else { return nil }
        let order = plan.column(of: toOne + "_order", toOne, in: entity)?.column.sqlIdentifier
        let column = source.column.sqlIdentifier
        return "SELECT \(list(column, order ?? "NULL")) FROM \(source.table.sqlIdentifier)"
            + " WHERE \(column) IS NOT NULL"
    }

    /// The old pairs of a new relationship, which may correspond to an old one by either of its
    /// ends.
    private func oldPairs(
        of relationship: NSRelationshipDescription
    ) throws -> [(own: Int64, other: Int64, ownOrder: String?, otherOrder: String?)]? {
        func pairs(_ sql: String) throws -> [(Int64, Int64, String?, String?)] {
            try connection.rows(sql) {
                (
                    $0.integer(at: 0), $0.integer(at: 1), $0.isNull(at: 2) ? nil : $0.text(at: 2),
                    $0.isNull(at: 3) ? nil : $0.text(at: 3)
                )
            }
        }
        if let sql = statement(of: relationship) { return try pairs(sql) }
        if let inverse = relationship.inverseRelationship, let sql = statement(of: inverse) {
            return try pairs(sql).map { ($0.1, $0.0, $0.3, $0.2) }
        }
        return nil
    }

    private func statement(of relationship: NSRelationshipDescription) -> String? {
        let owner = relationship.entity.declaringEntity(of: relationship.name)
        for entity in schema.entities where entity.description.isKindOf(entity: owner) {
            guard let old = plan.oldEntity(of: entity.name),
                let oldRelationship = plan.oldRelationship(relationship.name, in: entity.name)
            else { continue }
            return oldPairs(of: oldRelationship, in: old)
        }
        return nil
    }

    // MARK: - New places

    /// Fills a to-one relationship that was a to-many one, or whose inverse was to-many.
    private func fill(_ toOne: ToOneColumn, of entity: EntitySchema) throws {
        let family = schema.entities.filter { $0.description.isKindOf(entity: entity.description) }
        guard !family.contains(where: { plan.oldColumn(of: toOne.name, in: $0.name) != nil }),
            let pairs = try oldPairs(of: toOne.relationship)
        else { return }
        let table = entity.table.name.sqlIdentifier
        var filled: Set<Int64> = []
        for pair in pairs {
            guard filled.insert(pair.own).inserted else {
                throw MigrationPlan.Refusal(
                    reason: "\(entity.name).\(toOne.name) is to-one now, and an object has several")
            }
            var assignments = "\(toOne.column.sqlIdentifier) = ?"
            var values: [SQLiteValue] = [.integer(pair.other)]
            if let orderColumn = toOne.orderColumn {
                assignments += ", \(orderColumn.sqlIdentifier) = ?"
                values.append(SQLiteValue(pair.ownOrder))
            }
            try connection.execute(
                "UPDATE \(table) SET \(assignments) WHERE pk = ?", values + [.integer(pair.own)])
            guard connection.changeCount == 1, let entry = try database.objects.entry(pair.own),
                let owner = schema.entity(number: entry.entity),
                let mapping = mappings.mapping(of: owner),
                mapping.propertyNames.contains(toOne.name)
            else { continue }
            let names = [toOne.name] + (toOne.orderColumn == nil ? [] : [toOne.orderName])
            if try database.outbox.entry(of: pair.own)?.kind == .insert {
                // What was sent of it before lacks the reference.
                try database.outbox.noteUpdate(
                    pair.own, PropertyValues(Dictionary(names.map { ($0, .null) }) { $1 }), .other)
            } else {
                try database.outbox.noteResend(Set(names), of: pair.own)
            }
        }
    }

    /// Fills the links of a many-to-many relationship that was another kind of relationship. Each device makes the
    /// same links, so the server may have any of them: one that is removed here has to be removed there.
    private func fill(_ link: LinkSchema) throws {
        guard let pairs = try oldPairs(of: link.source) else { return }
        let isSynced = mappings.isSynced(link)
        for pair in pairs {
            try database.links.add(
                link, source: pair.own, target: pair.other, isSynced: isSynced)
            guard link.source.isOrdered || link.target?.isOrdered == true,
                let linkPK = try database.links.key(
                    of: link, source: pair.own, target: pair.other),
                var row = try database.links.row(linkPK, link)
            else { continue }
            let isAsStored = row.source == pair.own
            row.sourceOrder = isAsStored ? pair.ownOrder : pair.otherOrder
            row.targetOrder = isAsStored ? pair.otherOrder : pair.ownOrder
            try database.links.set(row, linkPK, link)
        }
        if isSynced { try database.objects.setSent(in: "SELECT pk FROM \(name: link.table)") }
    }

    // MARK: - Checks

    /// Removes references to objects that the migration has removed. Refuses references that are no
    /// longer valid: a destination of another entity, or one that a one-to-one relationship
    /// contains twice.
    private func check(_ toOne: ToOneColumn, of entity: EntitySchema) throws {
        let table = entity.table.name.sqlIdentifier
        let column = toOne.column.sqlIdentifier
        if !plan.removedEntities.isEmpty {
            try connection.execute(
                "UPDATE \(table) SET \(column) = NULL WHERE \(column) IS NOT NULL"
                    + " AND \(column) NOT IN (\(ObjectTable.allKeys))")
        }
        let path = "\(entity.name).\(toOne.name)"
        let numbers = (schema.entity(named: toOne.destinationName)?.familyNumbers ?? [])
            .map(String.init).joined(separator: ", ")
        if try hasRow(
            "SELECT 1 FROM \(table) AS t \(ObjectTable.joinPresent("o", on: "t.\(column)"))"
                + " WHERE o.entity NOT IN (\(numbers)) LIMIT 1")
        {
            throw MigrationPlan.Refusal(
                reason: "the destination of \(path) has changed, and an object has another one")
        }
        guard let inverse = toOne.relationship.inverseRelationship, !inverse.isToMany,
            try hasRow(
                "SELECT 1 FROM \(table) WHERE \(column) IS NOT NULL"
                    + " GROUP BY \(column) HAVING count(*) > 1 LIMIT 1")
        else { return }
        throw MigrationPlan.Refusal(
            reason: "\(inverse.entity.name ?? "").\(inverse.name) is to-one now, and an object has"
                + " several")
    }

    private func hasRow(_ sql: String) throws -> Bool {
        try connection.firstRow(sql) { _ in true } == true
    }

    private func forgetStrangers(in link: LinkSchema) throws {
        guard !plan.removedEntities.isEmpty else { return }
        for pk in try database.links.keys(of: link, withEndNotIn: ObjectTable.allKeys) {
            try database.links.forget(pk, link)
        }
    }
}
