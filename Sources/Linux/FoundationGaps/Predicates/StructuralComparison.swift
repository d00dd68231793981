/// Equality and hash values of predicates and expressions, based on their structure.
enum StructuralComparison {
    static func areEqual(_ left: NSPredicate, _ right: NSPredicate) -> Bool {
        if left === right { return true }
        switch (_PredicateNode(left), _PredicateNode(right)) {
        case (.constant(let left), .constant(let right)):
            return left == right
        case (.comparison(let left), .comparison(let right)):
            return left.predicateOperatorType == right.predicateOperatorType
                && left.comparisonPredicateModifier == right.comparisonPredicateModifier
                && left.options == right.options
                && areEqual(left.leftExpression, right.leftExpression)
                && areEqual(left.rightExpression, right.rightExpression)
        case (.compound(let type, let left), .compound(let otherType, let right)):
            return type == otherType && left.elementsEqual(right, by: areEqual)
        case (.unknown(let left), .unknown(let right)):
            return left.isEqual(right)
        default:
            return false
        }
    }

    static func areEqual(_ left: NSExpression, _ right: NSExpression) -> Bool {
        if left === right { return true }
        switch (left.form, right.form) {
        case (.constant(let left), .constant(let right)):
            return PredicateValue(left) == PredicateValue(right)
        case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey):
            return true
        case (.variable(let left), .variable(let right)):
            return left == right
        case (.assignment(let name, let left), .assignment(let otherName, let right)):
            return name == otherName && areEqual(left, right)
        case (.keyPath(let left), .keyPath(let right)):
            return left.string == right.string
        case (.path(let left, let plan), .path(let right, let otherPlan)):
            return plan.string == otherPlan.string && areEqual(left, right)
        case (.indexSymbol(let left), .indexSymbol(let right)):
            return left == right
        case (.function(let name, _, let left), .function(let otherName, _, let right)):
            return name == otherName && left.elementsEqual(right, by: areEqual)
        case (
            .targetedFunction(let target, let name, let left),
            .targetedFunction(let otherTarget, let otherName, let right)
        ):
            return name == otherName && areEqual(target, otherTarget)
                && left.elementsEqual(right, by: areEqual)
        case (.aggregate(let left), .aggregate(let right)):
            return left.elementsEqual(right, by: areEqual)
        case (.set(let operation, let a, let b), .set(let otherOperation, let c, let d)):
            return operation == otherOperation && areEqual(a, c) && areEqual(b, d)
        case (
            .subquery(let left, let name, let filter), .subquery(let right, let other, let second)
        ):
            return name == other && areEqual(left, right) && areEqual(filter, second)
        case (.conditional(let left, let a, let b), .conditional(let right, let c, let d)):
            return areEqual(left, right) && areEqual(a, c) && areEqual(b, d)
        default:
            return false
        }
    }

    /// Hashes the parts that are cheap and distinguish most predicates.
    static func hash(_ predicate: NSPredicate, into hasher: inout Hasher) {
        switch _PredicateNode(predicate) {
        case .constant(let value):
            hasher.combine(value)
        case .comparison(let comparison):
            hasher.combine(comparison.predicateOperatorType)
            hash(comparison.leftExpression, into: &hasher)
            hash(comparison.rightExpression, into: &hasher)
        case .compound(let type, let subpredicates):
            hasher.combine(type)
            for subpredicate in subpredicates { hash(subpredicate, into: &hasher) }
        case .block(let predicate):
            hasher.combine(ObjectIdentifier(predicate))
        case .unknown(let predicate):
            hasher.combine(predicate.hash)
        }
    }

    static func hash(_ expression: NSExpression, into hasher: inout Hasher) {
        hasher.combine(expression.form.type)
        switch expression.form {
        case .constant(let value): hasher.combine(PredicateValue(value))
        case .variable(let name): hasher.combine(name)
        case .keyPath(let plan): hasher.combine(plan.string)
        case .function(let name, _, let arguments):
            hasher.combine(name)
            for argument in arguments { hash(argument, into: &hasher) }
        case .aggregate(let elements):
            for element in elements { hash(element, into: &hasher) }
        default: break
        }
    }
}
