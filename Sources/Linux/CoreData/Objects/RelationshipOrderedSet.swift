import FoundationGaps

/// The result of `mutableOrderedSetValue(forKey:)`: an ordered set that writes a relationship.
///
/// It contains the relationship's objects at the time of its creation, because half of Foundation's
/// ordered set on Linux reads the superclass's storage and cannot be overridden. Changes made
/// through it are made in the relationship immediately. As long as nothing else changes the
/// relationship, the object returns the same set until its context's event ends.
final class RelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let index: Int
    /// Whether changes are left to `didChangeValue(forKey:)` to be noticed.
    private let isPrimitive: Bool
    /// The state of the relationship when it was last equal to the set.
    private var mark: ObjectSet.Mark?

    /// The set of an object's relationship: the one through which it was last changed, if that is
    /// still equal to the relationship.
    static func set(
        of owner: NSManagedObject, at index: Int, isPrimitive: Bool = false
    ) -> RelationshipOrderedSet {
        if let known = owner.context?.event.orderedSet, known.owner === owner,
            known.index == index, known.isPrimitive == isPrimitive, known.isCurrent
        {
            return known
        }
        return RelationshipOrderedSet(of: owner, at: index, isPrimitive: isPrimitive)
    }

    private init(of owner: NSManagedObject, at index: Int, isPrimitive: Bool) {
        self.owner = owner
        self.index = index
        self.isPrimitive = isPrimitive
        super.init(capacity: 0)
        owner.fireFault()
        let members = members
        super.addObjects(from: members.objects)
        mark = members.mark
    }

    private var members: ObjectSet {
        owner.fireFault()
        return owner.members(at: owner.layout.relationshipPositions[index])
    }

    private var isCurrent: Bool { mark.map(members.isUnchanged) ?? false }

    private func noteChange(isCurrent: Bool) {
        mark = isCurrent ? members.mark : nil
        owner.context?.event.orderedSet = self
    }

    required convenience init(arrayLiteral elements: Any...) {
        raise(.invalidArgument, "Only its object can create a relationship's ordered set.")
    }

    required convenience init?(coder aDecoder: NSCoder) {
        raise(.invalidArgument, "A relationship's ordered set cannot be archived.")
    }

    /// Writes the set's contents to the relationship.
    private func writeBack() {
        let members = ObjectSet(array.compactMap { $0 as? NSManagedObject })
        if isPrimitive {
            owner.storePrimitiveMembers(members, at: index)
        } else {
            owner.setMembers(members, at: index)
        }
        noteChange(isCurrent: true)
    }

    // MARK: - Adding

    override func insert(_ object: Any, at idx: Int) {
        let object = owner.requireMember(object, at: index)
        let isCurrent = isCurrent
        super.insert(object, at: idx)
        if isPrimitive {
            owner.addPrimitiveMember(object, at: index, position: idx)
        } else {
            owner.addMember(object, at: index, position: idx)
        }
        noteChange(isCurrent: isCurrent)
    }

    override func add(_ object: Any) {
        insert(object, at: count)
    }

    override func add(_ objects: UnsafePointer<AnyObject>?, count: Int) {
        for object in UnsafeBufferPointer(start: objects, count: count) { add(object) }
    }

    override func addObjects(from array: [Any]) {
        for object in array { add(object) }
    }

    override func union(_ other: NSOrderedSet) {
        addObjects(from: other.array)
    }

    // MARK: - Removing

    override func removeObject(at idx: Int) {
        remove(object(at: idx))
    }

    override func remove(_ val: Any) {
        let isCurrent = isCurrent
        super.remove(val)
        guard let object = val as? NSManagedObject else { return }
        if isPrimitive {
            owner.removePrimitiveMember(object, at: index)
        } else {
            owner.removeMember(object, at: index)
        }
        noteChange(isCurrent: isCurrent)
    }

    override func removeAllObjects() {
        super.removeAllObjects()
        writeBack()
    }

    override func intersect(_ other: NSOrderedSet) {
        for object in array where !other.contains(object) { remove(object) }
    }

    // MARK: - Replacing and moving

    override func replaceObject(at idx: Int, with obj: Any) {
        super.replaceObject(at: idx, with: owner.requireMember(obj, at: index))
        writeBack()
    }

    override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
        super.exchangeObject(at: idx1, withObjectAt: idx2)
        writeBack()
    }

    override func moveObjects(at indexes: IndexSet, to idx: Int) {
        var objects = array
        let moved = indexes.map { objects[$0] }
        for index in indexes.reversed() { objects.remove(at: index) }
        objects.insert(contentsOf: moved, at: idx)
        super.removeAllObjects()
        super.addObjects(from: objects)
        writeBack()
    }

    override func sortRange(
        _ range: NSRange, options opts: NSSortOptions = [],
        usingComparator cmptr: (Any, Any) -> ComparisonResult
    ) {
        super.sortRange(range, options: opts, usingComparator: cmptr)
        writeBack()
    }

    override func sort(using sortDescriptors: [NSSortDescriptor]) {
        super.sort(using: sortDescriptors)
        writeBack()
    }

    override func copy(with zone: NSZone? = nil) -> Any { NSOrderedSet(array: array) }
}
