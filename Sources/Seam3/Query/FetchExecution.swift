import CoreData

#if SWIFT_PACKAGE
import SeamSQLite
#endif

/// Runs one fetch request and makes its results.
struct FetchExecution {
    let request: NSFetchRequest<any NSFetchRequestResult>
    let entity: EntitySchema
    let database: StoreDatabase
    let rowCache: RowCache
    let context: NSManagedObjectContext?
    /// The ID of the object with a `pk` and an entity.
    let objectID: (Int64, EntitySchema) -> NSManagedObjectID
    /// The `pk` of an object of this store; nil for a temporary ID or another store's.
    let keyOf: (NSManagedObjectID) -> Int64?

    private var window: FetchWindow {
        FetchWindow(limit: request.fetchLimit, offset: request.fetchOffset)
    }

    /// The request's results, in the form that `NSIncrementalStore` asks for.
    func results() throws -> [Any] {
        switch request.resultType {
        case .managedObjectIDResultType: return try identifiers(plainQuery()).map(objectID)
        case .dictionaryResultType: return try dictionaries()
        case .countResultType: return [NSNumber(value: try count())]
        default: return try objects()
        }
    }

    // MARK: - Objects, IDs, counts

    /// The query for results that are objects in one form or another.
    private func plainQuery() throws -> FetchQuery {
        var query = try FetchQuery(request, entity, in: database.schema, keyOf: keyOf)
        let sortsInSQL = try sort(&query)
        if query.residual.isEmpty, sortsInSQL { return query }
        let keys = try matchingKeys(query, sortsInMemory: !sortsInSQL)
        query = FetchQuery(keys: keys, entity, in: database.schema, keyOf: keyOf)
        if try !sort(&query) { query.sortAsGiven() }
        return query
    }

    /// Lets SQL sort a query, unless it cannot compare as the request asks.
    private func sort(_ query: inout FetchQuery) throws -> Bool {
        do {
            try query.sort(by: request.sortDescriptors ?? [], breakingTies: true)
            return true
        } catch is Inexpressible {
            return false
        }
    }

    private func objects() throws -> [Any] {
        guard let context else {
            throw SMStoreError.invalidRequest("NSFetchRequest for objects without a context")
        }
        let query = try plainQuery()
        var found: [(Int64, EntitySchema)]
        if !request.includesPropertyValues || request.fetchBatchSize > 0 {
            found = try identifiers(query)
            if request.includesPropertyValues {
                try keepRows(found.prefix(request.fetchBatchSize).map(\.0))
            }
        } else {
            let sql = query.statement(
                selecting: SQL(text: entity.table.selectList(alias: query.source.alias)),
                window: window)
            let rows = try database.connection.rows(sql.text, sql.values) {
                ObjectRow($0, in: database.schema)
            }.compactMap { $0 }
            rowCache.keep(rows)
            found = rows.map { ($0.pk, $0.entity) }
        }
        if let paths = request.relationshipKeyPathsForPrefetching {
            try RelationshipPrefetch(database: database, rowCache: rowCache)
                .load(paths, of: found.map(\.0), entity)
        }
        return found.map { context.object(with: objectID($0, $1)) }
    }

    /// Reads the rows of some objects of the fetched entity into the cache.
    private func keepRows(_ keys: [Int64]) throws {
        let query = FetchQuery(keys: keys, entity, in: database.schema, keyOf: keyOf)
        let sql = query.statement(
            selecting: SQL(text: entity.table.selectList(alias: query.source.alias)), window: .all)
        rowCache.keep(
            try database.connection.rows(sql.text, sql.values) {
                ObjectRow($0, in: database.schema)
            }.compactMap { $0 })
    }

    private func identifiers(
        _ query: FetchQuery, window: FetchWindow? = nil
    ) throws -> [(Int64, EntitySchema)] {
        let sql = query.statement(
            selecting: "\(query.source.key), \(query.source.entityNumber)",
            window: window ?? self.window)
        return try database.connection.rows(sql.text, sql.values) { statement in
            database.schema.entity(number: statement.integer(at: 1)).map {
                (statement.integer(at: 0), $0)
            }
        }.compactMap { $0 }
    }

    private func count() throws -> Int64 {
        var query = try FetchQuery(request, entity, in: database.schema, keyOf: keyOf)
        if !query.residual.isEmpty {
            let keys = try matchingKeys(query, sortsInMemory: false)
            query = FetchQuery(keys: keys, entity, in: database.schema, keyOf: keyOf)
        }
        var sql = query.statement(
            selecting: window.isAll ? "COUNT(*)" : "1", window: window)
        if !window.isAll { sql = "SELECT COUNT(*) FROM (\(sql))" }
        return try database.connection.firstRow(sql.text, sql.values) { $0.integer(at: 0) } ?? 0
    }

    // MARK: - In memory

    /// The keys of a query's candidates that meet the rest of the predicate.
    ///
    /// The objects are the context's, as blocks and transformed values need them; the values of all
    /// candidates are read by one statement before the first is asked for.
    private func matchingKeys(_ query: FetchQuery, sortsInMemory: Bool) throws -> [Int64] {
        guard let context else {
            throw SMStoreError.invalidRequest(
                "NSFetchRequest whose predicate needs objects without a context")
        }
        let candidates = try identifiers(query, window: .all)
        try keepRows(candidates.map(\.0))
        var matches = candidates.map { key, entity in
            (key: key, object: context.object(with: objectID(key, entity)))
        }
        matches.removeAll { match in
            !query.residual.allSatisfy { $0.evaluate(with: match.object) }
        }
        if sortsInMemory {
            let descriptors = request.sortDescriptors ?? []
            matches.sort { first, second in
                for descriptor in descriptors {
                    let order = descriptor.compare(first.object, to: second.object)
                    if order != .orderedSame { return order == .orderedAscending }
                }
                return false
            }
        }
        return matches.map(\.key)
    }

    // MARK: - Dictionaries

    private func dictionaries() throws -> [Any] {
        do {
            return try dictionaries(sortsInMemory: false)
        } catch is Inexpressible {
            do {
                return try dictionaries(sortsInMemory: true)
            } catch let problem as Inexpressible {
                throw SMStoreError.invalidRequest("NSFetchRequest with \(problem.what)")
            }
        }
    }

    private func dictionaries(sortsInMemory: Bool) throws -> [Any] {
        var query = try FetchQuery(request, entity, in: database.schema, keyOf: keyOf)
        if sortsInMemory || !query.residual.isEmpty {
            let keys = try matchingKeys(query, sortsInMemory: sortsInMemory)
            query = FetchQuery(keys: keys, entity, in: database.schema, keyOf: keyOf)
        }
        let columns = try DictionaryColumns(request.propertiesToFetch, compiler: query.compiler)
        let groups = try DictionaryColumns.groups(
            request.propertiesToGroupBy, compiler: query.compiler)
        query.compiler.namedColumns = columns.named
        query.compiler.aggregatesRows = true
        let having = try request.havingPredicate.map(query.compiler.condition)
        if sortsInMemory {
            query.sortAsGiven()
        } else {
            try query.sort(by: request.sortDescriptors ?? [], breakingTies: false)
        }
        let sql = query.statement(
            selecting: try columns.selectList(), isDistinct: request.returnsDistinctResults,
            groupedBy: groups, having: having, window: window)
        return try database.connection.rows(sql.text, sql.values) { statement in
            columns.dictionary(statement) { key, number in
                database.schema.entity(number: number).map { objectID(key, $0) }
            }
        }
    }
}
