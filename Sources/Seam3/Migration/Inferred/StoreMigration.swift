import CoreData

/// Migrates a store file to another model in place, in the caller's transaction: a crash leaves the
/// old file.
///
/// The table of an old root entity becomes the table of the new root entity that it corresponds to.
/// Columns whose values do not change are kept as well. All other values are copied from the old
/// columns and tables, which are removed at the end.
struct StoreMigration {
    let connection: SQLiteConnection
    let plan: MigrationPlan
    let schema: StoreSchema
    let database: StoreDatabase
    let mappings: RecordMappings
    let externalData: ExternalDataFolder

    /// Plans a migration.
    ///
    /// - Throws: ``MigrationPlan/Refusal`` if it cannot be inferred.
    init(
        connection: SQLiteConnection, from old: ModelSnapshot, assignedNames: AssignedNames,
        to model: NSManagedObjectModel, configuration: String?, externalData: ExternalDataFolder
    ) throws {
        self.connection = connection
        self.externalData = externalData
        let probe = StoreSchema(
            model: model, configuration: configuration, assignedNames: AssignedNames())
        plan = try MigrationPlan(from: old, assignedNames: assignedNames, to: probe)
        schema = StoreSchema(
            model: model, configuration: configuration, assignedNames: plan.assignedNames)
        database = StoreDatabase(connection: connection, schema: schema)
        mappings = RecordMappings(schema, externalData: externalData)
        if let reason = MigrationPlan.reasonForOtherNames(in: schema) {
            throw MigrationPlan.Refusal(reason: reason)
        }
    }

