import CoreData

/// The derived attributes of a store, computed by SQL at the end of each transaction.
///
/// Temporary triggers of a connection note the rows whose derived attributes may have changed,
/// whether a save, a batch request or the sync engine changed them. One statement for each entity
/// then computes the values. They are not sent to the server: each device derives its own.
struct DerivedAttributes: ComputedValues {
    /// The table of the noted rows. `own` tells whether the row itself was written, and not only a
    /// row that it derives from. No entity's table can have a name with a space.
    fileprivate static let noted = "\"sm_derived rows\""

    /// One entity that declares derived attributes.
    private struct Group {
        let entity: EntitySchema
        let attributes: [(column: AttributeColumn, expression: NSExpression)]
    }

    private let schema: StoreSchema
    private let groups: [Group]

    init(_ schema: StoreSchema) {
        self.schema = schema
        groups = schema.entities.compactMap { entity in
            let own = entity.attributes.compactMap {
                column -> (column: AttributeColumn, expression: NSExpression)? in
                guard let expression = column.derivation,
                    entity.description.declaringEntity(of: column.name) === entity.description
                else { return nil }
                return (column, expression)
            }
            return own.isEmpty ? nil : Group(entity: entity, attributes: own)
        }
    }

    var isEmpty: Bool { groups.isEmpty }

    // MARK: - Triggers

