import CoreData

/// Fetches whose results are dictionaries.
extension FetchExecution {
    func dictionaries() throws -> [Any] {
        do {
            return try dictionariesFromSQL()
        } catch is Inexpressible {
            return try withStoredObjects { execution in
                let objects = try execution.matches(try execution.query(), sortsInMemory: false)
                return MemoryDictionaries(request: request, entity: entity, keyOf: keyOf)
                    .results(of: objects.map(\.object))
            }
        }
    }

    /// Runs a closure with an execution whose objects belong to a context of their own and
    /// therefore have the values of their rows: dictionaries never show unsaved changes of a
    /// context, or values that it read before another one saved.
    private func withStoredObjects<T>(_ body: (FetchExecution) throws -> T) throws -> T {
        guard let coordinator = context?.persistentStoreCoordinator else { return try body(self) }
        let stored = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        stored.persistentStoreCoordinator = coordinator
        var execution = self
        execution.context = stored
        nonisolated(unsafe) let ownExecution = execution
        return try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            return try stored.performAndWait { try body(ownExecution) }
        }
    }

    private func dictionariesFromSQL() throws -> [Any] {
        var query = try query()
        if !query.residual.isEmpty {
            let candidates = query
            query = self.query(
                try withStoredObjects { execution in
                    try execution.matches(candidates, sortsInMemory: false).map(\.key)
                })
        }
        let columns = try DictionaryColumns(request.propertiesToFetch, compiler: query.compiler)
        let groups = try DictionaryColumns.groups(
            request.propertiesToGroupBy, compiler: query.compiler)
        query.compiler.namedColumns = columns.named
        query.compiler.aggregatesRows = true
        let having = try request.havingPredicate.map(query.compiler.condition)
        try query.sort(by: request.sortDescriptors ?? [], breakingTies: false)
        let sql = query.statement(
            selecting: try columns.selectList(), isDistinct: request.returnsDistinctResults,
            groupedBy: groups, having: having, window: window)
        // Made once, because a closure made for each row would copy the execution each time.
        let identified = { (key: Int64, number: Int64) in
            database.schema.entity(number: number).map { objectID(key, $0) }
        }
        return try database.connection.rows(sql.text, sql.values) { statement in
            columns.dictionary(statement, objectID: identified)
        }
    }
}
