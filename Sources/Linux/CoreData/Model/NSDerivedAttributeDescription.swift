import FoundationGaps

/// An attribute whose value the store computes from other properties when it saves.
open class NSDerivedAttributeDescription: NSAttributeDescription {
    /// The expression that gives the value, such as `now()` or `items.@count`.
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
        digest.combine(derivationExpression?.description)
    }
}
