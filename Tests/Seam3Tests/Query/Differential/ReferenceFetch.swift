import CoreData

/// The expected results of a request, computed from the objects in memory.
struct ReferenceFetch {
    let world: RandomWorld
    let query: RandomRequest

    private var request: NSFetchRequest<any NSFetchRequestResult> { query.request }

    /// The objects that match the predicate, in the order of their creation.
    func matches() -> [NSManagedObject] {
        world.objects(of: query.entity, includesSubentities: request.includesSubentities).filter {
            request.predicate?.evaluate(with: $0) ?? true
        }
    }

    /// The matches in the request's order. Its last direction also applies to the tie-breaker.
    func sorted() -> [NSManagedObject] {
        let descriptors = request.sortDescriptors ?? []
        guard let last = descriptors.last else { return matches() }
        return matches().sorted { left, right in
            for descriptor in descriptors {
                let order = descriptor.compare(left, to: right)
                if order != .orderedSame { return order == .orderedAscending }
            }
            return (world.key(left) < world.key(right)) == last.ascending
        }
    }

    func window<T>(_ results: [T]) -> [T] {
        let rest = results.dropFirst(request.fetchOffset)
        return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    }

    // MARK: - Dictionaries

    /// All rows, before the limit and offset, each with its values in a comparable form.
    func rows() -> [[String: String]] {
        let objects = matches()
        let groups = (request.propertiesToGroupBy ?? []).map(Self.name)
        var rows: [[String: Any]]
        if !groups.isEmpty {
            var order: [String] = []
            var members: [String: [NSManagedObject]] = [:]
            for object in objects {
                let key = groups.map { Self.canonical(object.value(forPath: $0)) }
                    .joined(separator: "|")
                if members[key] == nil { order.append(key) }
                members[key, default: []].append(object)
            }
            rows = order.map { row(members[$0] ?? []) }
        } else if columns.contains(where: { $0.aggregated != nil }) {
            rows = [row(objects)]
        } else {
            rows = objects.map { row([$0]) }
        }
        if let having = request.havingPredicate {
            rows = rows.filter { having.evaluate(with: NSDictionary(dictionary: $0)) }
        }
        let descriptors = request.sortDescriptors ?? []
        if !descriptors.isEmpty {
            rows = rows.enumerated().sorted { left, right in
                for descriptor in descriptors {
                    // A key path is a single key here.
                    let key = descriptor.key ?? ""
                    let plain = NSSortDescriptor(key: "v", ascending: descriptor.ascending)
                    let order = plain.compare(
                        NSDictionary(dictionary: left.element[key].map { ["v": $0] } ?? [:]),
                        to: NSDictionary(dictionary: right.element[key].map { ["v": $0] } ?? [:]))
                    if order != .orderedSame { return order == .orderedAscending }
                }
                return left.offset < right.offset
            }.map(\.element)
        }
        var results = rows.map { $0.mapValues(Self.canonical) }
        if request.returnsDistinctResults {
            var seen: Set<[String: String]> = []
            results = results.filter { seen.insert($0).inserted }
        }
        return results
    }

    private struct Column {
        let name: String
        let expression: NSExpression
        /// The argument of a function over the rows of a group.
        var aggregated: (function: String, argument: NSExpression)?
    }

    private var columns: [Column] {
        var wanted = request.propertiesToFetch ?? []
        if wanted.isEmpty { wanted = query.entity.sortedAttributes }
        return wanted.map { property in
            guard let computed = property as? NSExpressionDescription,
                let expression = computed.expression
            else {
                let name = Self.name(property)
                return Column(name: name, expression: NSExpression(forKeyPath: name))
            }
            let functions: Set = ["sum:", "average:", "min:", "max:", "count:"]
            if expression.expressionType == .function, functions.contains(expression.function),
                let argument = expression.arguments?.first
            {
                return Column(
                    name: computed.name, expression: expression,
                    aggregated: (expression.function, argument))
            }
            return Column(name: computed.name, expression: expression)
        }
    }

    private func row(_ objects: [NSManagedObject]) -> [String: Any] {
        var row: [String: Any] = [:]
        for column in columns {
            if let (function, argument) = column.aggregated {
                let values = objects.compactMap {
                    argument.expressionValue(with: $0, context: nil)
                }.filter { !($0 is NSNull) }
                row[column.name] = NSExpression(
                    forFunction: function, arguments: [NSExpression(forConstantValue: values)]
                ).expressionValue(with: nil, context: nil)
            } else if let object = objects.first {
                let value = column.expression.expressionValue(with: object, context: nil)
                if let value, !(value is NSNull) { row[column.name] = value }
            }
        }
        return row
    }

    static func name(_ property: Any) -> String {
        (property as? NSPropertyDescription)?.name ?? property as? String ?? ""
    }

    // MARK: - Comparable values

    /// A value as text, the same for each representation of a number.
    static func canonical(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: return "nil"
        case let object as NSManagedObject: return canonical(object.objectID)
        case let objectID as NSManagedObjectID: return "\(objectID.uriRepresentation())"
        case let decimal as NSDecimalNumber: return "\(decimal.decimalValue)"
        case let decimal as Decimal: return "\(decimal)"
        case let text as String: return "\"\(Array(text.utf8))"
        case let date as Date: return "date \(date.timeIntervalSinceReferenceDate.bitPattern)"
        case let data as Data: return "data \(Array(data))"
        case let number as NSNumber: return canonical(number)
        case let elements as [String: Any]:
            return "\(elements.mapValues(canonical).sorted { $0.key < $1.key })"
        case let texts as [String]: return "list \(texts)"
        default: return value.map { "\($0)" } ?? "nil"
        }
    }

    private static func canonical(_ number: NSNumber) -> String {
        let double = number.doubleValue
        if double.isNaN { return "nan" }
        if Double(number.int64Value) == double { return "\(number.int64Value)" }
        return "\(double)"
    }
}

extension NSManagedObject {
    /// The value at a key path.
    fileprivate func value(forPath path: String) -> Any? {
        NSExpression(forKeyPath: path).expressionValue(with: self, context: nil)
    }
}
