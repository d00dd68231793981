extension NSExpression {
    /// The value in a scope, in whatever Swift or Foundation type it has.
    final func value(in scope: EvaluationScope) -> Any? {
        switch form {
        case .constant(let value): return value is NSNull ? nil : value
        case .evaluatedObject: return unwrapped(scope.object)
        case .variable(let name): return scope.value(of: name)
        case .keyPath(let plan): return plan.value(of: scope.object)
        case .path(let operand, let plan): return plan.value(of: operand.value(in: scope))
        case .indexSymbol(let symbol): return symbol
        case .function(_, let implementation, let arguments):
            return implementation(arguments.map { $0.value(in: scope) })
        case .aggregate(let elements):
            return elements.map { $0.value(in: scope) ?? NSNull() }
        case .conditional(let predicate, let first, let second):
            return (predicate.evaluate(in: scope) ? first : second).value(in: scope)
        case .assignment(let name, let expression):
            let value = expression.value(in: scope)
            scope.dictionary?[name] = value
            return value
        case .set(let operation, let left, let right):
            return combine(left.value(in: scope), right.value(in: scope), operation)
        case .subquery(let collection, let variable, let predicate):
            return filter(collection.value(in: scope), variable, predicate, scope)
        case .targetedFunction(let target, let selector, let arguments):
            return MethodCall.result(
                of: selector, on: target.value(in: scope),
                arguments: arguments.map { $0.value(in: scope) })
        case .anyKey:
            return elements(of: scope.object)
        case .block(let block, let arguments):
            let values = arguments.map { $0.value(in: scope) ?? NSNull() }
            return unwrapped(block(scope.object, values, scope.dictionary))
        case .custom:
            return unwrapped(expressionValue(with: scope.object, context: scope.bindings))
        }
    }

    private func filter(
        _ collection: Any?, _ variable: String, _ predicate: NSPredicate, _ scope: EvaluationScope
    ) -> [Any] {
        var inner = scope
        return (elements(of: collection) ?? []).filter { element in
            inner.variables[variable] = element
            return predicate.evaluate(in: inner)
        }
    }

    private func combine(_ left: Any?, _ right: Any?, _ operation: SetOperation) -> [Any] {
        let left = elements(of: left) ?? []
        let right = elements(of: right) ?? []
        let members = Set(right.map { PredicateValue($0) })
        switch operation {
        case .union: return CollectionOperator.distinct(left + right)
        case .intersect: return left.filter { members.contains(PredicateValue($0)) }
        case .minus: return left.filter { !members.contains(PredicateValue($0)) }
        }
    }
}

extension EvaluationScope {
    /// The variables as a context for an expression class of the app.
    fileprivate var bindings: NSMutableDictionary {
        dictionary ?? NSMutableDictionary(dictionary: variables)
    }
}