    /// Makes the connection note changed rows from now on.
    ///
    /// - Throws: ``SMStoreError/unsupportedModel(_:)`` if SQL cannot compute an expression.
    func observe(_ connection: SQLiteConnection) throws {
        guard !isEmpty else { return }
        try checkExpressions()
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS \(Self.noted) \
            (pk INTEGER PRIMARY KEY, own INTEGER NOT NULL)
            """)
        var triggers = TriggerSet()
        for group in groups {
            triggers.observe(group.entity.table)
            for (_, expression) in group.attributes {
                for path in Self.keyPaths(of: expression) {
                    triggers.observe(
                        path.components(separatedBy: "."), of: group.entity, in: schema)
                }
            }
        }
        for statement in triggers.statements { try connection.execute(statement) }
    }

    private func checkExpressions() throws {
        var problems: [String] = []
        for group in groups {
            for (column, _) in group.attributes {
                do {
                    _ = try statement(for: group)
                } catch let problem as Inexpressible {
                    problems.append(
                        "\(group.entity.name).\(column.name): it cannot be derived from"
                            + " \(problem.what)")
                }
            }
        }
        if !problems.isEmpty { throw SMStoreError.unsupportedModel(problems) }
    }

    private static func keyPaths(of expression: NSExpression) -> [String] {
        switch expression.expressionType {
        case .keyPath: return [expression.keyPath]
        case .function: return (expression.arguments ?? []).flatMap(keyPaths)
        default: return []
        }
    }

    // MARK: - Computing

    /// Computes the derived attributes of the rows noted so far.
    ///
    /// - Returns: The objects whose derived attributes changed.
    func refresh(_ connection: SQLiteConnection) throws -> [Int64] {
        guard !isEmpty else { return [] }
        var changed: [Int64] = []
        let hasNoted =
            try connection.firstRow("SELECT 1 FROM temp.\(Self.noted) LIMIT 1") { _ in true }
        guard hasNoted == true else { return [] }
        for group in groups {
            let sql = try statement(for: group)
            changed += try connection.rows(sql.text, sql.values) { $0.integer(at: 0) }
        }
        try connection.execute("DELETE FROM temp.\(Self.noted)")
        return changed
    }

    /// Computes all derived attributes, for example after a change of the model.
    func refreshAll(_ connection: SQLiteConnection) throws {
        for group in groups {
            try connection.execute(
                """
                INSERT OR IGNORE INTO temp.\(Self.noted) (pk, own) \
                SELECT pk, 0 FROM \(group.entity.table.name.sqlIdentifier)
                """)
        }
        _ = try refresh(connection)
    }

    private func statement(for group: Group) throws -> SQL {
        let entity = group.entity
        let table: SQL = "\(name: entity.table.name)"
        let clause = FromClause(
            "temp.\(verbatim: Self.noted) AS noted JOIN \(table) AS t0 ON t0.pk = noted.pk")
        let aliases = AliasSequence()
        let source = RowSource(
            entity: entity, alias: aliases.next(), clause: clause, aliases: aliases)
        let compiler = QueryCompiler(schema: schema, source: source, keyOf: { _ in nil })
        var values: [SQL] = []
        var settings: [SQL] = []
        var differences: [SQL] = []
        for (index, (column, expression)) in group.attributes.enumerated() {
            let value = try self.value(of: expression, column, compiler)
            values.append("\(value) AS \(verbatim: "v\(index)")")
            settings.append("\(name: column.column) = new.\(verbatim: "v\(index)")")
            differences.append(
                "\(table).\(name: column.column) IS NOT new.\(verbatim: "v\(index)")")
        }
        let family = entity.familyNumbers.map { number -> SQL in "\(number)" }
        return """
            WITH new AS MATERIALIZED (SELECT \(source.key) AS pk, \(values.joined(separator: ", ")) \
            FROM \(clause.sql) WHERE \(source.entityNumber) IN (\(family.joined(separator: ", ")))) \
            UPDATE \(table) SET \(settings.joined(separator: ", ")) FROM new \
            WHERE \(table).pk = new.pk AND (\(differences.joined(separator: " OR "))) \
            RETURNING pk
            """
    }

    private func value(
        of expression: NSExpression, _ column: AttributeColumn, _ compiler: QueryCompiler
    ) throws -> SQL {
        if expression.expressionType == .function, expression.function == "now" {
            let now = SQLiteValue.real(Date().timeIntervalSinceReferenceDate)
            return "CASE WHEN noted.own OR t0.\(name: column.column) IS NULL THEN \(bind: now)"
                + " ELSE t0.\(name: column.column) END"
        }
        return try compiler.scalar(try compiler.operand(expression)).0
    }
}

/// The triggers that note rows.
private struct TriggerSet {
    /// One step of a key path, from an object to others.
    private struct Hop {
        /// The numbers of the owners of some members.
        let owners: (_ members: String) -> String
        /// For the table that stores the relationship: the table, and the column with the owner's
        /// number.
        let relation: (table: String, ownerColumn: String)?
        /// The table of the members.
        let members: RootTable
    }

    private(set) var statements: [String] = []
    private var known: Set<String> = []

    /// Notes the rows of a table that are themselves written.
    mutating func observe(_ table: RootTable) {
        for event in ["INSERT", "UPDATE"] {
            add(
                "own \(table.name)", event, table.name,
                "INSERT INTO \(DerivedAttributes.noted) (pk, own) VALUES (NEW.pk, 1)"
                    + " ON CONFLICT (pk) DO UPDATE SET own = 1")
        }
    }

    /// Notes the rows of an entity from which a key path leads to a written row.
    mutating func observe(_ keys: [String], of entity: EntitySchema, in schema: StoreSchema) {
        var hops: [Hop] = []
        var current = entity
        for key in keys {
            guard let hop = Self.hop(key, of: current, in: schema) else { return }
            let name = "\(entity.table.name) \(keys.joined(separator: ".")) \(hops.count)"
            if let relation = hop.hop.relation {
                for (event, row) in Self.events {
                    note(
                        name + " relation", event, relation.table,
                        through: hops, from: "\(row).\(relation.ownerColumn.sqlIdentifier)")
                }
            }
            hops.append(hop.hop)
            for (event, row) in Self.events {
                note(name, event, hop.hop.members.name, through: hops, from: "\(row).pk")
            }
            current = hop.entity
        }
    }

    private static let events = [
        ("INSERT", "NEW"), ("DELETE", "OLD"), ("UPDATE", "NEW"), ("UPDATE", "OLD"),
    ]

    private static func hop(
        _ key: String, of entity: EntitySchema, in schema: StoreSchema
    ) -> (hop: Hop, entity: EntitySchema)? {
        if let toOne = entity.toOne(named: key),
            let destination = schema.entity(named: toOne.destinationName)
        {
            let table = entity.table.name.sqlIdentifier
            let column = toOne.column.sqlIdentifier
            let hop = Hop(
                owners: { "SELECT pk FROM \(table) WHERE \(column) IN (\($0))" }, relation: nil,
                members: destination.table)
            return (hop, destination)
        }
        guard let toMany = entity.toMany(named: key),
            let destination = schema.entity(named: toMany.destinationName)
        else { return nil }
        switch toMany.storage {
        case .foreignKey(let table, let column, _):
            let hop = Hop(
                owners: {
                    "SELECT \(column.sqlIdentifier) FROM \(table.sqlIdentifier) WHERE pk IN (\($0))"
                }, relation: (table, column), members: destination.table)
            return (hop, destination)
        case .link(let link, let isSource):
            let (own, other) = isSource ? ("source", "target") : ("target", "source")
            let hop = Hop(
                owners: {
                    "SELECT \(own) FROM \(link.table.sqlIdentifier) WHERE \(other) IN (\($0))"
                }, relation: (link.table, own), members: destination.table)
            return (hop, destination)
        }
    }

    private mutating func note(
        _ name: String, _ event: String, _ table: String, through hops: [Hop], from row: String
    ) {
        var owners = "SELECT \(row)"
        for hop in hops.reversed() { owners = hop.owners(owners) }
        add(
            "\(name) \(row.prefix(3))", event, table,
            // `OR IGNORE` does not work here, because the conflict clause of the triggering
            // statement would override it.
            "INSERT INTO \(DerivedAttributes.noted) (pk, own)"
                + " SELECT f.pk, 0 FROM (SELECT NULL AS pk WHERE 0 UNION ALL \(owners)) AS f"
                + " WHERE f.pk IS NOT NULL ON CONFLICT (pk) DO NOTHING")
    }

    private mutating func add(_ name: String, _ event: String, _ table: String, _ body: String) {
        let name = "sm_derived \(name) \(event)".sqlIdentifier
        guard known.insert(name).inserted else { return }
        statements.append(
            "CREATE TEMP TRIGGER IF NOT EXISTS \(name) AFTER \(event)"
                + " ON main.\(table.sqlIdentifier) BEGIN \(body); END")
    }
}
