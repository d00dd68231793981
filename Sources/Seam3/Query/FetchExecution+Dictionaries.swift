import CoreData

/// Fetches whose results are dictionaries.
extension FetchExecution {
    func dictionaries() throws -> [Any] {
        do {
            return try dictionariesFromSQL()
        } catch is Inexpressible {
            let objects = try matches(try query(), sortsInMemory: false).map(\.object)
            return MemoryDictionaries(request: request, entity: entity).results(of: objects)
        }
    }

    private func dictionariesFromSQL() throws -> [Any] {
        var query = try query()
        if !query.residual.isEmpty {
            query = self.query(try matches(query, sortsInMemory: false).map(\.key))
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
        return try database.connection.rows(sql.text, sql.values) { statement in
            columns.dictionary(statement) { key, number in
                database.schema.entity(number: number).map { objectID(key, $0) }
            }
        }
    }
}
