import CoreData

/// Batch deletion. The delete rules run as statements over all objects at once.
extension BatchExecution {
    /// Deletes the objects that a request's fetch finds, and those that the rule "cascade" adds.
    ///
    /// - Returns: The result, which includes the cascaded objects, and whether there are changes to
    ///   send.
    /// - Throws: 1600 if the rule "deny" forbids it; 134030 if the rule "nullify" would clear a
    ///   required relationship of another object.
    func delete(_ request: NSBatchDeleteRequest) throws -> (Any, Bool) {
        // What Apple's frameworks do here is an assumption: SM-12.
        let fetch = request.fetchRequest
        let type = request.resultType
        // A request for an empty list of IDs has no entity.
        guard let name = fetch.entityName else {
            return (BatchDeleteResult(Self.result(type, ids: [], count: 0), type), false)
        }
        let selection = try select(fetch, try entity(named: name))
        try followCascades(selection)
        let entities = try selection.entityNumbers().compactMap(schema.entity(number:))
        try checkDenials(entities)
        for entity in entities { try nullify(referrersOf: entity) }
        try removeLinks()
        let count = try selection.count()
        let ids = type == .resultTypeObjectIDs ? try selection.objectIDs(store, schema) : []
        for entity in entities { try queueDeletions(of: entity) }
        for entity in entities { try deleteRows(of: entity) }
        try selection.clear()
        let result = BatchDeleteResult(Self.result(type, ids: ids, count: count), type)
        return (result, try database.outbox.unparkedCount() > 0)
    }

    private static func result(
        _ type: NSBatchDeleteRequestResultType, ids: [NSManagedObjectID], count: Int
    ) -> Any {
        switch type {
        case .resultTypeObjectIDs: return ids
        case .resultTypeCount: return NSNumber(value: count)
        default: return NSNumber(value: true)
        }
    }

    // MARK: - Delete rules

    private static func selected(_ entity: EntitySchema, round: Int64? = nil) -> SQL {
        let round: SQL = round.map { " AND round = \($0)" } ?? ""
        return
            "SELECT pk FROM \(verbatim: BatchSelection.table) WHERE entity = \(entity.number)\(round)"
    }

    private func followCascades(_ selection: BatchSelection) throws {
        var round: Int64 = 0
        while true {
            let numbers = try selection.entityNumbers(round: round)
            guard !numbers.isEmpty else { return }
            for entity in numbers.compactMap(schema.entity(number:)) {
                for relationship in relationships(of: entity, with: .cascadeDeleteRule) {
                    if let query = destinations(
                        of: relationship, ownedBy: Self.selected(entity, round: round), entity)
                    {
                        try selection.add(query, round: round + 1)
                    }
                }
            }
            round += 1
        }
    }

    private func relationships(
        of entity: EntitySchema, with rule: NSDeleteRule
    ) -> [NSRelationshipDescription] {
        (entity.toOnes.map(\.relationship) + entity.toManys.map(\.relationship))
            .filter { $0.deleteRule == rule }
    }

    /// The objects at the other end of a relationship: number and entity's number.
    private func destinations(
        of relationship: NSRelationshipDescription, ownedBy owners: SQL, _ entity: EntitySchema
    ) -> SQL? {
        if let toOne = entity.toOne(named: relationship.name) {
            return """
                SELECT d.pk, d.entity FROM \(name: entity.table.name) AS t \
                \(verbatim: ObjectTable.joinPresent("d", on: "t.\(toOne.column.sqlIdentifier)")) \
                WHERE t.pk IN (\(owners))
                """
        }
        switch entity.toMany(named: relationship.name)?.storage {
        case .foreignKey(let table, let column, _):
            return """
                SELECT m.pk, m.entity FROM \(name: table) AS m \
                WHERE m.\(name: column) IN (\(owners))
                """
        case .link(let link, let isSource):
            let (own, other, _) = LinkTable.columns(isSource: isSource)
            return """
                SELECT d.pk, d.entity FROM \(name: link.table) AS l \
                \(verbatim: ObjectTable.joinPresent("d", on: "l.\(other)")) \
                WHERE l.\(verbatim: own) IN (\(owners))
                """
        case nil:
            return nil
        }
    }

    private func checkDenials(_ entities: [EntitySchema]) throws {
        for entity in entities {
            for relationship in relationships(of: entity, with: .denyDeleteRule) {
                guard
                    let query = destinations(
                        of: relationship, ownedBy: Self.selected(entity), entity)
                else { continue }
                let remaining: SQL = """
                    SELECT 1 FROM (SELECT NULL AS pk, NULL AS entity WHERE 0 UNION ALL \
                    SELECT * FROM (\(query))) AS f \
                    WHERE f.pk NOT IN (SELECT pk FROM \(verbatim: BatchSelection.table)) LIMIT 1
                    """
                if try hasRow(remaining) {
                    throw CocoaError(
                        .validationRelationshipDeniedDelete,
                        userInfo: [
                            NSValidationKeyErrorKey: relationship.name,
                            NSLocalizedDescriptionKey:
                                "Objects of \(entity.name) cannot be deleted because of their"
                                + " \(relationship.name).",
                        ])
                }
            }
        }
    }

