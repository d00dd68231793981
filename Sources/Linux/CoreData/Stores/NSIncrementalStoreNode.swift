import FoundationGaps

/// A row from an incremental store: the values of one object, and their version.
///
/// The values are laid out once, here, and shared with the object until one of them changes.
open class NSIncrementalStoreNode: NSObject {
    /// The ID of the object.
    public let objectID: NSManagedObjectID

    private(set) var row: Row

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - objectID: The ID of the object.
    ///   - values: Attribute values by name, and the IDs of to-one destinations (`NSNull` for
    ///     none). Other keys are ignored. A to-one relationship that is left out is requested separately.
    ///   - version: A number that grows with each save of the row.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        row = Self.row(of: objectID.entity.layout, values: values, version: version)
        super.init()
    }

    /// Creates a row from values that are already laid out.
    init(objectID: NSManagedObjectID, row: Row) {
        self.objectID = objectID
        self.row = row
        super.init()
    }

    /// The version of the row.
    open var version: UInt64 { row.version }

    /// Replaces all values and the version.
    open func update(withValues values: [String: Any], version: UInt64) {
        row = Self.row(of: objectID.entity.layout, values: values, version: version)
    }

    /// The value of an attribute, or the ID of a to-one destination (`NSNull` for none).
    ///
    /// Nil for properties that the row does not contain.
    open func value(for prop: NSPropertyDescription) -> Any? {
        let layout = objectID.entity.layout
        guard let index = layout.indexByName[prop.name] else { return nil }
        let position = layout.relationshipPositions[index]
        guard position >= 0 else { return row.attributes[index].object }
        switch row.relationships[position] {
        case .none: return NSNull()
        case .identifier(let objectID): return objectID
        default: return nil
        }
    }

    private static func row(
        of layout: EntityLayout, values: [String: Any], version: UInt64
    ) -> Row {
        var attributes = [AttributeValue](repeating: .none, count: layout.properties.count)
        // Iterates over the dictionary instead of looking up each property, because the layout
        // finds a name faster.
        for (name, value) in values {
            guard let index = layout.indexByName[name], layout.relationshipPositions[index] < 0,
                Swift.type(of: value) != NSNull.self
            else { continue }
            let attribute = layout.attribute(at: index)
            attributes[index] = attribute.attributeValue(of: value) ?? .init(keeping: value)
        }
        var relationships = layout.unreadRelationships
        for (position, relationship) in layout.relationships.enumerated()
        where !relationship.isToMany {
            switch values[relationship.name] {
            case let objectID as NSManagedObjectID:
                relationships[position] = .identifier(objectID)
            case nil: break
            case let object as NSObject where !(object is NSNull):
                raise(
                    .invalidArgument,
                    "A node's value for the to-one relationship '\(relationship.name)' is of type "
                        + "\(Swift.type(of: object)), and not an NSManagedObjectID or NSNull.")
            case .some: relationships[position] = .none
            }
        }
        return Row(attributes: attributes, relationships: relationships, version: version)
    }
}
