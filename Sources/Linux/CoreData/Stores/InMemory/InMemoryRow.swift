import FoundationGaps

/// An object in the in-memory store.
final class InMemoryRow: StoredObject {
    /// The destinations of a relationship.
    enum Link {
        case none
        case one(NSManagedObjectID)
        case set(Set<NSManagedObjectID.Key>)
        case list([NSManagedObjectID])

        /// The IDs, in order if the relationship is ordered.
        var objectIDs: [NSManagedObjectID] {
            switch self {
            case .none: []
            case .one(let objectID): [objectID]
            case .set(let keys): keys.map(\.objectID)
            case .list(let objectIDs): objectIDs
            }
        }

        /// The value of a relationship without destinations.
        static func empty(_ relationship: NSRelationshipDescription) -> Link {
            guard relationship.isToMany else { return .none }
            return relationship.isOrdered ? .list([]) : .set([])
        }
    }

    let objectID: NSManagedObjectID
    let layout: EntityLayout
    /// The values by value index; none for relationships and for transient attributes.
    var attributes: [AttributeValue]
    /// The destinations by relationship position.
    var links: [Link]
    /// The number of saves of the object.
    var version: UInt64 = 1
    /// The row's index among those of its entity.
    var slot = 0
    private unowned let table: InMemoryTable

    /// Creates a row without values.
    ///
    /// - Parameter links: Relationships without destinations, which all rows share until they have
    ///   some.
    init(
        objectID: NSManagedObjectID, table: InMemoryTable, layout: EntityLayout, links: [Link]
    ) {
        self.objectID = objectID
        self.table = table
        self.layout = layout
        self.links = links
        attributes = []
    }

    /// The values for a context.
    var values: Row {
        Row(attributes: attributes, relationships: relationshipValues, version: version)
    }

    /// The relationships for a context: the members of a to-many relationship are requested when
    /// needed.
    private var relationshipValues: [RelationshipValue] {
        links.map { link in
            switch link {
            case .set, .list: .unresolved
            case .one(let objectID): .identifier(objectID)
            case .none: .none
            }
        }
    }

    // MARK: - Key-value coding

    var _comparisonIdentity: AnyObject { objectID }

    func _value(forKey key: String) -> Any? {
        if let index = layout.indexByName[key] {
            let position = layout.relationshipPositions[index]
            return position < 0 ? attributes[index].object : destinations(at: position)
        }
        switch key {
        case "self", "SELF": return self
        case "objectID": return objectID
        case "entity": return objectID.entity
        default:
            raise(
                .undefinedKey,
                "the entity \(objectID.entity.name ?? "") is not key value coding-compliant for "
                    + "the key \"\(key)\".")
        }
    }

    /// The rows of a relationship's destinations; missing ones are left out.
    private func destinations(at position: Int) -> Any? {
        switch links[position] {
        case .none: nil
        case .one(let objectID): table.row(objectID)
        case .set(let keys): keys.compactMap { table.row($0.objectID) }
        case .list(let objectIDs): objectIDs.compactMap { table.row($0) }
        }
    }

    // MARK: - Links

    /// Adds a destination if it is missing. The destination of a to-one relationship is replaced.
    ///
    /// - Returns: The destination that was replaced.
    func add(_ destination: NSManagedObjectID, at position: Int) -> NSManagedObjectID? {
        switch links[position] {
        case .set(var keys):
            // The set is moved out of the row while it changes, so that it is not copied.
            links[position] = .none
            keys.insert(NSManagedObjectID.Key(destination))
            links[position] = .set(keys)
        case .list(let objectIDs):
            if !objectIDs.contains(where: { $0.isSame(as: destination) }) {
                links[position] = .list(objectIDs + [destination])
            }
        case .one(let old):
            links[position] = .one(destination)
            return old.isSame(as: destination) ? nil : old
        case .none:
            links[position] = .one(destination)
        }
        return nil
    }

    /// Removes a destination if it exists.
    func remove(_ destination: NSManagedObjectID, at position: Int) {
        switch links[position] {
        case .set(var keys):
            links[position] = .none
            keys.remove(NSManagedObjectID.Key(destination))
            links[position] = .set(keys)
        case .list(let objectIDs):
            links[position] = .list(objectIDs.filter { !$0.isSame(as: destination) })
        case .one(let old):
            if old.isSame(as: destination) { links[position] = .none }
        case .none:
            break
        }
    }
}
