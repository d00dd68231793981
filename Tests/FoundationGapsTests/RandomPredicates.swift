import SeededRandom

@testable import FoundationGaps

/// Random predicate trees of every kind that has a textual form.
struct RandomPredicates {
    var generator: SeededGenerator

    mutating func predicate(depth: Int) -> NSPredicate {
        guard depth > 0, Int.random(in: 0..<4, using: &generator) > 0 else {
            return Int.random(in: 0..<12, using: &generator) == 0
                ? NSPredicate(value: Bool.random(using: &generator)) : comparison(depth: depth)
        }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0:
            return NSCompoundPredicate(notPredicateWithSubpredicate: predicate(depth: depth - 1))
        case let kind:
            let count = Int.random(in: 2...4, using: &generator)
            let parts = (0..<count).map { _ in predicate(depth: depth - 1) }
            return NSCompoundPredicate(type: kind == 1 ? .and : .or, subpredicates: parts)
        }
    }

    private mutating func comparison(depth: Int) -> NSPredicate {
        let types: [NSComparisonPredicate.Operator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo,
            .notEqualTo, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between,
        ]
        let modifiers: [NSComparisonPredicate.Modifier] = [.direct, .direct, .any, .all]
        return NSComparisonPredicate(
            leftExpression: expression(depth: depth),
            rightExpression: expression(depth: depth),
            modifier: pick(modifiers),
            type: pick(types),
            options: .init(rawValue: UInt.random(in: 0..<16, using: &generator)))
    }

    mutating func expression(depth: Int) -> NSExpression {
        guard depth > 0 else { return leaf() }
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: return function("sum:", 1, depth)
        case 1: return function("distanceToLocation:fromLocation:", 2, depth)
        case 2: return function("now", 0, depth)
        case 3: return NSExpression(forAggregate: list(depth))
        case 4:
            return NSExpression(
                forSubquery: leaf(), usingIteratorVariable: "x",
                predicate: predicate(depth: depth - 1))
        case 5:
            return NSExpression(
                forConditional: predicate(depth: depth - 1),
                trueExpression: expression(depth: depth - 1),
                falseExpression: expression(depth: depth - 1))
        case 6:
            return NSExpression(
                forFunction: expression(depth: depth - 1), selectorName: "hasPrefix:",
                arguments: list(depth))
        case 7:
            return NSExpression(
                forUnionSet: expression(depth: depth - 1), with: expression(depth: depth - 1))
        case 8:
            return NSExpression(
                forMinusSet: expression(depth: depth - 1), with: expression(depth: depth - 1))
        case 9: return function(PredicateFunction.element, 2, depth)
        case 10: return function("onesComplement:", 1, depth)
        case 11:
            return NSExpression(
                form: .path(function("sum:", 1, depth), KeyPathPlan("b.@count")))
        case 12:
            let infix = [
                "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:",
                "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:",
            ]
            return function(pick(infix), 2, depth)
        default: return leaf()
        }
    }

    private mutating func leaf() -> NSExpression {
        switch Int.random(in: 0..<14, using: &generator) {
        case 0: return .expressionForEvaluatedObject()
        case 1: return NSExpression(forVariable: "v")
        case 2, 3, 4:
            return NSExpression(
                forKeyPath: pick(["a", "a.b", "size", "In", "über.x_1", "a.@max.b", "@count"]))
        case 5: return .expressionForAnyKey()
        default: return NSExpression(forConstantValue: constant())
        }
    }

    private mutating func constant() -> Any? {
        let values: [Any?] = [
            nil, 0, -7, Int64.max, true, 1.5, -0.25, 1e100, 1e-7, "", "text", "quote \" and '",
            "back\\slash", "line\nbreak\ttab", "100 %@ é 🇨🇭", Decimal(string: "-12.345") ?? 0,
            Date(timeIntervalSinceReferenceDate: 123.456), UUID(), Data([0, 255]),
            URL(fileURLWithPath: "/tmp/a b"), [1, 2], ["a", "b"],
        ]
        return pick(values)
    }

    private mutating func function(_ name: String, _ count: Int, _ depth: Int) -> NSExpression {
        NSExpression(
            forFunction: name, arguments: (0..<count).map { _ in expression(depth: depth - 1) })
    }

    private mutating func list(_ depth: Int) -> [NSExpression] {
        (0..<Int.random(in: 0...3, using: &generator)).map { _ in expression(depth: depth - 1) }
    }

    private mutating func pick<T>(_ values: [T]) -> T {
        values[Int.random(in: values.indices, using: &generator)]
    }
}