    private func hasRow(_ sql: SQL) throws -> Bool {
        try connection.firstRow(sql.text, sql.values) { _ in true } ?? false
    }

    /// Nullifies to-one relationships that lead to deleted objects, whatever the delete rule is: no
    /// object may refer to a missing one. The rules "deny" and "cascade" have been applied by then.
    private func nullify(referrersOf entity: EntitySchema) throws {
        for (column, other) in schema.columnsLeading(toEntity: entity.number) {
            let condition: SQL = """
                \(name: column.column) IN (\(Self.selected(entity))) \
                AND pk NOT IN (SELECT pk FROM \(verbatim: BatchSelection.table))
                """
            if !column.relationship.isOptional,
                try hasRow("SELECT 1 FROM \(name: other.table.name) WHERE \(condition) LIMIT 1")
            {
                throw CocoaError(
                    .persistentStoreSave,
                    userInfo: [
                        NSLocalizedDescriptionKey:
                            "Constraint trigger violation: Batch delete failed due to mandatory OTO"
                            + " nullify inverse on \(other.name)/\(column.name)"
                    ])
            }
            try noteNullified(column, in: other, where: condition)
            let update: SQL = """
                UPDATE \(name: other.table.name) SET \(name: column.column) = NULL, \
                version = \(ObjectRow.nextVersion) WHERE \(condition)
                """
            try connection.execute(update.text, update.values)
        }
    }

    private func noteNullified(
        _ column: ToOneColumn, in other: EntitySchema, where condition: SQL
    ) throws {
        let numbers = syncedNumbers(of: other.familyNumbers).filter { number in
            schema.entity(number: number).flatMap(mappings.mapping)?
                .propertyNames.contains(column.name) ?? false
        }
        let list = numbers.map { number -> SQL in "\(number)" }.joined(separator: ", ")
        let old = ObjectTable.recordNameOfUndeleted("m.\(column.column.sqlIdentifier)")
        try database.outbox.noteUpdates(
            """
            SELECT m.pk, \(verbatim: BaseValueFunctions.fields)(\(bind: .text(column.name)), \
            \(verbatim: old)) AS base \
            FROM \(name: other.table.name) AS m WHERE \(condition) AND m.entity IN (\(list))
            """, .deletion)
    }

    private func removeLinks() throws {
        for link in schema.links {
            let isSynced = mappings.isSynced(link)
            let keys = try database.links.keys(
                of: link, withEndIn: "SELECT pk FROM \(BatchSelection.table)")
            for pk in keys { try database.links.removeWithEnd(pk, link, isSynced: isSynced) }
        }
    }

    // MARK: - Rows

    private func queueDeletions(of entity: EntitySchema) throws {
        guard let mapping = mappings.mapping(of: entity) else { return }
        let selected = Self.selected(entity)
        try database.outbox.noteDeletions(
            in: selected.text,
            bases: """
                SELECT t.pk, \(Self.fields(of: mapping)) AS base \
                FROM \(name: entity.table.name) AS t WHERE t.pk IN (\(selected))
                """)
    }

    private func deleteRows(of entity: EntitySchema) throws {
        let selected = Self.selected(entity)
        let isSynced = mappings.mapping(of: entity) != nil
        try database.objects.forget(
            in: isSynced ? ObjectTable.keys(among: selected.text, sent: false) : selected.text)
        try connection.execute(
            "DELETE FROM \(entity.table.name.sqlIdentifier) WHERE pk IN (\(selected.text))")
    }

    /// The synced properties of a row of the table `t`, encoded.
    private static func fields(of mapping: RecordMapping) -> SQL {
        var pairs = mapping.attributes.map { attribute -> SQL in
            "\(bind: .text(attribute.column.name)), t.\(name: attribute.column.column)"
        }
        for column in mapping.references.map(\.column) {
            let target = ObjectTable.recordName(of: "t.\(column.column.sqlIdentifier)")
            pairs.append("\(bind: .text(column.name)), \(verbatim: target)")
            if let order = column.orderColumn {
                pairs.append("\(bind: .text(column.orderName)), t.\(name: order)")
            }
        }
        // A function in SQLite has at most 100 arguments.
        let parts = stride(from: 0, to: pairs.count, by: 50).map { start -> SQL in
            let part = pairs[start..<min(start + 50, pairs.count)].joined(separator: ", ")
            return "\(verbatim: BaseValueFunctions.fields)(\(part))"
        }
        return parts.dropFirst().reduce(parts.first ?? "NULL") { known, part in
            "\(verbatim: BaseValueFunctions.older)(\(known), \(part))"
        }
    }
}
