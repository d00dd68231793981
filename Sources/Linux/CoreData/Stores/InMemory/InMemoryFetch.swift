import FoundationGaps

/// An object in a store's memory. Predicates and sort descriptors read it by key-value coding, so a
/// fetch needs no managed objects.
protocol StoredObject: _KeyValueCoding {
    /// The ID of the object.
    var objectID: NSManagedObjectID { get }
}

/// Answers a fetch request from objects in memory.
struct InMemoryFetch<Row: StoredObject> {
    private let request: NSFetchRequest<any NSFetchRequestResult>
    private let context: NSManagedObjectContext?
    private let rows: (NSEntityDescription, _ includesSubentities: Bool) -> [Row]

    /// Creates the answer to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The context that asks.
    ///   - rows: Gives all objects of an entity, and those of its subentities if wanted.
    init(
        _ request: NSFetchRequest<any NSFetchRequestResult>, for context: NSManagedObjectContext?,
        in rows: @escaping (NSEntityDescription, _ includesSubentities: Bool) -> [Row]
    ) {
        self.request = request
        self.context = context
        self.rows = rows
    }

    /// The results in the form that the request specifies.
    func results() throws -> [Any] {
        switch request.resultType {
        case .countResultType:
            return [NSNumber(value: window(try matchingRows()).count)]
        case .managedObjectIDResultType:
            return try requestedRows().map(\.objectID)
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
            let rows = try requestedRows()
            context.expectObjects(rows.count)
            return rows.map { context.object(with: $0.objectID) }
        }
    }

    // MARK: - Rows

    private func requestedRows() throws -> ArraySlice<Row> {
        window(sorted(try matchingRows()))
    }

    private func matchingRows() throws -> [Row] {
        guard let entity = request.entity else {
            raise(
                .invalidArgument, "executeFetchRequest:error: A fetch request must have an entity.")
        }
        let rows = rows(entity, request.includesSubentities)
        guard let predicate = request.predicate else { return rows }
        return rows.filter { predicate.evaluate(with: $0) }
    }

    private func sorted(_ rows: [Row]) -> [Row] {
        guard let descriptors = request.sortDescriptors, !descriptors.isEmpty else { return rows }
        // Descriptors with a Swift key path are of Foundation's own class, and compare only objects
        // of the key path's type.
        guard let context,
            descriptors.contains(where: { Swift.type(of: $0) == NSSortDescriptor.self })
        else { return rows._sorted(using: descriptors) }
        let rowsByID = Dictionary(
            rows.map { (NSManagedObjectID.Key($0.objectID), $0) }, uniquingKeysWith: { $1 })
        return rows.map { context.object(with: $0.objectID) }
            ._sorted(using: descriptors)
            .compactMap { rowsByID[NSManagedObjectID.Key($0.objectID)] }
    }

    /// The part of the results selected by offset and limit.
    private func window<Element>(_ results: [Element]) -> ArraySlice<Element> {
        let rest = results.dropFirst(max(0, request.fetchOffset))
        return request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
    }

    // MARK: - Dictionaries

    private func dictionaries() throws -> [Any] {
        let columns = columns()
        let sortsColumns = sortsComputedColumns(among: columns)
        let rows = sortsColumns ? try matchingRows() : sorted(try matchingRows())
        let grouping = (request.propertiesToGroupBy ?? []).map {
            DictionaryColumn($0, of: request.entity)
        }
        var groups = rows.map { [$0] }
        if !grouping.isEmpty {
            groups = self.groups(of: rows, by: grouping)
        } else if columns.contains(where: \.isAggregate) {
            groups = [rows]
        }
        var results = groups.map { DictionaryResult(dictionary(of: $0, columns), of: $0) }
        if let having = request.havingPredicate {
            results = results.filter { $0.matches(having, columns.map(\.name)) }
        }
        if sortsColumns { results = results._sorted(using: request.sortDescriptors ?? []) }
        var dictionaries = results.map(\.dictionary)
        if request.returnsDistinctResults {
            var seen = Set<NSDictionary>()
            dictionaries = dictionaries.filter { seen.insert($0).inserted }
        }
        return Array(window(dictionaries))
    }

    /// Whether a sort descriptor uses a value that only the results have.
    private func sortsComputedColumns(among columns: [DictionaryColumn]) -> Bool {
        let names = Set(columns.filter(\.isComputed).map(\.name))
        return request.sortDescriptors?.contains { names.contains($0.key ?? "") } ?? false
    }

    /// The columns of the dictionaries; by default the attributes.
    private func columns() -> [DictionaryColumn] {
        if let properties = request.propertiesToFetch, !properties.isEmpty {
            return properties.map { DictionaryColumn($0, of: request.entity) }
        }
        let attributes = request.entity?.layout.attributes ?? []
        return attributes.filter { !$0.isTransient }.map {
            DictionaryColumn($0, of: request.entity)
        }
    }

    private func groups(
        of rows: [Row], by columns: [DictionaryColumn]
    ) -> [[Row]] {
        var positions: [NSDictionary: Int] = [:]
        var groups: [[Row]] = []
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

    private func dictionary(of rows: [Row], _ columns: [DictionaryColumn]) -> NSDictionary {
        let result = NSMutableDictionary()
        for column in columns {
            if let value = column.value(of: rows) {
                result.setObject(value, forKey: NSString(string: column.name))
            }
        }
        return result
    }
}

/// A dictionary that is sorted by its own values, or else by those of its first row.
private final class DictionaryResult: _KeyValueCoding {
    let dictionary: NSDictionary
    private let row: (any StoredObject)?

    init(_ dictionary: NSDictionary, of rows: [some StoredObject]) {
        self.dictionary = dictionary
        row = rows.first
    }

    func _value(forKey key: String) -> Any? {
        dictionary[key] ?? row?._value(forKey: key)
    }

    /// Whether a predicate is true, with columns as keys or as variables.
    func matches(_ predicate: NSPredicate, _ columns: [String]) -> Bool {
        var variables: [String: Any] = [:]
        for column in columns { variables[column] = dictionary[column] ?? NSNull() }
        return predicate.evaluate(with: dictionary, substitutionVariables: variables)
    }
}
