import FoundationGaps

/// The organization of the values in an index.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// Sorted by value.
    case binary = 0
    /// Organized by ranges in several dimensions.
    case rTree = 1
}

/// A column of an index.
open class NSFetchIndexElementDescription: NSObject, NSCopying {
    weak var owner: NSFetchIndexDescription?

    /// The property whose values are indexed: a property of the entity, or an expression.
    public final let property: NSPropertyDescription?

    /// The organization of the values.
    open var collationType: NSFetchIndexElementType {
        willSet { owner?.owner?.requireEditable() }
    }

    /// Whether the smallest value comes first.
    open var isAscending: Bool = true {
        willSet { owner?.owner?.requireEditable() }
    }

    /// The name of the property.
    public final var propertyName: String? { property?.name }

    /// The index that the column belongs to.
    public final var indexDescription: NSFetchIndexDescription? { owner }

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - property: The property whose values are indexed.
    ///   - collationType: The organization of the values.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
        super.init()
    }

    /// A copy of a column for the property of the same name in another entity.
    init(copying element: NSFetchIndexElementDescription, property: NSPropertyDescription?) {
        self.property = property
        collationType = element.collationType
        isAscending = element.isAscending
        super.init()
    }

    /// An independent column of the same property.
    open func copy(with zone: NSZone? = nil) -> Any {
        let own = property?.owner == nil ? property?.copy() as? NSPropertyDescription : property
        return NSFetchIndexElementDescription(copying: self, property: own ?? property)
    }
}
