import FoundationGaps

/// A relationship of an entity to objects of an entity.
open class NSRelationshipDescription: NSPropertyDescription {
    /// The entity of the destinations.
    ///
    /// The relationship does not retain it; the model does.
    public final weak var destinationEntity: NSEntityDescription? {
        get { storedDestinationEntity }
        set {
            requireEditable()
            storedDestinationEntity = newValue
        }
    }

    @Light private var storedDestinationEntity: NSEntityDescription?

    /// The inverse relationship.
    ///
    /// Both sides must be set. The relationship does not retain it; the model does.
    public final weak var inverseRelationship: NSRelationshipDescription? {
        get { storedInverseRelationship }
        set {
            requireEditable()
            storedInverseRelationship = newValue
        }
    }

    @Light private var storedInverseRelationship: NSRelationshipDescription?

    /// The minimum number of destinations, if there are any.
    open var minCount: Int = 0 {
        willSet { requireEditable() }
    }

    /// The maximum number of destinations: 1 for a to-one relationship, 0 for no limit.
    open var maxCount: Int = 1 {
        willSet { requireEditable() }
    }

    /// What happens to the destinations when the source is deleted.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule {
        willSet { requireEditable() }
    }

    /// Whether a to-many relationship is ordered.
    open var isOrdered: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether there may be more than one destination.
    public final var isToMany: Bool { maxCount != 1 }

    override func emptyCopy() -> NSPropertyDescription {
        NSRelationshipDescription()
    }

    override func copySettings(to copy: NSPropertyDescription) {
        super.copySettings(to: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        copy.destinationEntity = destinationEntity
        copy.inverseRelationship = inverseRelationship
        copy.minCount = minCount
        copy.maxCount = maxCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
    }

    override func saysSame(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription else { return false }
        return super.saysSame(as: other)
            && destinationEntity?.name == other.destinationEntity?.name
            && inverseRelationship?.name == other.inverseRelationship?.name
            && minCount == other.minCount && maxCount == other.maxCount
            && deleteRule == other.deleteRule && isOrdered == other.isOrdered
    }

    override func combine(into digest: inout StructureDigest) {
        super.combine(into: &digest)
        digest.combine("relationship")
        digest.combine(destinationEntity?.name)
        digest.combine(inverseRelationship?.name)
        digest.combine(minCount)
        digest.combine(maxCount)
        digest.combine(Int(deleteRule.rawValue))
        digest.combine(isOrdered)
    }
}
