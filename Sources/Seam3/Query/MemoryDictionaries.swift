import CoreData

/// Creates the dictionaries of a fetch in memory, if SQL cannot express a column, a group or the
/// order. The results are the same as those of ``DictionaryColumns`` in SQL.
struct MemoryDictionaries {
    let request: NSFetchRequest<any NSFetchRequestResult>
    let entity: EntitySchema
    /// The number of an object.
    let keyOf: (NSManagedObjectID) -> Int64?

    /// One result and the objects that it summarizes; a single object without grouping.
    private struct Group {
        let objects: [NSManagedObject]
        var values: [String: Any] = [:]
    }

    private struct Column {
        let name: String
        let expression: NSExpression
    }

    /// The results for some objects, which match the predicate, in the request's order and window.
    func results(of objects: [NSManagedObject]) -> [NSDictionary] {
        let columns = columns
        var groups = groups(of: objects, columns).map { objects in
            var group = Group(objects: objects)
            for column in columns {
                group.values[column.name] = value(of: column.expression, in: group)
            }
            return group
        }
        if let having = request.havingPredicate {
            groups.removeAll { !resolved(having, in: $0).evaluate(with: nil) }
        }
        sort(&groups)
        if request.returnsDistinctResults {
            var seen: Set<[String: DistinctValue]> = []
            groups.removeAll { group in
                !seen.insert(group.values.mapValues { DistinctValue($0) }).inserted
            }
        }
        return FetchWindow(limit: request.fetchLimit, offset: request.fetchOffset)
            .slice(groups).map { NSDictionary(dictionary: $0.values) }
    }

    private var columns: [Column] {
        DictionaryColumns.properties(request.propertiesToFetch, of: entity).map { property in
            if let computed = property as? NSExpressionDescription,
                let expression = computed.expression
            {
                return Column(name: computed.name, expression: expression)
            }
            let name = DictionaryColumns.name(of: property)
            return Column(name: name, expression: NSExpression(forKeyPath: name))
        }
    }

    // MARK: - Groups

    private func groups(
        of objects: [NSManagedObject], _ columns: [Column]
    ) -> [[NSManagedObject]] {
        let keys = (request.propertiesToGroupBy ?? []).map {
            NSExpression(forKeyPath: DictionaryColumns.name(of: $0))
        }
        guard !keys.isEmpty else {
            return columns.contains { isAggregate($0.expression) }
                ? [objects] : objects.map { [$0] }
        }
        var places: [[DistinctValue]: Int] = [:]
        var groups: [[NSManagedObject]] = []
        for object in objects {
            let key = keys.map { DistinctValue(plainValue(of: $0, object)) }
            if let place = places[key] {
                groups[place].append(object)
            } else {
                places[key] = groups.count
                groups.append([object])
            }
        }
        return groups
    }

    private func sort(_ groups: inout [Group]) {
        let descriptors = request.sortDescriptors ?? []
        guard !descriptors.isEmpty else { return }
        // Each value is read once instead of at every comparison.
        let keyed = groups.map { group in
            (group, descriptors.map { value(atPath: $0.key ?? "self", in: group) })
        }
        let orders = descriptors.map { StoredOrder($0, keyOf: keyOf) }
        groups = keyed.enumerated().sorted { first, second in
            for (index, order) in orders.enumerated() {
                let result = order.compare(first.element.1[index], second.element.1[index])
                if result != .orderedSame { return result == .orderedAscending }
            }
            return first.offset < second.offset
        }.map(\.element.0)
    }

    // MARK: - Values

    /// The value of an expression for a group: functions are evaluated over its rows, everything
    /// else for its first object.
    private func value(of expression: NSExpression, in group: Group) -> Any? {
        guard isAggregate(expression) else {
            return group.objects.first.flatMap { plainValue(of: expression, $0) }
        }
        let arguments = expression.arguments ?? []
        if Self.statistics.contains(expression.function), arguments.count == 1 {
            let values = group.objects.compactMap { plainValue(of: arguments[0], $0) }
            return unwrapped(
                NSExpression(
                    forFunction: expression.function,
                    arguments: [NSExpression(forConstantValue: values)]
                ).expressionValue(with: nil, context: nil))
        }
        // A function of aggregates, such as a quotient of two sums.
        let operands = arguments.map {
            NSExpression(forConstantValue: value(of: $0, in: group))
        }
        return unwrapped(
            NSExpression(forFunction: expression.function, arguments: operands)
                .expressionValue(with: nil, context: nil))
    }

    /// The value of an expression for one object; its ID for the object itself.
    private func plainValue(of expression: NSExpression, _ object: NSManagedObject) -> Any? {
        let value = unwrapped(expression.expressionValue(with: object, context: nil))
        return (value as? NSManagedObject)?.objectID ?? value
    }

    private func unwrapped(_ value: Any?) -> Any? {
        value is NSNull ? nil : value
    }

    /// The value of a path in a sort descriptor or in the having predicate: a column or a property.
    private func value(atPath path: String, in group: Group) -> Any? {
        if columns.contains(where: { $0.name == path }) { return group.values[path] }
        return value(of: NSExpression(forKeyPath: path), in: group)
    }

    // MARK: - Functions over rows

    private static let statistics: Set<String> = [
        "sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:",
    ]

    /// Whether an expression aggregates many rows; a function of one row's to-many relationship
    /// does not.
    private func isAggregate(_ expression: NSExpression) -> Bool {
        guard expression.expressionType == .function else { return false }
        let arguments = expression.arguments ?? []
        if Self.statistics.contains(expression.function), let argument = arguments.first {
            return arguments.count == 1 && !isToMany(argument)
        }
        return arguments.contains(where: isAggregate)
    }

    private func isToMany(_ expression: NSExpression) -> Bool {
        switch expression.expressionType {
        case .keyPath: break
        case .subquery, .aggregate: return true
        default: return false
        }
        var description: NSEntityDescription? = entity.description
        for key in expression.keyPath.components(separatedBy: ".") {
            guard let relationship = description?.relationshipsByName[key] else { return false }
            if relationship.isToMany { return true }
            description = relationship.destinationEntity
        }
        return false
    }

    // MARK: - Having

    /// A predicate in which the values of a group replace its expressions.
    private func resolved(_ predicate: NSPredicate, in group: Group) -> NSPredicate {
        if let compound = predicate as? NSCompoundPredicate {
            return NSCompoundPredicate(
                type: compound.compoundPredicateType,
                subpredicates: QueryCompiler.subpredicates(of: compound).map {
                    resolved($0, in: group)
                })
        }
        guard let comparison = predicate as? NSComparisonPredicate else { return predicate }
        return NSComparisonPredicate(
            leftExpression: resolved(comparison.leftExpression, in: group),
            rightExpression: resolved(comparison.rightExpression, in: group),
            modifier: comparison.comparisonPredicateModifier,
            type: comparison.predicateOperatorType, options: comparison.options)
    }

    private func resolved(_ expression: NSExpression, in group: Group) -> NSExpression {
        switch expression.expressionType {
        case .constantValue, .aggregate:
            return expression
        case .keyPath:
            return NSExpression(
                forConstantValue: value(atPath: expression.keyPath, in: group))
        case .variable where columns.contains { $0.name == expression.variable }:
            return NSExpression(forConstantValue: group.values[expression.variable])
        case .function where !isAggregate(expression):
            return NSExpression(
                forFunction: expression.function,
                arguments: (expression.arguments ?? []).map { resolved($0, in: group) })
        default:
            return NSExpression(forConstantValue: value(of: expression, in: group))
        }
    }
}