    /// Migrates the file.
    ///
    /// - Throws: ``MigrationPlan/Refusal`` if rows have values that the new model does not allow,
    ///   or lack values that it requires; errors of SQLite.
    func run() throws {
        do {
            try checkRecords()
            let removed = try removals()
            try AttributeConversion.register(on: connection)
            try dropIndexes()
            try removeEntities()
            for table in schema.tables { try addColumns(of: table) }
            for entity in schema.entities { try moveRows(of: entity) }
            try takeDataFromFiles()
            try moveRelationships()
            try placeMembers()
            for table in schema.tables { try removeLeftovers(of: table) }
            try dropTables()
            for statement in FileLayout.indexStatements(for: schema) {
                try connection.execute(statement)
            }
            for entity in schema.entities { try fillRequired(entity) }
            let removedPairs = try removePairs()
            try rewriteOutbox()
            try report(removed)
            for (row, link) in removedPairs {
                try database.links.emptyFormerReferences(of: row, link)
            }
            try followSwitches()
            try sendProperties()
            try noteUnreadProperties()
            try askServerAgain()
        } catch let loss as AttributeConversion.Loss {
            throw MigrationPlan.Refusal(
                reason: "the type of \(loss.path) has changed, and would lose values that it has")
        }
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
            guard let number = plan.oldAssignedNames.entityNumbers[name],
                let root = plan.old.entity(named: name)?.root,
                let table = plan.oldAssignedNames.tables[root]
            else { continue }
            try connection.execute(
                "DELETE FROM \(table.sqlIdentifier) WHERE entity = ?", [.integer(number)])
            try forgetObjects(ofNumber: number)
        }
    }

    /// Objects whose entity the model no longer has are removed from this device. The server keeps
    /// their records for devices whose model has the entity.
    private func forgetObjects(ofNumber number: Int64) throws {
        let keys = ObjectTable.keys(ofEntities: [number])
        try database.outbox.remove(in: keys)
        try database.objects.forget(in: keys)
    }

    func columns(ofTable name: String) throws -> [String] {
        try connection.rows("PRAGMA table_info(\(name.sqlIdentifier))") { $0.text(at: 1) }
    }

    private func addColumns(of table: RootTable) throws {
        let present = try columns(ofTable: table.name)
        guard !present.isEmpty else { return try connection.execute(table.tableStatement) }
        for (column, declaration) in zip(table.columns, table.declarations)
        where !present.contains(column) {
            try connection.execute(
                "ALTER TABLE \(table.name.sqlIdentifier) ADD COLUMN \(declaration)")
        }
    }

    /// Removes columns and rows that the new model stores elsewhere or not at all.
    private func removeLeftovers(of table: RootTable) throws {
        guard plan.oldAssignedNames.tables.values.contains(table.name) else { return }
        let name = table.name.sqlIdentifier
        let members = schema.entities.filter { $0.table === table }
        let numbers = members.map { String($0.number) }.joined(separator: ", ")
        try connection.execute("DELETE FROM \(name) WHERE entity NOT IN (\(numbers))")
        let fixed = ["pk", "entity", "version"]
        for column in try columns(ofTable: table.name)
        where !fixed.contains(column) && !table.columns.contains(column) {
            try connection.execute("ALTER TABLE \(name) DROP COLUMN \(column.sqlIdentifier)")
        }
        for column in table.columns {
            let users = members.filter { $0.columns.contains(column) }
            let others = members.filter { member in
                !users.contains { $0 === member } && hadValues(member, in: column)
            }
            guard !others.isEmpty else { continue }
            let list = others.map { String($0.number) }.joined(separator: ", ")
            try connection.execute(
                "UPDATE \(name) SET \(column.sqlIdentifier) = NULL WHERE entity IN (\(list))")
        }
    }

    /// Whether any of an entity's objects has a value in a column of the old tables.
    private func hadValues(_ entity: EntitySchema, in column: String) -> Bool {
        guard let old = plan.oldEntity(of: entity.name) else { return false }
        return old.owners.keys.contains { property in
            ["", "_order"].contains {
                plan.column(of: property + $0, property, in: old)?.column == column
            }
        }
    }

    private func dropTables() throws {
        let kept = Set(schema.tables.map(\.name))
        for table in plan.oldAssignedNames.tables.values where !kept.contains(table) {
            try connection.execute("DROP TABLE \(table.sqlIdentifier)")
        }
        let links = Set(schema.links.map(\.recordType))
        for (recordType, table) in plan.oldAssignedNames.linkTables
        where !links.contains(recordType) {
            try connection.execute("DROP TABLE IF EXISTS \(table.sqlIdentifier)")
            if let number = plan.oldAssignedNames.entityNumbers[recordType] {
                try forgetObjects(ofNumber: number)
            }
        }
    }

    // MARK: - Values

    /// Copies the values of an entity's rows to columns that have changed.
    private func moveRows(of entity: EntitySchema) throws {
        guard let old = plan.oldEntity(of: entity.name),
            let oldTable = plan.oldAssignedNames.tables[old.root]
        else { return }
        var values: [(column: String, expression: String)] = []
        let isMoved = oldTable != entity.table.name
        func move(_ source: MigrationPlan.OldColumn?, _ expression: String?, to column: String) {
            guard let source, isMoved || source.column != column else { return }
            values.append((column.sqlIdentifier, expression ?? source.column.sqlIdentifier))
        }
        for attribute in entity.attributes {
            let source = plan.oldColumn(of: attribute.name, in: entity.name)
            let conversion = source?.kind.flatMap {
                AttributeConversion(from: $0, to: attribute.kind)
            }
            let expression = source.flatMap { source in
                conversion?.expression(
                    source.column.sqlIdentifier, path: "\(entity.name).\(attribute.name)")
            }
            move(source, expression, to: attribute.column)
        }
        for toOne in entity.toOnes {
            move(plan.oldColumn(of: toOne.name, in: entity.name), nil, to: toOne.column)
            guard let orderColumn = toOne.orderColumn else { continue }
            move(
                plan.oldColumn(of: toOne.name, in: entity.name, suffix: "_order"), nil,
                to: orderColumn)
        }
        let table = entity.table.name.sqlIdentifier
        let number = SQLiteValue.integer(entity.number)
        if isMoved {
            let columns = (["pk", "entity", "version"] + values.map(\.column))
                .joined(separator: ", ")
            let expressions = (["pk", "entity", "version"] + values.map(\.expression))
                .joined(separator: ", ")
            try connection.execute(
                "INSERT INTO \(table) (\(columns)) SELECT \(expressions)"
                    + " FROM \(oldTable.sqlIdentifier) WHERE entity = ?", [number])
        } else if !values.isEmpty {
            let assignments = values.map { "\($0.column) = \($0.expression)" }
                .joined(separator: ", ")
            try connection.execute("UPDATE \(table) SET \(assignments) WHERE entity = ?", [number])
        }
    }

    /// Fills the required attributes of an entity's rows.
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
}
