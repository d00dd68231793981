/// The parts of an expression. Each applies only to some expression types; for another type it
/// traps, where Apple's raises an exception.
extension NSExpression {
    /// The value of a `.constantValue` expression.
    public var constantValue: Any? {
        switch form {
        case .constant(let value): value
        case .indexSymbol(let symbol): symbol.rawValue
        default: inapplicable(#function)
        }
    }

    /// The path of a `.keyPath` expression, or of the argument of one.
    public var keyPath: String {
        guard case .keyPath(let plan) = form else { inapplicable(#function) }
        return plan.string
    }

    /// The selector of a `.function` expression.
    public var function: String {
        switch form {
        case .function(let name, _, _), .targetedFunction(_, let name, _): name
        case .path, .keyPath: PredicateFunction.valueForKeyPath
        case .assignment: "assignVariable:to:"
        default: inapplicable(#function)
        }
    }

    /// The name of a `.variable`, or of the variable of a `.subquery`.
    public var variable: String {
        switch form {
        case .variable(let name), .assignment(let name, _), .subquery(_, let name, _): name
        default: inapplicable(#function)
        }
    }

    /// The target of a `.function`. The language's own functions have no target, which is a nil
    /// constant.
    public var operand: NSExpression {
        switch form {
        case .path(let operand, _), .targetedFunction(let operand, _, _): operand
        case .keyPath: .expressionForEvaluatedObject()
        case .function, .assignment: NSExpression(forConstantValue: nil)
        default: inapplicable(#function)
        }
    }

    /// The arguments of a `.function` or `.block`.
    public var arguments: [NSExpression]? {
        switch form {
        case .function(_, _, let arguments), .targetedFunction(_, _, let arguments),
            .block(_, let arguments):
            arguments
        case .path(_, let plan), .keyPath(let plan): [KeyPathSpecifier(form: .keyPath(plan))]
        case .assignment(let name, let value): [NSExpression(forVariable: name), value]
        default: inapplicable(#function)
        }
    }

    /// The expressions of an `.aggregate` as an array, or the collection of a `.subquery` as one
    /// expression.
    public var collection: Any {
        switch form {
        case .aggregate(let elements): elements
        case .subquery(let collection, _, _): collection
        default: inapplicable(#function)
        }
    }

    /// The predicate of a `.subquery` or `.conditional`.
    public var predicate: NSPredicate {
        switch form {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate
        default: inapplicable(#function)
        }
    }

    /// The first operand of a set operation.
    public var left: NSExpression {
        guard case .set(_, let left, _) = form else { inapplicable(#function) }
        return left
    }

    /// The second operand of a set operation.
    public var right: NSExpression {
        guard case .set(_, _, let right) = form else { inapplicable(#function) }
        return right
    }

    /// The value of a `.conditional` expression if its predicate is true.
    public var `true`: NSExpression {
        guard case .conditional(_, let expression, _) = form else { inapplicable(#function) }
        return expression
    }

    /// The value of a `.conditional` expression if its predicate is false.
    public var `false`: NSExpression {
        guard case .conditional(_, _, let expression) = form else { inapplicable(#function) }
        return expression
    }

    /// The closure of a `.block`.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
        guard case .block(let block, _) = form else { inapplicable(#function) }
        return block
    }

    private func inapplicable(_ accessor: String) -> Never {
        _raise(
            invalidArgumentException,
            "*** -\(accessor) only defined for abstract class.  Define -[\(type(of: self)) "
                + "\(accessor)]! (expression type \(expressionType))")
    }
}

/// The path in the arguments of a key path.
private final class KeyPathSpecifier: NSExpression {
    override var expressionType: ExpressionType { ._keyPathSpecifier }
}
