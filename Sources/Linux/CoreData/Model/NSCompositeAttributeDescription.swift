import FoundationGaps

/// An attribute that groups named values of their own types.
///
/// Its value is a dictionary from the names of the elements to their values.
open class NSCompositeAttributeDescription: NSAttributeDescription {
    /// The grouped attributes, which may be composite themselves.
    open var elements: [NSAttributeDescription] = [] {
        willSet { requireEditable() }
    }

    /// Creates a composite attribute without elements.
    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    override func emptyCopy() -> NSPropertyDescription {
        NSCompositeAttributeDescription()
    }

    override func copySettings(to copy: NSPropertyDescription) {
        super.copySettings(to: copy)
        (copy as? NSCompositeAttributeDescription)?.elements = elements.compactMap {
            $0.copy() as? NSAttributeDescription
        }
    }

    override func combine(into digest: inout StructureDigest) {
        super.combine(into: &digest)
        digest.combine("composite")
        for element in elements.sorted(by: { $0.name < $1.name }) {
            element.combine(into: &digest)
        }
    }
}
