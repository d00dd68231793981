import CoreData

/// The objects that a batch request affects, in a temporary table of the connection.
///
/// The table's name contains a space, so it cannot collide with an entity's table.
struct BatchSelection {
    /// The table, quoted.
    static let table = "temp.\"sm_batch rows\""

    let connection: SQLiteConnection

    /// Creates an empty selection.
    init(_ connection: SQLiteConnection) throws {
        self.connection = connection
        try connection.execute(
            """
            CREATE TEMP TABLE IF NOT EXISTS "sm_batch rows" (pk INTEGER PRIMARY KEY, \
            entity INTEGER NOT NULL, round INTEGER NOT NULL)
            """)
        try connection.execute("DELETE FROM \(Self.table)")
    }

    /// Selects the results of a query with two columns, an object's number and its entity's.
    ///
    /// - Parameter round: How many relationships lead from the request's objects to these.
    func add(_ query: SQL, round: Int64) throws {
        try connection.execute(
            """
            INSERT OR IGNORE INTO \(Self.table) (pk, entity, round) \
            SELECT f.pk, f.entity, ? FROM (SELECT NULL AS pk, NULL AS entity WHERE 0 \
            UNION ALL SELECT * FROM (\(query.text))) AS f
            """, [.integer(round)] + query.values)
    }

    /// Selects one object.
    func add(_ pk: Int64, _ entityNumber: Int64) throws {
        try connection.execute(
            "INSERT OR IGNORE INTO \(Self.table) (pk, entity, round) VALUES (?, ?, 0)",
            [.integer(pk), .integer(entityNumber)])
    }

    /// Empties the selection to free its space.
    func clear() throws {
        try connection.execute("DELETE FROM \(Self.table)")
    }

    /// The numbers of the entities of the selected objects.
    func entityNumbers(round: Int64? = nil) throws -> [Int64] {
        try connection.rows(
            "SELECT DISTINCT entity FROM \(Self.table) WHERE ?1 IS NULL OR round = ?1 ORDER BY 1",
            [SQLiteValue(round)]
        ) { $0.integer(at: 0) }
    }

    func count() throws -> Int {
        try Int(
            connection.firstRow("SELECT count(*) FROM \(Self.table)") { $0.integer(at: 0) } ?? 0)
    }

    /// The selected objects: number and entity's number.
    func keys() throws -> [(pk: Int64, entity: Int64)] {
        try connection.rows("SELECT pk, entity FROM \(Self.table) ORDER BY pk") { row in
            (row.integer(at: 0), row.integer(at: 1))
        }
    }

    /// The IDs of the selected objects.
    func objectIDs(_ store: SMStore, _ schema: StoreSchema) throws -> [NSManagedObjectID] {
        try connection.rows("SELECT pk, entity FROM \(Self.table) ORDER BY pk") { row in
            schema.entity(number: row.integer(at: 1)).map {
                store.objectID(row.integer(at: 0), $0)
            }
        }.compactMap { $0 }
    }
}

extension BatchExecution {
    /// Selects the objects that a fetch finds.
    func select(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: EntitySchema
    ) throws -> BatchSelection {
        let selection = try BatchSelection(connection)
        var query = try FetchQuery(request, entity, in: schema, keyOf: store.key(of:))
        let window = FetchWindow(limit: request.fetchLimit, offset: request.fetchOffset)
        if query.residual.isEmpty, window.isAll || sort(&query, by: request.sortDescriptors) {
            try selection.add(
                query.statement(
                    selecting: "\(query.source.key), \(query.source.entityNumber)", window: window),
                round: 0)
            return selection
        }
        // SQL cannot express a part of the request, so a regular fetch evaluates it in memory.
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name)
        fetch.resultType = .managedObjectIDResultType
        fetch.predicate = request.predicate
        fetch.sortDescriptors = request.sortDescriptors
        fetch.fetchLimit = request.fetchLimit
        fetch.fetchOffset = request.fetchOffset
        fetch.includesSubentities = request.includesSubentities
        let found = try store.executeFetch(fetch, with: context)
        for case let id as NSManagedObjectID in found as? [Any] ?? [] {
            guard let pk = store.key(of: id) else { continue }
            try selection.add(pk, store.entity(of: id, in: database).number)
        }
        return selection
    }

    private func sort(_ query: inout FetchQuery, by descriptors: [NSSortDescriptor]?) -> Bool {
        // The only error is that SQL cannot sort this way.
        (try? query.sort(by: descriptors ?? [], breakingTies: true)) != nil
    }
}
