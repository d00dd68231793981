import CoreData

extension NSManagedObject {
    /// The destinations of a relationship when the context last read or saved the object; nil if the context has not
    /// read them.
    ///
    /// Apple does not say whether the committed values are objects or their IDs, nor in which collection.
    @nonobjc func committedDestinations(of relationship: String) -> [NSManagedObjectID]? {
        switch committedValues(forKeys: [relationship])[relationship] {
        case nil: return nil
        case is NSNull: return entity.relationshipsByName[relationship]?.isToMany == true ? nil : []
        case let members as NSOrderedSet: return members.array.compactMap(Self.objectID)
        case let members as Set<AnyHashable>: return members.compactMap { Self.objectID($0.base) }
        case let members as NSSet: return members.allObjects.compactMap(Self.objectID)
        case let members as [Any]: return members.compactMap(Self.objectID)
        case let destination?: return Self.objectID(destination).map { [$0] }
        }
    }

    private static func objectID(_ value: Any) -> NSManagedObjectID? {
        value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID
    }
}
