/// Creates the public tree from a parse tree and the arguments of one call.
struct PredicateBuilder {
    let arguments: [Any?]

    func predicate(_ syntax: PredicateSyntax) throws(PredicateFormatError) -> NSPredicate {
        switch syntax {
        case .constant(let value):
            return NSPredicate(value: value)
        case .comparison(let comparison):
            return NSComparisonPredicate(
                leftExpression: try expression(comparison.left),
                rightExpression: try expression(comparison.right),
                modifier: comparison.modifier,
                type: comparison.type,
                options: comparison.options)
        case .not(let operand):
            return StructuralCompoundPredicate(type: .not, subpredicates: [try predicate(operand)])
        case .and(let operands):
            return StructuralCompoundPredicate(
                type: .and, subpredicates: try predicates(operands))
        case .or(let operands):
            return StructuralCompoundPredicate(
                type: .or, subpredicates: try predicates(operands))
        }
    }

    private func predicates(
        _ syntaxes: [PredicateSyntax]
    ) throws(PredicateFormatError) -> [NSPredicate] {
        var predicates: [NSPredicate] = []
        for syntax in syntaxes { predicates.append(try predicate(syntax)) }
        return predicates
    }

    func expression(_ syntax: ExpressionSyntax) throws(PredicateFormatError) -> NSExpression {
        switch syntax {
        case .null: return NSExpression(forConstantValue: nil)
        case .boolean(let value): return NSExpression(forConstantValue: NSNumber(value: value))
        case .integer(let value): return NSExpression(forConstantValue: NSNumber(value: value))
        case .double(let value): return NSExpression(forConstantValue: NSNumber(value: value))
        case .string(let value): return NSExpression(forConstantValue: value)
        case .argument(let index): return try argument(index)
        case .evaluatedObject: return NSExpression.expressionForEvaluatedObject()
        case .anyKey: return NSExpression.expressionForAnyKey()
        case .variable(let name): return NSExpression(forVariable: name)
        case .assignment(let name, let value):
            return NSExpression(form: .assignment(name, try expression(value)))
        case .keyPath(let parts): return NSExpression(forKeyPath: try keyPath(parts))
        case .path(let operand, let parts):
            return NSExpression(
                form: .path(try expression(operand), KeyPathPlan(try keyPath(parts))))
        case .element(let collection, let element):
            return NSExpression(
                forFunction: PredicateFunction.element,
                arguments: [try expression(collection), try index(element)])
        case .aggregate(let elements):
            return try aggregate(elements)
        case .function(let name, let arguments):
            return NSExpression(forFunction: name, arguments: try expressions(arguments))
        case .targetedFunction(let target, let name, let arguments):
            return NSExpression(
                forFunction: try expression(target), selectorName: name,
                arguments: try expressions(arguments))
        case .subquery(let collection, let variable, let filter):
            return NSExpression(
                forSubquery: try expression(collection), usingIteratorVariable: variable,
                predicate: try predicate(filter))
        case .conditional(let condition, let first, let second):
            return NSExpression(
                forConditional: try predicate(condition),
                trueExpression: try expression(first), falseExpression: try expression(second))
        case .set(let operation, let left, let right):
            return NSExpression(form: .set(operation, try expression(left), try expression(right)))
        }
    }

    private func expressions(
        _ syntaxes: [ExpressionSyntax]
    ) throws(PredicateFormatError) -> [NSExpression] {
        var expressions: [NSExpression] = []
        for syntax in syntaxes { expressions.append(try expression(syntax)) }
        return expressions
    }

    private func aggregate(
        _ elements: [ExpressionSyntax]
    ) throws(PredicateFormatError) -> NSExpression {
        NSExpression(forAggregate: try expressions(elements))
    }

    private func index(
        _ element: ExpressionSyntax.ElementSyntax
    ) throws(PredicateFormatError) -> NSExpression {
        switch element {
        case .symbol(let symbol): NSExpression(form: .indexSymbol(symbol))
        case .expression(let syntax): try expression(syntax)
        }
    }
}

// MARK: - Arguments

extension PredicateBuilder {
    private func argument(_ index: Int) throws(PredicateFormatError) -> NSExpression {
        guard index < arguments.count else { throw .insufficientArguments }
        let value = unwrapped(arguments[index])
        if let expression = value as? NSExpression { return expression }
        return NSExpression(forConstantValue: value)
    }

    private func keyPath(
        _ parts: [ExpressionSyntax.KeyPathPart]
    ) throws(PredicateFormatError) -> String {
        var keys: [String] = []
        for part in parts {
            switch part {
            case .key(let key):
                keys.append(key)
            case .argument(let index):
                guard index < arguments.count else { throw .insufficientArguments }
                guard let key = unwrapped(arguments[index]) as? String, !key.isEmpty else {
                    throw .keyPathArgumentIsNotString
                }
                keys.append(key)
            }
        }
        return keys.joined(separator: ".")
    }
}
