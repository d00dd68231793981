/// An operand of a comparison: a constant, a key path, or a function of other expressions.
///
/// Mirrors Apple's `NSExpression`, which Linux's Foundation declares only as an unusable
/// placeholder. In a file that imports Foundation explicitly, the name is ambiguous: qualify it, or
/// import only CoreData.
///
/// Expressions are immutable: `copy()` returns the same instance.
open class NSExpression: NSObject, NSCopying {
    /// The types of expressions.
    public enum ExpressionType: UInt, Sendable {
        /// A constant value.
        case constantValue = 0
        /// The object under evaluation, `SELF` in a format.
        case evaluatedObject = 1
        /// A variable's value, `$name` in a format.
        case variable = 2
        /// The value at a key path.
        case keyPath = 3
        /// A function's result.
        case function = 4
        /// The union of two collections.
        case unionSet = 5
        /// The intersection of two collections.
        case intersectSet = 6
        /// The elements of the first collection that are not in the second.
        case minusSet = 7
        /// The path in the arguments of a key path, whose type has no name on Apple's systems.
        case _keyPathSpecifier = 10
        /// The elements of a collection that match a predicate.
        case subquery = 13
        /// A collection of other expressions' values.
        case aggregate = 14
        /// Any key of the object under evaluation.
        case anyKey = 15
        /// The result of a Swift closure.
        case block = 19
        /// One of two expressions, chosen by a predicate.
        case conditional = 20
    }

    let form: ExpressionForm

    init(form: ExpressionForm) {
        self.form = form
    }

    /// The initializer for subclasses, which override ``expressionValue(with:context:)``.
    public init(expressionType type: ExpressionType) {
        form =
            switch type {
            case .evaluatedObject: .evaluatedObject
            case .anyKey: .anyKey
            default: .custom(type)
            }
    }

    /// The type of the expression, which determines the applicable accessors.
    ///
    /// As on Apple's systems, a key path that does not start at the evaluated object, such as
    /// `$x.name` or `SUBQUERY(…).@count`, is a `.function` named `valueForKeyPath:` with an
    /// ``operand`` and one argument, whose type, 10, has no public name.
    open var expressionType: ExpressionType { form.type }

    /// The value for an object.
    ///
    /// Numbers are returned as `NSNumber`, collections as arrays.
    ///
    /// - Parameters:
    ///   - object: The object that `SELF` and key paths refer to.
    ///   - context: The values of variables by name; blocks may keep state in it.
    open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        NumberBox.boxed(value(in: EvaluationScope(object: object, dictionary: context)))
    }

    /// Does nothing: expressions cannot be decoded from archives here.
    open func allowEvaluation() {}

    /// The expression itself, because it is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func copy() -> Any { copy(with: nil) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSExpression else { return false }
        return self === other || StructuralComparison.areEqual(self, other)
    }

    open override var hash: Int {
        var hasher = Hasher()
        StructuralComparison.hash(self, into: &hasher)
        return hasher.finalize()
    }

    /// The expression in the predicate language.
    open override var description: String { PredicatePrinter.text(of: self) }
}

/// Foundation's wrappers for numbers, which Apple's API always returns.
enum NumberBox {
    static func boxed(_ value: Any?) -> Any? {
        guard let value, !(type(of: value) is AnyClass) else { return value }
        switch PredicateValue(value) {
        case .integer(let number):
            return type(of: value) == Bool.self
                ? NSNumber(value: number != 0) : NSNumber(value: number)
        case .double(let number): return NSNumber(value: number)
        case .decimal(let number): return NSDecimalNumber(decimal: number)
        default: return value
        }
    }
}
