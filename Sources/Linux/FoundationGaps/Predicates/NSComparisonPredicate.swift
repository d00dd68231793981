/// A comparison of two expressions.
///
/// Mirrors Apple's `NSComparisonPredicate`, which Linux's Foundation declares only as an unusable
/// placeholder. In a file that imports Foundation explicitly, the name is ambiguous: qualify it, or
/// import only CoreData.
open class NSComparisonPredicate: NSPredicate {
    /// How the elements count if the left-hand side is a collection.
    public enum Modifier: UInt, Sendable {
        /// The two sides are compared directly.
        case direct = 0
        /// Every element must match; an empty collection matches.
        case all = 1
        /// At least one element must match.
        case any = 2
    }

    /// The operators.
    public enum Operator: UInt, Sendable {
        /// `<`
        case lessThan = 0
        /// `<=`
        case lessThanOrEqualTo = 1
        /// `>`
        case greaterThan = 2
        /// `>=`
        case greaterThanOrEqualTo = 3
        /// `==`
        case equalTo = 4
        /// `!=`
        case notEqualTo = 5
        /// The whole string matches a regular expression.
        case matches = 6
        /// The whole string matches a pattern with `?` and `*`.
        case like = 7
        /// The string begins with another.
        case beginsWith = 8
        /// The string ends with another.
        case endsWith = 9
        /// The left side is an element or a substring of the right side.
        case `in` = 10
        /// A method of the left side decides. Cannot be evaluated on Linux.
        case customSelector = 11
        /// The right side is an element or a substring of the left side.
        case contains = 99
        /// The left side is between two values, inclusive.
        case between = 100
    }

    /// How strings are compared.
    public struct Options: OptionSet, Hashable, Sendable {
        /// The bits, with Apple's values.
        public let rawValue: UInt

        /// Options from their bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// `[c]`: upper and lower case are equal.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: letters are equal with and without diacritics.
        public static let diacriticInsensitive = Options(rawValue: 2)
        /// `[n]`: the strings are already in a comparable form, and are compared directly.
        public static let normalized = Options(rawValue: 4)
        /// `[l]`: by the rules of the current locale. Apple's Swift API has no name for it.
        public static let _localeSensitive = Options(rawValue: 8)
    }

    private let left: NSExpression
    private let right: NSExpression
    private let modifier: Modifier
    private let operation: ComparisonOperation
    /// The prepared right-hand side, if it is the same for every object.
    private let constantOperand: ConstantOperand?

    /// A comparison of two expressions.
    ///
    /// - Parameters:
    ///   - lhs: The left-hand side.
    ///   - rhs: The right-hand side.
    ///   - modifier: How the elements of a collection on the left count.
    ///   - type: The operator.
    ///   - options: How strings are compared.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier,
        type: Operator, options: Options = []
    ) {
        left = lhs
        right = rhs
        self.modifier = modifier
        operation = ComparisonOperation(type: type, options: options)
        constantOperand =
            rhs.form.isConstant ? ConstantOperand(of: rhs, for: operation) : nil
        super.init(block: { _, _ in false })
    }

    /// The operator.
    open var predicateOperatorType: Operator { operation.type }

    /// How the elements of a collection on the left count.
    open var comparisonPredicateModifier: Modifier { modifier }

    /// The left-hand side.
    open var leftExpression: NSExpression { left }

    /// The right-hand side.
    open var rightExpression: NSExpression { right }

    /// How strings are compared.
    open var options: Options { operation.options }

    open override func evaluate(
        with object: Any?, substitutionVariables bindings: [String: Any]?
    ) -> Bool {
        holds(in: EvaluationScope(object: object, variables: bindings))
    }

    /// Whether the comparison is true in a scope.
    final func holds(in scope: EvaluationScope) -> Bool {
        let value = left.value(in: scope)
        let operand =
            constantOperand?.prepared ?? operation.prepare(right.value(in: scope))
        switch modifier {
        case .direct:
            return operation.compare(value, with: operand)
        case .any:
            return Self.members(of: value).contains { operation.compare($0, with: operand) }
        case .all:
            return Self.members(of: value).allSatisfy { operation.compare($0, with: operand) }
        }
    }

    /// The elements that ANY and ALL apply to: those of the collection and of nested collections,
    /// which key paths across two to-many relationships return.
    private static func members(of value: Any?) -> [Any] {
        guard let value else { return [] }
        guard let members = elements(of: value) else {
            _raise(
                invalidArgumentException,
                "The left hand side for an ALL or ANY operator must be either an NSArray or an "
                    + "NSSet.")
        }
        return members.flatMap { element -> [Any] in
            guard case .collection = PredicateValue(element) else { return [element] }
            return Self.members(of: element)
        }
    }

    // MARK: - NSObject

    /// The predicate itself, because it is immutable.
    open override func copy(with zone: NSZone? = nil) -> Any { self }

    open override func copy() -> Any { copy(with: nil) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return StructuralComparison.areEqual(self, other)
    }

    open override var hash: Int { _structuralHash }

    open override var predicateFormat: String { _structuralFormat }

    open override var description: String { _structuralFormat }
}

/// The prepared right-hand side of a comparison with a constant.
private struct ConstantOperand {
    private let eager: ComparisonOperation.Operand?
    private let lazy: LazyOperand?

    /// Prepares cheap operands immediately. A long list or a regular expression is prepared on
    /// first use, because a store may convert the predicate to SQL and never evaluate it.
    init(of expression: NSExpression, for operation: ComparisonOperation) {
        switch operation.type {
        case .in, .between, .matches, .customSelector:
            eager = nil
            lazy = LazyOperand(of: expression, for: operation)
        default:
            let scope = EvaluationScope(object: nil, variables: nil)
            eager = operation.prepare(expression.value(in: scope))
            lazy = nil
        }
    }

    var prepared: ComparisonOperation.Operand? { eager ?? lazy?.operand }
}

/// A right-hand side that is prepared on first use, on any thread.
private final class LazyOperand {
    private let expression: NSExpression
    private let operation: ComparisonOperation
    private let lock = NSLock()
    private var prepared: ComparisonOperation.Operand?

    init(of expression: NSExpression, for operation: ComparisonOperation) {
        self.expression = expression
        self.operation = operation
    }

    var operand: ComparisonOperation.Operand {
        lock.withLock {
            if let prepared { return prepared }
            let scope = EvaluationScope(object: nil, variables: nil)
            let operand = operation.prepare(expression.value(in: scope))
            prepared = operand
            return operand
        }
    }
}
