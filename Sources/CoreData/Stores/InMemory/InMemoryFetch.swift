import FoundationGaps

/// Answers a fetch request from the rows of an in-memory store.
struct InMemoryFetch {
    private let request: NSFetchRequest<any NSFetchRequestResult>
    private let table: InMemoryTable

    init(_ request: NSFetchRequest<any NSFetchRequestResult>, in table: InMemoryTable) {
        self.request = request
        self.table = table
    }

    /// The results in the form that the request asks for.
    func results(for context: NSManagedObjectContext?) throws -> [Any] {
        switch request.resultType {
        case .countResultType:
            return [NSNumber(value: window(try matchingRows()).count)]
        case .managedObjectIDResultType:
            return try rows().map(\.objectID)
        case .dictionaryResultType:
            return try dictionaries()
        default:
            guard let context else {
                throw CocoaError(
                    .persistentStoreOperation,
                    userInfo: [
                        NSLocalizedDescriptionKey: "Fetching managed objects needs a context."
                    ])
            }
            return try rows().map { context.object(with: $0.objectID) }
        }
    }

    // MARK: - Rows

    private func rows() throws -> ArraySlice<InMemoryRow> {
        window(sorted(try matchingRows()))
    }

    private func matchingRows() throws -> [InMemoryRow] {
        guard let entity = request.entity else {
            raise(
                .invalidArgument, "executeFetchRequest:error: A fetch request must have an entity.")
        }
        let rows = table.rows(of: entity, includingSubentities: request.includesSubentities)
        guard let predicate = request.predicate else { return rows }
        return rows.filter { predicate.evaluate(with: $0) }
    }

    private func sorted(_ rows: [InMemoryRow]) -> [InMemoryRow] {
        guard let descriptors = request.sortDescriptors, !descriptors.isEmpty else { return rows }
        return rows._sorted(using: descriptors)
    }

    /// The part of the results that offset and limit leave.
    private func window<Element>(_ results: [Element]) -> ArraySlice<Element> {
        let rest = results.dropFirst(max(0, request.fetchOffset))
        return request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
    }

    // MARK: - Dictionaries

    private func dictionaries() throws -> [Any] {
        let rows = sorted(try matchingRows())
        let columns = columns()
        let grouping = (request.propertiesToGroupBy ?? []).map { DictionaryColumn($0) }
        var results: [NSDictionary]
        if !grouping.isEmpty {
            results = groups(of: rows, by: grouping).map { dictionary(of: $0, columns) }
        } else if columns.contains(where: \.isAggregate) {
            results = [dictionary(of: rows, columns)]
        } else {
            results = rows.map { dictionary(of: [$0], columns) }
        }
        if let having = request.havingPredicate {
            results = results.filter { having.evaluate(with: $0) }
        }
        if request.returnsDistinctResults {
            var seen = Set<NSDictionary>()
            results = results.filter { seen.insert($0).inserted }
        }
        return Array(window(results))
    }

    /// What the dictionaries hold: the attributes unless the request says otherwise.
    private func columns() -> [DictionaryColumn] {
        if let properties = request.propertiesToFetch, !properties.isEmpty {
            return properties.map { DictionaryColumn($0) }
        }
        let attributes = request.entity?.layout.attributes ?? []
        return attributes.filter { !$0.isTransient }.map { DictionaryColumn($0) }
    }

    private func groups(
        of rows: [InMemoryRow], by columns: [DictionaryColumn]
    ) -> [[InMemoryRow]] {
        var positions: [NSDictionary: Int] = [:]
        var groups: [[InMemoryRow]] = []
        for row in rows {
            let key = dictionary(of: [row], columns)
            if let position = positions[key] {
                groups[position].append(row)
            } else {
                positions[key] = groups.count
                groups.append([row])
            }
        }
        return groups
    }

    private func dictionary(of rows: [InMemoryRow], _ columns: [DictionaryColumn]) -> NSDictionary {
        let result = NSMutableDictionary()
        for column in columns {
            if let value = column.value(of: rows) {
                result.setObject(value, forKey: NSString(string: column.name))
            }
        }
        return result
    }
}
