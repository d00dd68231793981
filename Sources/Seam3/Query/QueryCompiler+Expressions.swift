import CoreData

extension QueryCompiler {
    /// Compiles an expression.
    ///
    /// - Throws: ``Inexpressible`` if SQL cannot express it.
    func operand(_ expression: NSExpression) throws -> QueryOperand {
        switch expression.expressionType {
        case .constantValue:
            return .constant(expression.constantValue)
        case .evaluatedObject:
            return .object(source)
        case .variable:
            // The having predicate can refer to a computed column by a variable, too.
            let name = expression.variable
            guard let value = variables[name] ?? namedColumns[name] else {
                throw Inexpressible("the unbound variable \(expression.variable)")
            }
            return value
        case .keyPath:
            return try operand(keyPath: expression.keyPath)
        case .function:
            return try function(expression)
        case .aggregate:
            return try list(expression)
        case .subquery:
            return try subquery(expression)
        case .conditional:
            return try conditional(expression)
        case .unionSet, .intersectSet, .minusSet, .anyKey, .block:
            throw Inexpressible("\(expression)")
        // Not `@unknown`: on Linux there is one more case, which has no name on Apple's systems.
        default:
            throw Inexpressible("\(expression)")
        }
    }

    private func list(_ expression: NSExpression) throws -> QueryOperand {
        let collection: Any = expression.collection
        guard let expressions = collection as? [Any] else {
            throw Inexpressible("\(expression)")
        }
        let elements = try expressions.map { element -> QueryOperand in
            guard let element = element as? NSExpression else { return .constant(element) }
            return try operand(element)
        }
        let constants = elements.compactMap { element -> Any? in
            if case .constant(let value) = element { return value ?? NSNull() }
            return nil
        }
        return constants.count == elements.count ? .constant(constants) : .list(elements)
    }

    // MARK: - Subqueries and conditions

    private func subquery(_ expression: NSExpression) throws -> QueryOperand {
        let collection: Any = expression.collection
        guard let collection = collection as? NSExpression else {
            throw Inexpressible("\(expression)")
        }
        return try filter(
            try operand(collection), variable: expression.variable, by: expression.predicate)
    }

    /// The members for which a predicate holds.
    private func filter(
        _ members: QueryOperand, variable: String, by predicate: NSPredicate
    ) throws -> QueryOperand {
        guard case .members(var select, let element) = members else {
            throw Inexpressible("a SUBQUERY over a value that is not a to-many relationship")
        }
        if case .members = element {
            return .members(select, try filter(element, variable: variable, by: predicate))
        }
        var inner = self
        inner.variables[variable] = element
        select.conditions.append(try inner.condition(predicate))
        // As in memory, a SUBQUERY over nil gives an empty collection.
        select.optionalOwner = nil
        return .members(select, element)
    }

    private func conditional(_ expression: NSExpression) throws -> QueryOperand {
        let condition = try self.condition(expression.predicate)
        let (first, firstKind) = try scalar(try operand(expression.true))
        let (second, secondKind) = try scalar(try operand(expression.false))
        guard let kind = Self.common(firstKind, secondKind) else {
            throw Inexpressible("a TERNARY with values of two kinds")
        }
        let value: SQL = "CASE WHEN \(condition) THEN \(first) ELSE \(second) END"
        return .scalar(Self.collated("(\(value))", kind), kind)
    }

    /// The common kind of two expressions for the same value; nil, which has no kind, fits any.
    private static func common(_ first: ValueKind?, _ second: ValueKind?) -> ValueKind? {
        guard let first, let second else { return first ?? second }
        if first == second { return first }
        guard first.isWhole, second.isWhole else { return nil }
        return first == .number || second == .number ? .number : .integer
    }

    /// An operand as an SQL expression for use inside another; its kind is nil if it is NULL.
    func scalar(_ operand: QueryOperand) throws -> (SQL, ValueKind?) {
        switch operand {
        case .scalar(let sql, let kind):
            return (sql, kind)
        case .constant(let value):
            let constant = QueryConstant(value)
            if case .null = constant { return ("NULL", nil) }
            if let (value, kind) = ValueKind.bound(constant) { return ("\(bind: value)", kind) }
            throw Inexpressible("a constant of type \(type(of: value)) in an expression")
        case .object, .members, .list:
            throw Inexpressible("an object or a collection in an expression")
        }
    }
}
