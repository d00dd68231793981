extension NSExpression {
    /// An expression whose value is always the same.
    public convenience init(forConstantValue obj: Any?) {
        // NSNull means nil in every context, but it is not the same constant.
        self.init(form: .constant(obj is NSNull ? obj : unwrapped(obj).map(dynamicValue)))
    }

    /// The object under evaluation.
    public class func expressionForEvaluatedObject() -> NSExpression {
        NSExpression(form: .evaluatedObject)
    }

    /// The value of a variable.
    ///
    /// - Parameter string: The name, without the dollar sign.
    public convenience init(forVariable string: String) {
        self.init(form: .variable(string))
    }

    /// The value at the end of a key path.
    public convenience init(forKeyPath keyPath: String) {
        self.init(form: .keyPath(KeyPathPlan(keyPath)))
    }

    /// The value at a Swift key path.
    ///
    /// Traps if the key path stands for no key. On Linux only key paths to the modeled properties of a
    /// managed object class, and to stored properties of final classes, do.
    public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        guard let key = _key(for: keyPath) ?? storedPropertyName(of: keyPath) else {
            _raise(
                invalidArgumentException,
                "\(keyPath) stands for no key: on Linux only key paths to modeled properties of a "
                    + "managed object class whose model is in use, and to stored "
                    + "properties of final classes, do. Give the name as a String.")
        }
        self.init(forKeyPath: key)
    }

    /// A function of the predicate language.
    ///
    /// - Parameters:
    ///   - name: The function's selector, such as `sum:` or `add:to:`. An unknown one traps.
    ///   - parameters: Expressions.
    public convenience init(forFunction name: String, arguments parameters: [Any]) {
        guard let canonical = PredicateFunction.canonicalName(of: name),
            let implementation = PredicateFunction.implementation(of: canonical)
        else {
            _raise(
                invalidArgumentException, PredicateFormatError.unknownFunction(name).reason(for: "")
            )
        }
        self.init(
            form: .function(canonical, implementation, Self.expressions(parameters)))
    }

    /// The result of a method that is called on another expression's value.
    ///
    /// Linux cannot call methods by selector: supported are the keys of a value as methods without
    /// arguments, the functions of the language, and a few of Foundation's methods.
    public convenience init(
        forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
    ) {
        self.init(form: .targetedFunction(target, name, Self.expressions(parameters ?? [])))
    }

    /// A collection of the values of other expressions.
    public convenience init(forAggregate subexpressions: [NSExpression]) {
        self.init(form: .aggregate(subexpressions))
    }

    /// The union of two collections.
    public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
        self.init(form: .set(.union, left, right))
    }

    /// The intersection of two collections.
    public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self.init(form: .set(.intersect, left, right))
    }

    /// The elements of the first collection that are not in the second.
    public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
        self.init(form: .set(.minus, left, right))
    }

    /// The elements of a collection that match a predicate.
    ///
    /// - Parameters:
    ///   - expression: The collection.
    ///   - variable: The predicate's name for an element, without the dollar sign.
    ///   - predicate: The condition for an element.
    public convenience init(
        forSubquery expression: NSExpression, usingIteratorVariable variable: String,
        predicate: NSPredicate
    ) {
        self.init(form: .subquery(expression, variable: variable, predicate))
    }

    /// Any key of the object under evaluation.
    public class func expressionForAnyKey() -> NSExpression {
        NSExpression(form: .anyKey)
    }

    /// The result of a closure, which receives the object under evaluation, the arguments' values
    /// and the context.
    public convenience init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
    ) {
        self.init(form: .block(block, arguments ?? []))
    }

    /// One of two expressions, chosen by a predicate.
    public convenience init(
        forConditional predicate: NSPredicate, trueExpression: NSExpression,
        falseExpression: NSExpression
    ) {
        self.init(form: .conditional(predicate, trueExpression, falseExpression))
    }

    private static func expressions(_ parameters: [Any]) -> [NSExpression] {
        parameters.map { parameter in
            guard let expression = parameter as? NSExpression else {
                _raise(invalidArgumentException, "\(parameter) is not an NSExpression")
            }
            return expression
        }
    }
}

// MARK: - Formats

extension NSExpression {
    /// Parses an expression.
    ///
    /// - Parameters:
    ///   - expressionFormat: An expression in the predicate language. An invalid one traps.
    ///   - arguments: The values of the conversions in it, in their order.
    public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
        self.init(form: Self.form(of: expressionFormat, arguments))
    }

    /// Parses an expression.
    ///
    /// - Parameters:
    ///   - expressionFormat: An expression in the predicate language. An invalid one traps.
    ///   - args: The values of the conversions in it, in their order; nil is allowed.
    public convenience init(format expressionFormat: String, _ args: Any?...) {
        self.init(form: Self.form(of: expressionFormat, args))
    }

    private static func form(of format: String, _ arguments: [Any?]) -> ExpressionForm {
        do throws(PredicateFormatError) {
            let syntax = try PredicateParser.expression(format)
            return try PredicateBuilder(arguments: arguments).expression(syntax).form
        } catch {
            _raise(invalidArgumentException, error.reason(for: format))
        }
    }
}
