import FoundationGaps

/// An attribute whose value the store computes from other properties on save.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// The expression for the value, such as `now()` or `items.@count`.
    open var derivationExpression: NSExpression? {
        willSet { requireEditable() }
    }

    override func emptyCopy() -> NSPropertyDescription {
        NSDerivedAttributeDescription()
    }

    override func copySettings(to copy: NSPropertyDescription) {
        super.copySettings(to: copy)
        (copy as? NSDerivedAttributeDescription)?.derivationExpression = derivationExpression
    }

    override func combine(into digest: inout StructureDigest) {
        super.combine(into: &digest)
        digest.combine("derived")
        digest.combine(derivationExpression.map(Self.canonicalText))
    }

    /// The expression in a canonical form: Xcode compiles `items.@count` to `count(items)`, and
    /// `items.price.@sum` to `sum(items.price)`.
    private static func canonicalText(_ expression: NSExpression) -> String {
        guard expression.expressionType == .function, expression.arguments?.count == 1,
            let argument = expression.arguments?.first, argument.expressionType == .keyPath
        else { return expression.description }
        let aggregates = [
            "count:": "@count", "sum:": "@sum", "min:": "@min", "max:": "@max", "average:": "@avg",
        ]
        guard let aggregate = aggregates[expression.function] else { return expression.description }
        return NSExpression(forKeyPath: "\(argument.keyPath).\(aggregate)").description
    }
}
