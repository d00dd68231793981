import FoundationGaps

/// One object of an `NSAtomicStore`: its ID and its values.
///
/// The value of a relationship contains the nodes of its destinations: a node for a to-one
/// relationship, a collection for a to-many one, which is ordered if the relationship is.
open class NSAtomicStoreCacheNode: NSObject {
    /// The ID of the object.
    public let objectID: NSManagedObjectID

    /// The values by property name; nil until one is set.
    open var propertyCache: NSMutableDictionary?

    /// Creates a node without values.
    ///
    /// - Parameter moid: The ID of the object, from
    ///   `NSAtomicStore.objectID(for:withReferenceObject:)` or from the object that is saved.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
        super.init()
    }

    /// The value of a property of the entity, from `propertyCache` unless a subclass stores it
    /// elsewhere. An unknown key stops the process.
    open func value(forKey key: String) -> Any? {
        requireProperty(key, "valueForUndefinedKey:")
        return propertyCache?.object(forKey: NSString(string: key))
    }

    /// Sets the value of a property of the entity, in `propertyCache` unless a subclass stores it
    /// elsewhere. An unknown key stops the process.
    open func setValue(_ value: Any?, forKey key: String) {
        requireProperty(key, "setValue:forUndefinedKey:")
        guard let value else {
            propertyCache?.removeObject(forKey: NSString(string: key))
            return
        }
        let values = propertyCache ?? NSMutableDictionary()
        values.setObject(value, forKey: NSString(string: key))
        propertyCache = values
    }

    private func requireProperty(_ key: String, _ selector: String) {
        guard objectID.entity.layout.indexByName[key] == nil else { return }
        raise(
            .undefinedKey,
            "[<\(Swift.type(of: self))> \(selector)]: this class is not key value "
                + "coding-compliant for the key \(key).")
    }
}

extension NSAtomicStoreCacheNode: StoredObject {
    /// The identity of the node in predicates: the object's ID.
    public var _comparisonIdentity: AnyObject { objectID }

    /// The value for a key of a predicate or sort descriptor.
    public func _value(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": self
        case "objectID": objectID
        case "entity": objectID.entity
        default: value(forKey: key)
        }
    }

    /// The nodes of a relationship's destinations.
    func destinations(of relationship: NSRelationshipDescription) -> [NSAtomicStoreCacheNode] {
        let value = value(forKey: relationship.name)
        let members: [Any] =
            switch value {
            case nil, is NSNull: []
            case let node as NSAtomicStoreCacheNode: [node]
            case let set as NSOrderedSet: set.array
            case let set as NSSet: set.allObjects
            case let nodes as [Any]: nodes
            case let nodes as Set<NSAtomicStoreCacheNode>: Array(nodes)
            default: [value as Any]
            }
        return members.map { member in
            guard let node = member as? NSAtomicStoreCacheNode else {
                raise(
                    .internalInconsistency,
                    "The relationship \(relationship.name) of a cache node must hold cache nodes, "
                        + "and not \(member).")
            }
            return node
        }
    }
}
