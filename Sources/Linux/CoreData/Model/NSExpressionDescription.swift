import FoundationGaps

/// A column of a dictionary fetch whose value an expression computes.
open class NSExpressionDescription: NSPropertyDescription {
    /// The expression for the value.
    open var expression: NSExpression? {
        willSet { requireEditable() }
    }

    /// The type of the value.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType {
        willSet { requireEditable() }
    }

    /// The type of the value; the same as `expressionResultType`.
    open var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
        set { expressionResultType = newValue.rawValue }
    }

    override func emptyCopy() -> NSPropertyDescription {
        NSExpressionDescription()
    }

    override func copySettings(to copy: NSPropertyDescription) {
        super.copySettings(to: copy)
        guard let copy = copy as? NSExpressionDescription else { return }
        copy.expression = expression
        copy.expressionResultType = expressionResultType
    }
}
