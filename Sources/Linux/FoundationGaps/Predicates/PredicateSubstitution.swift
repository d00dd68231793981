/// Replaces variables with constants.
struct PredicateSubstitution {
    let variables: [String: Any]

    func predicate(_ predicate: NSPredicate) -> NSPredicate {
        switch _PredicateNode(predicate) {
        case .comparison(let comparison):
            return NSComparisonPredicate(
                leftExpression: expression(comparison.leftExpression),
                rightExpression: expression(comparison.rightExpression),
                modifier: comparison.comparisonPredicateModifier,
                type: comparison.predicateOperatorType,
                options: comparison.options)
        case .compound(let type, let subpredicates):
            return StructuralCompoundPredicate(
                type: type, subpredicates: subpredicates.map(self.predicate))
        case .block:
            let variables = variables
            return NSPredicate { object, bindings in
                let all = variables.merging(bindings ?? [:]) { _, later in later }
                return predicate.evaluate(with: object, substitutionVariables: all)
            }
        case .constant, .unknown:
            return predicate
        }
    }

    func expression(_ expression: NSExpression) -> NSExpression {
        guard let form = form(expression.form) else { return expression }
        return NSExpression(form: form)
    }

    /// The form with constants, or nil if it contains no other expressions.
    private func form(_ form: ExpressionForm) -> ExpressionForm? {
        switch form {
        case .constant, .evaluatedObject, .keyPath, .indexSymbol, .anyKey, .custom:
            return nil
        case .variable(let name):
            guard let value = variables[name] else { return nil }
            return (value as? NSExpression)?.form ?? .constant(unwrapped(value).map(dynamicValue))
        case .assignment(let name, let value):
            return .assignment(name, expression(value))
        case .path(let operand, let plan):
            return path(expression(operand), plan)
        case .function(let name, let implementation, let arguments):
            return .function(name, implementation, arguments.map(expression))
        case .targetedFunction(let target, let name, let arguments):
            return .targetedFunction(expression(target), name, arguments.map(expression))
        case .aggregate(let elements):
            return .aggregate(elements.map(expression))
        case .set(let operation, let left, let right):
            return .set(operation, expression(left), expression(right))
        case .subquery(let collection, let variable, let filter):
            // The iterator's variable hides an outer one of the same name.
            let inner = PredicateSubstitution(variables: variables.filter { $0.key != variable })
            return .subquery(expression(collection), variable: variable, inner.predicate(filter))
        case .conditional(let condition, let first, let second):
            return .conditional(predicate(condition), expression(first), expression(second))
        case .block(let block, let arguments):
            return .block(block, arguments.map(expression))
        }
    }

    /// A path from `SELF` is a plain key path.
    private func path(_ operand: NSExpression, _ plan: KeyPathPlan) -> ExpressionForm {
        if case .evaluatedObject = operand.form { return .keyPath(plan) }
        return .path(operand, plan)
    }
}
