/// The parse tree of a predicate format. It depends only on the format string: arguments are
/// represented by their positions, so one tree serves every call with that format.
indirect enum PredicateSyntax: Sendable {
    case constant(Bool)
    case comparison(ComparisonSyntax)
    case not(PredicateSyntax)
    case and([PredicateSyntax])
    case or([PredicateSyntax])
}

/// A comparison of two expressions.
struct ComparisonSyntax: Sendable {
    var modifier: NSComparisonPredicate.Modifier
    var left: ExpressionSyntax
    var type: NSComparisonPredicate.Operator
    var options: NSComparisonPredicate.Options
    var right: ExpressionSyntax
}

/// The parse tree of an expression.
indirect enum ExpressionSyntax: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    /// The position of a value among the arguments.
    case argument(Int)
    case evaluatedObject
    case anyKey
    case variable(String)
    case assignment(String, ExpressionSyntax)
    case keyPath([KeyPathPart])
    /// A key path that does not start at the evaluated object but at another expression.
    case path(ExpressionSyntax, [KeyPathPart])
    case element(ExpressionSyntax, ElementSyntax)
    case aggregate([ExpressionSyntax])
    case function(String, [ExpressionSyntax])
    case targetedFunction(ExpressionSyntax, String, [ExpressionSyntax])
    case subquery(ExpressionSyntax, variable: String, PredicateSyntax)
    case conditional(PredicateSyntax, ExpressionSyntax, ExpressionSyntax)
    case set(SetOperation, ExpressionSyntax, ExpressionSyntax)

    /// One part of a key path: literal, or the argument of a `%K` (which may itself be a path).
    enum KeyPathPart: Sendable {
        case key(String)
        case argument(Int)
    }

    /// The contents of brackets after an expression.
    enum ElementSyntax: Sendable {
        case symbol(IndexSymbol)
        case expression(ExpressionSyntax)
    }
}

/// The words that select an element by its position in a collection.
enum IndexSymbol: String, Sendable {
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
}

/// The operations on collections as sets.
enum SetOperation: String, Sendable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
}
