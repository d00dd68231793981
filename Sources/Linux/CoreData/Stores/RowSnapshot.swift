import FoundationGaps

// Linux-only. On Apple's systems values are passed in dictionaries.

/// The values of a row in the order in which the objects of its entity store them.
///
/// `NSIncrementalStoreNode(objectID:withValues:version:)` takes a dictionary, which is created for
/// each object, iterated and discarded, and in which each number is an object. A store that looks
/// up the indexes of an entity's values once can write values directly to their indexes instead,
/// and the object takes them over unchanged.
public struct RowSnapshot {
    private var attributes: [AttributeValue]
    private var relationships: [RelationshipValue]
    private let layout: EntityLayout

    /// Creates the values of an object: nil for each attribute. To-one relationships that are not
    /// set are requested separately.
    public init(for entity: NSEntityDescription) {
        layout = entity.layout
        attributes = Array(repeating: .none, count: layout.properties.count)
        relationships = layout.unreadRelationships
    }

    /// The values in the form that objects use.
    func row(version: UInt64) -> Row {
        Row(attributes: attributes, relationships: relationships, version: version)
    }

    /// The index of an attribute or a relationship among the values of an entity's objects; nil if
    /// the entity has no property of that name.
    public static func place(of property: String, in entity: NSEntityDescription) -> Int? {
        entity.layout.indexByName[property]
    }

    /// Sets the attribute at an index. The attribute must be able to store the value.
    public mutating func set(_ value: AttributeValue, at place: Int) {
        attributes[place] = value
    }

    /// Sets many attributes.
    ///
    /// - Parameter body: Gets the values of all attributes, each at its index, and may set them to
    ///   valid values.
    public mutating func setAttributes(
        _ body: (inout UnsafeMutableBufferPointer<AttributeValue>) throws -> Void
    ) rethrows {
        try attributes.withUnsafeMutableBufferPointer(body)
    }

    /// Sets the to-one relationship at an index; nil for no destination.
    public mutating func setDestination(_ objectID: NSManagedObjectID?, at place: Int) {
        let position = layout.relationshipPositions[place]
        relationships[position] = objectID.map { .identifier($0) } ?? .none
    }
}

extension NSIncrementalStoreNode {
    /// Creates a row.
    ///
    /// - Parameters:
    ///   - objectID: The ID of the object.
    ///   - values: The values, for the ID's entity.
    ///   - version: A number that grows with each save of the row.
    public convenience init(objectID: NSManagedObjectID, values: RowSnapshot, version: UInt64) {
        self.init(objectID: objectID, row: values.row(version: version))
    }
}

extension NSManagedObject {
    /// The value of the attribute at an index, as returned by `primitiveValue(forKey:)`.
    public final func attributeValue(at place: Int) -> AttributeValue {
        fireFault()
        return attributes[place]
    }

    /// The ID of the destination of the to-one relationship at an index; nil if it has none.
    public final func destinationID(at place: Int) -> NSManagedObjectID? {
        fireFault()
        return relationships[layout.relationshipPositions[place]].destinationID
    }
}
