import FoundationGaps

/// The value of a relationship as an object stores it.
enum RelationshipValue {
    /// Not read from the store yet.
    case unresolved
    /// A to-one without a destination.
    case none
    /// A to-one with the ID of its destination; the object is created on demand.
    case identifier(NSManagedObjectID)
    /// A to-one with its destination.
    case object(NSManagedObject)
    /// A to-many with its destinations.
    case members(ObjectSet)
    /// A to-many that was not read yet, with changes made through the inverse. In a box, so that all other values
    /// are a reference each.
    indirect case pending(PendingMembers)

    /// The ID of a to-one's destination.
    var destinationID: NSManagedObjectID? {
        switch self {
        case .identifier(let objectID): objectID
        case .object(let object): object.objectID
        default: nil
        }
    }

    /// The value with another object in the place of one; nil if it does not contain that.
    func replacing(
        _ old: NSManagedObject, by new: NSManagedObject
    ) -> RelationshipValue? {
        switch self {
        case .object(let object) where object === old: .object(new)
        case .members(let members) where members.contains(old):
            .members(ObjectSet(members.map { $0 === old ? new : $0 }))
        default: nil
        }
    }

    /// The value without some objects; nil if it contains none of them.
    func removing(_ objects: ObjectSet, _ objectIDs: Set<NSManagedObjectID>) -> RelationshipValue? {
        switch self {
        case .object(let object): return objects.contains(object) ? RelationshipValue.none : nil
        case .identifier(let objectID):
            return objectIDs.contains(objectID) ? RelationshipValue.none : nil
        case .members(let members):
            let (fewer, more) =
                members.count < objects.count ? (members, objects) : (objects, members)
            guard fewer.contains(where: more.contains) else { return nil }
            return .members(ObjectSet(members.filter { !objects.contains($0) }))
        case .pending(var changes):
            let found = objects.filter(changes.added.contains)
            for object in found { changes.remove(object) }
            return found.isEmpty ? nil : .pending(changes)
        case .unresolved, .none: return nil
        }
    }
}

/// The additions to and removals from a to-many relationship before its contents were read.
struct PendingMembers {
    private(set) var added = ObjectSet()
    private(set) var removed = ObjectSet()
    /// The members in the order that they were given; nil if they were not moved.
    private var arrangement: ObjectSet?

    /// No changes.
    init() {}

    /// One object is added.
    init(adding object: NSManagedObject) { added.appendNew(object) }

    /// One object is removed.
    init(removing object: NSManagedObject) { removed.appendNew(object) }

    /// The members of an ordered relationship were moved, and none was added or removed.
    init(arrangedAs members: ObjectSet) { arrangement = members }

    /// The changes that lead from one set of destinations to another.
    init(from old: ObjectSet, to new: ObjectSet) {
        for object in new where !old.contains(object) { added.append(object) }
        for object in old where !new.contains(object) { removed.append(object) }
    }

    mutating func add(_ object: NSManagedObject) {
        removed.remove(object)
        added.append(object)
    }

    mutating func remove(_ object: NSManagedObject) {
        added.remove(object, keepingOrder: true)
        removed.append(object)
    }

    /// Adds further changes; changes that undo earlier ones cancel them.
    ///
    /// An object that was added and removed again may be among the removed ones although the store does not have it,
    /// so adding it does not cancel that if `isStored` knows it.
    ///
    /// - Parameter isStored: Whether the store has an object as a member; nil if that is not known.
    mutating func compose(
        _ changes: PendingMembers, isStored: (NSManagedObject) -> Bool? = { _ in nil }
    ) {
        for object in changes.removed {
            let wasAdded = added.remove(object, keepingOrder: true)
            if isStored(object) ?? !wasAdded { removed.append(object) }
        }
        for object in changes.added {
            let wasRemoved = removed.remove(object)
            if !(isStored(object) ?? wasRemoved) { added.append(object) }
        }
    }

    /// Whether nothing is added, removed or moved.
    var isEmpty: Bool { added.isEmpty && removed.isEmpty && arrangement == nil }

    /// The store's members with the changes applied. Members that were moved take each other's places,
    /// and those that the store has got meanwhile keep theirs.
    func applied(to members: ObjectSet) -> ObjectSet {
        var result = members
        if let arrangement {
            var moved = arrangement.filter(members.contains).makeIterator()
            result = ObjectSet(
                members.map { arrangement.contains($0) ? moved.next() ?? $0 : $0 })
        }
        for object in removed { result.remove(object, keepingOrder: true) }
        for object in added { result.append(object) }
        return result
    }
}

/// The values of an object as a store, or a parent context, keeps them.
///
/// The arrays are shared with every other holder of the row until one side changes something.
struct Row {
    /// By value index; `none` for relationships.
    var attributes: [AttributeValue]
    /// By relationship position.
    var relationships: [RelationshipValue]
    /// The number of saves of the object; 0 if it was never saved.
    var version: UInt64
}

/// A set of value indexes; entities with up to 64 properties need no separate memory.
struct PropertyIndexSet {
    private var low: UInt64 = 0
    private var high: Set<Int> = []

    var isEmpty: Bool { low == 0 && high.isEmpty }

    mutating func insert(_ index: Int) {
        if index < 64 { low |= 1 << UInt64(index) } else { high.insert(index) }
    }

    mutating func remove(_ index: Int) {
        if index < 64 { low &= ~(1 << UInt64(index)) } else { high.remove(index) }
    }

    func contains(_ index: Int) -> Bool {
        index < 64 ? low & (1 << UInt64(index)) != 0 : high.contains(index)
    }

    mutating func removeAll() {
        low = 0
        if !high.isEmpty { high = [] }
    }

    mutating func formUnion(_ other: PropertyIndexSet) {
        low |= other.low
        if !other.high.isEmpty { high.formUnion(other.high) }
    }
}
