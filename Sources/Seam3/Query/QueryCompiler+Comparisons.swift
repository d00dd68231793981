import CoreData

extension QueryCompiler {
    typealias Operator = NSComparisonPredicate.Operator
    typealias Options = NSComparisonPredicate.Options

    /// The condition of a comparison predicate.
    func condition(_ comparison: NSComparisonPredicate) throws -> SQL {
        let left = try operand(comparison.leftExpression)
        let right = try operand(comparison.rightExpression)
        let type = comparison.predicateOperatorType
        switch comparison.comparisonPredicateModifier {
        case .direct:
            if type != .customSelector, case .constant(let leftValue) = left,
                case .constant(let rightValue) = right
            {
                // Of the operands' results, which raise nothing any more.
                return constantCondition(leftValue, type, rightValue, comparison.options)
            }
            return try condition(left, type, right, comparison.options)
        case .any:
            return try any(left) { try condition($0, type, right, comparison.options) }
        case .all:
            return try all(left) { try condition($0, type, right, comparison.options) }
        @unknown default:
            throw Inexpressible("a modifier of an unknown kind")
        }
    }

    /// Whether a condition holds for at least one member.
    private func any(
        _ operand: QueryOperand, _ condition: (QueryOperand) throws -> SQL
    ) throws -> SQL {
        guard case .members(let select, let element) = operand else {
            throw Inexpressible("ANY of a value that is not a to-many relationship")
        }
        if case .members = element {
            return select.exists(where: try any(element, condition))
        }
        return select.exists(where: try condition(try Self.single(element)))
    }

    /// The value of a member. A collection is not expressible; its elements are compared in memory.
    static func single(_ element: QueryOperand) throws -> QueryOperand {
        if case .scalar(_, .opaque) = element {
            throw Inexpressible("ANY or ALL of transformed values")
        }
        return element
    }

    /// Whether a condition holds for every member.
    private func all(
        _ operand: QueryOperand, _ condition: (QueryOperand) throws -> SQL
    ) throws -> SQL {
        guard case .members(let select, let element) = operand else {
            throw Inexpressible("ALL of a value that is not a to-many relationship")
        }
        if case .members = element {
            return "NOT \(select.exists(where: "NOT \(try all(element, condition))"))"
        }
        return "NOT \(select.exists(where: "NOT \(try condition(try Self.single(element)))"))"
    }

    /// A comparison of two operands.
    func condition(
        _ left: QueryOperand, _ type: Operator, _ right: QueryOperand, _ options: Options
    ) throws -> SQL {
        if let condition = try manyValued(left, type, right, options) { return condition }
        switch type {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan,
            .greaterThanOrEqualTo:
            return try relation(left, type, right, options)
        case .between:
            return try between(left, right, options)
        case .in:
            return try membership(of: left, in: right, options)
        case .contains:
            if case .scalar = left { return try match(left, type, right, options) }
            return try membership(of: right, in: left, options)
        case .beginsWith, .endsWith, .like, .matches:
            return try match(left, type, right, options)
        case .customSelector:
            throw Inexpressible("a custom selector")
        @unknown default:
            throw Inexpressible("an operator of an unknown kind")
        }
    }

    /// A comparison with a to-many path without a modifier: it holds if it holds for any member.
    ///
    /// - Returns: The condition, or nil if neither side is such a path.
    private func manyValued(
        _ left: QueryOperand, _ type: Operator, _ right: QueryOperand, _ options: Options
    ) throws -> SQL? {
        if case .members(let select, let element) = left {
            if case .object = element, case .constant(let value) = right {
                switch (QueryConstant(value), type) {
                case (.null, .equalTo): return "NOT \(select.exists())"
                case (.null, .notEqualTo): return select.exists()
                case (.object, .contains):
                    return select.exists(where: try relation(element, .equalTo, right, []))
                default: break
                }
            }
            if type == .contains, case .object = element {
                return select.exists(where: try condition(element, .equalTo, right, options))
            }
            return try any(left) { try condition($0, type, right, options) }
        }
        guard case .members = right else { return nil }
        if type == .between { throw Inexpressible("BETWEEN with a to-many relationship") }
        return try any(right) {
            try condition(left, type == .in ? .equalTo : type, $0, options)
        }
    }

    private func between(
        _ value: QueryOperand, _ range: QueryOperand, _ options: Options
    ) throws -> SQL {
        guard let bounds = range.elements, bounds.count == 2 else {
            throw Inexpressible("BETWEEN without two bounds")
        }
        return Self.all([
            try condition(value, .greaterThanOrEqualTo, bounds[0], options),
            try condition(value, .lessThanOrEqualTo, bounds[1], options),
        ])
    }

    /// A comparison of two known values, such as an element of a list.
    func constantCondition(
        _ left: Any?, _ type: Operator, _ right: Any?, _ options: Options
    ) -> SQL {
        let comparison = NSComparisonPredicate(
            leftExpression: NSExpression(forConstantValue: left),
            rightExpression: NSExpression(forConstantValue: right), modifier: .direct, type: type,
            options: options)
        return comparison.evaluate(with: nil) ? .one : .zero
    }
}
