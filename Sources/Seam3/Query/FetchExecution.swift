import CoreData

/// Runs one fetch request and creates its results.
struct FetchExecution {
    let request: NSFetchRequest<any NSFetchRequestResult>
    let entity: EntitySchema
    let database: StoreDatabase
    let rowCache: RowCache
    var context: NSManagedObjectContext?
    /// The ID of the object with a `pk` and an entity.
    let objectID: (Int64, EntitySchema) -> NSManagedObjectID
    /// The same for the destination of a relationship, which rows often share.
    let destinationID: (Int64, EntitySchema) -> NSManagedObjectID
    /// The `pk` of an object of this store; nil for a temporary ID or another store's.
    let keyOf: (NSManagedObjectID) -> Int64?

    /// Whether a sum of integers has overflowed; see ``QueryCompiler/sumsInHalves``.
    private(set) var sumsInHalves = false

    var window: FetchWindow {
        FetchWindow(limit: request.fetchLimit, offset: request.fetchOffset)
    }

    /// The request's results, in the form that `NSIncrementalStore` requires.
    func results() throws -> Any {
        do {
            return try resultsOfType()
        } catch let error as SQLiteError
            where error.message == "integer overflow" && !sumsInHalves
        {
            var execution = self
            execution.sumsInHalves = true
            return try execution.resultsOfType()
        }
    }

    private func resultsOfType() throws -> Any {
        switch request.resultType {
        case .managedObjectIDResultType:
            return try identified(plainQuery(), window: window) { objectID($0, $1) }
        case .dictionaryResultType: return try dictionaries()
        case .countResultType: return [NSNumber(value: try count())]
        default: return try objects()
        }
    }

    // MARK: - Objects, IDs, counts

    /// The query for objects that match the request's predicate, unsorted.
    func query() throws -> FetchQuery {
        try FetchQuery(
            request, entity, in: database.schema, sumsInHalves: sumsInHalves, keyOf: keyOf)
    }

    /// The query for objects whose numbers were selected in memory.
    func query(_ keys: [Int64]) -> FetchQuery {
        FetchQuery(
            keys: keys, entity, in: database.schema, sumsInHalves: sumsInHalves, keyOf: keyOf)
    }

    /// The query for results that are objects, IDs or counts.
    private func plainQuery() throws -> FetchQuery {
        var query = try query()
        let sortsInSQL = try sort(&query)
        if query.residual.isEmpty, sortsInSQL { return query }
        query = self.query(try matches(query, sortsInMemory: !sortsInSQL).map(\.key))
        if try !sort(&query) { query.sortAsGiven() }
        return query
    }

    /// Sorts a query in SQL, if SQL can compare as the request requires.
    private func sort(_ query: inout FetchQuery) throws -> Bool {
        do {
            try query.sort(by: request.sortDescriptors ?? [], breakingTies: true)
            return true
        } catch is Inexpressible {
            return false
        }
    }

    private func objects() throws -> [NSManagedObject] {
        guard let context else {
            throw SMStoreError.invalidRequest("NSFetchRequest for objects without a context")
        }
        let query = try plainQuery()
        var found: [(Int64, EntitySchema)] = []
        if !request.includesPropertyValues || request.fetchBatchSize > 0 {
            found = try identifiers(query, window: window)
            if request.includesPropertyValues {
                try keepRows(found.prefix(request.fetchBatchSize).map(\.0))
            }
        } else {
            try keepRows(query, window: window) { found.append(($0.pk, $0.entity)) }
        }
        if let paths = request.relationshipKeyPathsForPrefetching {
            try RelationshipPrefetch(
                database: database, rowCache: rowCache, destinationID: destinationID, keyOf: keyOf
            ).load(paths, of: found.map(\.0), entity)
        }
        context.expectObjects(found.count)
        return found.map { context.object(with: objectID($0, $1)) }
    }

    /// All columns of the fetched rows.
    private func selectList(_ query: FetchQuery) throws -> SQL {
        SQL(
            text: entity.table.selectList(
                alias: query.source.alias, areAllPresent: try !database.objects.hasAbsent()))
    }

    /// Reads the rows of some objects of the fetched entity into the cache.
    private func keepRows(_ keys: [Int64]) throws {
        try keepRows(query(keys), window: .all) { _ in }
    }

    /// Reads the rows of a query into the cache, and calls a closure with each.
    private func keepRows(
        _ query: FetchQuery, window: FetchWindow, _ body: (CachedRow) -> Void
    ) throws {
        let sql = query.statement(selecting: try selectList(query), window: window)
        try database.rows.fetch(sql, into: rowCache, destinationID: destinationID, body)
    }

    private func identifiers(
        _ query: FetchQuery, window: FetchWindow
    ) throws -> [(Int64, EntitySchema)] {
        try identified(query, window: window) { ($0, $1) }
    }

    /// Calls a closure with the number and the entity of each selected row, and returns the
    /// results.
    private func identified<T>(
        _ query: FetchQuery, window: FetchWindow, _ make: (Int64, EntitySchema) -> T
    ) throws -> [T] {
        let sql = query.statement(
            selecting: "\(query.source.key), \(query.source.entityNumber)", window: window)
        var results: [T] = []
        try database.connection.forEachRow(sql.text, sql.values) { statement in
            guard let entity = database.schema.entity(number: statement.integer(at: 1)) else {
                return
            }
            results.append(make(statement.integer(at: 0), entity))
        }
        return results
    }

    private func count() throws -> Int64 {
        var query = try query()
        if !query.residual.isEmpty {
            query = self.query(try matches(query, sortsInMemory: false).map(\.key))
        }
        var sql = query.statement(
            selecting: window.isAll ? "COUNT(*)" : "1", window: window)
        if !window.isAll { sql = "SELECT COUNT(*) FROM (\(sql))" }
        return try database.connection.firstRow(sql.text, sql.values) { $0.integer(at: 0) } ?? 0
    }

    // MARK: - In memory

    /// A query's candidates that match the rest of the predicate.
    ///
    /// The objects belong to the context, because blocks and transformed values need them. One
    /// statement reads the values of all candidates before the first object is accessed.
    func matches(
        _ query: FetchQuery, sortsInMemory: Bool
    ) throws -> [(key: Int64, object: NSManagedObject)] {
        guard let context else {
            throw SMStoreError.invalidRequest(
                "NSFetchRequest whose predicate needs objects without a context")
        }
        let candidates = try identifiers(query, window: .all)
        try keepRows(candidates.map(\.0))
        var matches = candidates.map { key, entity in
            (key: key, object: context.object(with: objectID(key, entity)))
        }
        if !query.residual.isEmpty {
            matches.removeAll { match in
                !query.residual.allSatisfy { $0.evaluate(with: match.object) }
            }
        }
        guard sortsInMemory, let descriptors = request.sortDescriptors, let last = descriptors.last
        else { return matches }
        let orders = descriptors.map { descriptor -> (key: String, order: StoredOrder)? in
            guard let key = descriptor.key, descriptor.selector != nil else { return nil }
            return (key, StoredOrder(descriptor, keyOf: keyOf))
        }
        return matches.sorted { first, second in
            for (descriptor, stored) in zip(descriptors, orders) {
                let order =
                    stored.map {
                        $0.order.compare(
                            first.object.value(forKeyPath: $0.key),
                            second.object.value(forKeyPath: $0.key))
                    } ?? descriptor.compare(first.object, to: second.object)
                if order != .orderedSame { return order == .orderedAscending }
            }
            // As in SQL: ties are ordered by creation, in the direction of the last descriptor.
            return first.key != second.key && (first.key < second.key) == last.ascending
        }
    }
}
