import FoundationGaps

/// What `mutableOrderedSetValue(forKey:)` returns: an ordered set that writes a relationship.
///
/// It holds the relationship's objects as they were when it was made, because half of
/// Foundation's ordered set on Linux reads the superclass's storage and cannot be overridden.
/// What is changed through it is changed in the relationship at once.
final class RelationshipOrderedSet: NSMutableOrderedSet {
    private let owner: NSManagedObject
    private let index: Int

    init(of owner: NSManagedObject, at index: Int) {
        self.owner = owner
        self.index = index
        super.init(capacity: 0)
        owner.fireFault()
        super.addObjects(from: owner.members(at: owner.layout.relationshipPositions[index]).objects)
    }

    required convenience init(arrayLiteral elements: Any...) {
        raise(.invalidArgument, "A relationship's ordered set is made by its object only.")
    }

    required convenience init?(coder aDecoder: NSCoder) {
        raise(.invalidArgument, "A relationship's ordered set cannot be archived.")
    }

    /// Makes the relationship what the set is now.
    private func writeBack() {
        owner.setMembers(ObjectSet(array.compactMap { $0 as? NSManagedObject }), at: index)
    }

    // MARK: - Adding

    override func insert(_ object: Any, at idx: Int) {
        let object = owner.requireMember(object, at: index)
        super.insert(object, at: idx)
        owner.addMember(object, at: index, position: idx)
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
        super.remove(val)
        if let object = val as? NSManagedObject { owner.removeMember(object, at: index) }
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
