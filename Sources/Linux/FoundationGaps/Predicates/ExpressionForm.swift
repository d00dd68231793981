/// The form of an expression. All code that traverses expressions (evaluation, printing,
/// comparison, substitution) switches over it.
enum ExpressionForm {
    case constant(Any?)
    case evaluatedObject
    case variable(String)
    case assignment(String, NSExpression)
    case keyPath(KeyPathPlan)
    /// A key path that starts at the value of another expression.
    case path(NSExpression, KeyPathPlan)
    case indexSymbol(IndexSymbol)
    case function(String, PredicateFunction.Implementation, [NSExpression])
    case targetedFunction(NSExpression, String, [NSExpression])
    case aggregate([NSExpression])
    case set(SetOperation, NSExpression, NSExpression)
    case subquery(NSExpression, variable: String, NSPredicate)
    case conditional(NSPredicate, NSExpression, NSExpression)
    case anyKey
    case block((Any?, [Any], NSMutableDictionary?) -> Any, [NSExpression])
    /// An expression of a subclass with its own evaluation.
    case custom(NSExpression.ExpressionType)

    /// The expression type in Apple's API.
    var type: NSExpression.ExpressionType {
        switch self {
        case .constant, .indexSymbol: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath: .keyPath
        case .path, .function, .targetedFunction, .assignment: .function
        case .aggregate: .aggregate
        case .set(.union, _, _): .unionSet
        case .set(.intersect, _, _): .intersectSet
        case .set(.minus, _, _): .minusSet
        case .subquery: .subquery
        case .conditional: .conditional
        case .anyKey: .anyKey
        case .block: .block
        case .custom(let type): type
        }
    }

    /// Whether the value is the same for every object.
    var isConstant: Bool {
        switch self {
        case .constant: true
        case .aggregate(let elements): elements.allSatisfy(\.form.isConstant)
        default: false
        }
    }
}
