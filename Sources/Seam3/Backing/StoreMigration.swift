import CoreData

#if SWIFT_PACKAGE
import SeamSQLite
#endif

/// Changes the tables of a store file in place to those of another model, inside the caller's
/// transaction: after a crash the file is the old one.
struct StoreMigration {
    let connection: SQLiteConnection
    let plan: MigrationPlan
    let schema: StoreSchema

    /// Plans a migration.
    ///
    /// - Throws: ``MigrationPlan/Refusal`` if it cannot be inferred.
    init(
        connection: SQLiteConnection, from old: ModelSnapshot, catalogue: SchemaCatalogue,
        to model: NSManagedObjectModel, configuration: String?
    ) throws {
        self.connection = connection
        let probe = StoreSchema(
            model: model, configuration: configuration, catalogue: SchemaCatalogue())
        plan = try MigrationPlan(
            from: old, catalogue: catalogue, to: probe.entities.map(\.description))
        schema = StoreSchema(
            model: model, configuration: configuration, catalogue: plan.catalogue)
    }

    /// Migrates.
    ///
    /// - Throws: ``MigrationPlan/Refusal`` if rows have no value for a required property; errors of
    ///   SQLite.
    func run() throws {
        try dropIndexes()
        try removeEntities()
        for table in schema.tables { try changeColumns(of: table) }
        try changeLinks()
        for statement in StoreTables.indexStatements(for: schema) {
            try connection.execute(statement)
        }
        for entity in schema.entities { try fillRequired(entity) }
        try renameInOutbox()
        try askServerAgain()
    }

    // MARK: - Tables

    private func dropIndexes() throws {
        let names = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'sm~_index %' ESCAPE '~'"
        ) { $0.text(at: 0) }
        for name in names { try connection.execute("DROP INDEX \(name.sqlIdentifier)") }
    }

    private func removeEntities() throws {
        for name in plan.removedEntities {
            guard let number = plan.oldCatalogue.entityNumbers[name],
                let root = plan.old.entity(named: name)?.root,
                let table = plan.oldCatalogue.tables[root]
            else { continue }
            try connection.execute(
                "DELETE FROM \(table.sqlIdentifier) WHERE entity = ?", [.integer(number)])
            try forgetObjects(ofNumber: number)
        }
        let kept = Set(schema.tables.map(\.name))
        for table in plan.oldCatalogue.tables.values where !kept.contains(table) {
            try connection.execute("DROP TABLE \(table.sqlIdentifier)")
        }
    }

    /// What the model no longer has is gone from this device; the server keeps it, for the devices
    /// whose model has it.
    private func forgetObjects(ofNumber number: Int64) throws {
        try connection.execute(
            "DELETE FROM sm_change WHERE pk IN (SELECT pk FROM sm_object WHERE abs(entity) = ?)",
            [.integer(number)])
        try connection.execute("DELETE FROM sm_object WHERE abs(entity) = ?", [.integer(number)])
    }

    private func changeColumns(of table: TableSchema) throws {
        let name = table.name.sqlIdentifier
        let present = try connection.rows("PRAGMA table_info(\(name))") { $0.text(at: 1) }
        guard !present.isEmpty else {
            return try connection.execute(table.tableStatement)
        }
        let fixed = ["pk", "entity", "version"]
        for column in present where !fixed.contains(column) && !table.columns.contains(column) {
            try connection.execute("ALTER TABLE \(name) DROP COLUMN \(column.sqlIdentifier)")
        }
        for (column, declaration) in zip(table.columns, table.declarations)
        where !present.contains(column) {
            try connection.execute("ALTER TABLE \(name) ADD COLUMN \(declaration)")
        }
    }

    private func changeLinks() throws {
        let wanted = Dictionary(uniqueKeysWithValues: schema.links.map { ($0.recordType, $0) })
        for (recordType, table) in plan.oldCatalogue.linkTables where wanted[recordType] == nil {
            try connection.execute("DROP TABLE IF EXISTS \(table.sqlIdentifier)")
            if let number = plan.oldCatalogue.entityNumbers[recordType] {
                try forgetObjects(ofNumber: number)
            }
        }
        for (recordType, link) in wanted where plan.oldCatalogue.linkTables[recordType] == nil {
            try connection.execute(StoreTables.linkStatement(link))
        }
    }

    // MARK: - Values

    /// Gives the rows of an entity what its required attributes must have.
    private func fillRequired(_ entity: EntitySchema) throws {
        let table = entity.table.name.sqlIdentifier
        for attribute in entity.attributes where !attribute.isOptional {
            let column = attribute.column.sqlIdentifier
            let value = try attribute.stored(attribute.attribute.defaultValue)
            let number = SQLiteValue.integer(entity.number)
            if !value.isNull {
                try connection.execute(
                    "UPDATE \(table) SET \(column) = ? WHERE entity = ? AND \(column) IS NULL",
                    [value, number])
            } else if try connection.firstRow(
                "SELECT 1 FROM \(table) WHERE entity = ? AND \(column) IS NULL LIMIT 1", [number],
                { _ in true }) == true
            {
                throw MigrationPlan.Refusal(
                    reason: "\(entity.name).\(attribute.name) is required and has no default")
            }
        }
    }

    // MARK: - Sync

    private func renameInOutbox() throws {
        for entity in schema.entities {
            var names: [String: String] = [:]
            for property in entity.attributes.map(\.name) + entity.toOnes.map(\.name) {
                let owner = EntitySchema.declaringEntity(of: property, in: entity.description)
                if let old = plan.renamedProperties[owner.name ?? ""]?[property] {
                    names[old] = property
                    names[old + "_order"] = property + "_order"
                }
            }
            if !names.isEmpty { try rename(names, inChangesOf: entity) }
        }
    }

    private func rename(_ names: [String: String], inChangesOf entity: EntitySchema) throws {
        let changes = try connection.rows(
            """
            SELECT c.pk, c.changed FROM sm_change AS c JOIN sm_object AS o ON o.pk = c.pk \
            WHERE o.entity = ? AND c.changed IS NOT NULL
            """, [.integer(entity.number)]
        ) { (pk: $0.integer(at: 0), base: FieldValues(encoded: $0.blob(at: 1))) }
        for change in changes {
            let base = FieldValues(
                Dictionary(
                    change.base.values.map { (names[$0.key] ?? $0.key, $0.value) }
                ) { first, _ in first })
            try connection.execute(
                "UPDATE sm_change SET changed = ? WHERE pk = ?",
                [.blob(base.encoded), .integer(change.pk)])
        }
    }

    /// Other devices may have filled the new properties already: their records are fetched again,
    /// as records that are not known yet.
    private func askServerAgain() throws {
        guard !plan.extendedEntities.isEmpty else { return }
        for entity in schema.entities {
            let family = sequence(first: entity.description) { $0.superentity }
            guard family.contains(where: { plan.extendedEntities.contains($0.name ?? "") }) else {
                continue
            }
            try connection.execute(
                "UPDATE sm_object SET change_tag = NULL WHERE entity = ?",
                [.integer(entity.number)])
        }
        let database = StoreDatabase(connection: connection, schema: schema)
        try SyncState(database: database).setZoneToken(nil)
    }
}
