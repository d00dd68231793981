import CoreData

/// Searches a store's file for inconsistencies, in the caller's transaction.
struct InvariantCheck {
    let database: StoreDatabase
    /// How many violations one statement may report.
    let limit: Int

    let objects = ObjectTable.name
    private let outbox = OutboxTable.name
    private let sequences = SequenceTable.name

    /// All violations, by rule.
    func violations() throws -> [SMStoreViolation] {
        try soundness()
            + database.schema.tables.flatMap(rows)
            + missingRows()
            + database.schema.entities.flatMap(references)
            + database.schema.links.flatMap(links)
            + changes()
            + sequence()
    }

    /// The violations that a statement finds; its first column is the key of the object at fault.
    func find(
        _ rule: SMStoreViolation.Rule, _ sql: String, _ values: [SQLiteValue] = [],
        entity: String? = nil, property: String? = nil, reason: String
    ) throws -> [SMStoreViolation] {
        try database.connection.rows(
            sql + " LIMIT \(max(limit, 1))", values
        ) { row in
            SMStoreViolation(
                rule, entity: entity, property: property, key: row.integer(at: 0), reason)
        }
    }

    // MARK: - The file

    private func soundness() throws -> [SMStoreViolation] {
        try database.connection.rows("PRAGMA integrity_check(\(max(limit, 1)))") {
            $0.text(at: 0)
        }.filter { $0 != "ok" }.map { SMStoreViolation(.soundFile, $0) }
    }

    private func sequence() throws -> [SMStoreViolation] {
        try find(
            .sequenceIsAhead,
            "SELECT pk FROM \(objects) WHERE pk >= (SELECT next_pk FROM \(sequences))",
            reason: "its number could be assigned again")
            + find(
                .sequenceIsAhead,
                """
                SELECT pk FROM \(outbox) WHERE revision > (SELECT next_revision FROM \(sequences))
                """,
                reason: "its change's revision could be assigned again")
    }

    // MARK: - Rows and objects

    private func rows(of table: RootTable) throws -> [SMStoreViolation] {
        let name = table.name.sqlIdentifier
        let numbers = database.schema.entities
            .filter { $0.table === table && !$0.description.isAbstract }
            .map { String($0.number) }.joined(separator: ", ")
        return try find(
            .rowHasEntity, "SELECT pk FROM \(name) WHERE entity NOT IN (\(numbers))",
            entity: table.rootName, reason: "its row belongs to no entity of the table")
            + find(
                .rowHasObject,
                """
                SELECT t.pk FROM \(name) AS t LEFT JOIN \(objects) AS o ON o.pk = t.pk \
                WHERE o.entity IS NOT t.entity OR o.state <> 'present'
                """, entity: table.rootName,
                reason: "its row belongs to no object, or its entity differs"
            )
    }

    private func missingRows() throws -> [SMStoreViolation] {
        let places =
            database.schema.entities.map { ($0.number, $0.name, $0.table.name) }
            + database.schema.links.map { ($0.number, $0.recordType, $0.table) }
        return try places.flatMap { number, name, table in
            try find(
                .objectHasRow,
                """
                SELECT o.pk FROM \(objects) AS o WHERE o.entity = ? AND o.state = 'present' \
                AND NOT EXISTS (SELECT 1 FROM \(table.sqlIdentifier) AS t WHERE t.pk = o.pk)
                """, [.integer(number)], entity: name, reason: "it has no row")
        }
            + find(
                .objectHasRow,
                """
                SELECT pk FROM \(objects) WHERE state = 'present' \
                AND entity NOT IN (SELECT number FROM \(EntityTable.name))
                """, reason: "its entity is not in the store")
    }

    // MARK: - The outbox

    private func changes() throws -> [SMStoreViolation] {
        try find(
            .changeHasObject,
            """
            SELECT c.pk FROM \(outbox) AS c LEFT JOIN \(objects) AS o ON o.pk = c.pk \
            WHERE o.pk IS NULL OR o.state = 'placeholder' \
            OR (c.kind = 'delete') <> (o.state = 'deleted')
            """, reason: "its waiting change does not match its state")
            + find(
                .deletionIsPending,
                """
                SELECT o.pk FROM \(objects) AS o WHERE o.state = 'deleted' \
                AND NOT EXISTS (SELECT 1 FROM \(outbox) AS c WHERE c.pk = o.pk)
                """, reason: "it is deleted, and no deletion waits")
    }
}
