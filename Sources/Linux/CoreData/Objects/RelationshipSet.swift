import FoundationGaps

/// The result of `mutableSetValue(forKey:)` and `primitiveValue(forKey:)`: a set that reads and writes
/// a relationship.
final class RelationshipSet: NSMutableSet {
    private let owner: NSManagedObject?
    private let index: Int
    /// Whether changes are left to `didChangeValue(forKey:)` to be noticed.
    private let isPrimitive: Bool

    init(of owner: NSManagedObject, at index: Int, isPrimitive: Bool = false) {
        self.owner = owner
        self.index = index
        self.isPrimitive = isPrimitive
        super.init(capacity: 0)
    }

    required init(capacity numItems: Int) {
        raise(.invalidArgument, "Only its object can create a relationship's set.")
    }

    required init?(coder aDecoder: NSCoder) {
        raise(.invalidArgument, "A relationship's set cannot be archived.")
    }

    private var members: ObjectSet {
        guard let owner else { return ObjectSet() }
        owner.fireFault()
        return owner.members(at: owner.layout.relationshipPositions[index])
    }

    override var count: Int { members.count }

    override func member(_ object: Any) -> Any? {
        guard let object = object as? NSManagedObject, members.contains(object) else { return nil }
        return object
    }

    override func contains(_ anObject: Any) -> Bool { member(anObject) != nil }

    override func objectEnumerator() -> NSEnumerator { members.asSet.objectEnumerator() }

    override var allObjects: [Any] { members.objects }

    override func add(_ object: Any) {
        guard let owner else { return }
        let object = owner.requireMember(object, at: index)
        owner.fireFault()
        if isPrimitive {
            owner.addPrimitiveMember(object, at: index)
        } else {
            owner.addMember(object, at: index)
        }
    }

    override func remove(_ object: Any) {
        guard let owner, let object = object as? NSManagedObject else { return }
        owner.fireFault()
        if isPrimitive {
            owner.removePrimitiveMember(object, at: index)
        } else {
            owner.removeMember(object, at: index)
        }
    }

    override func removeAllObjects() {
        for object in members { remove(object) }
    }

    override func addObjects(from array: [Any]) {
        for object in array { add(object) }
    }

    override func union(_ otherSet: Set<AnyHashable>) {
        for object in otherSet { add(object.base) }
    }

    override func minus(_ otherSet: Set<AnyHashable>) {
        for object in otherSet { remove(object.base) }
    }

    override func intersect(_ otherSet: Set<AnyHashable>) {
        for object in members where !otherSet.contains(object) { remove(object) }
    }

    override func setSet(_ otherSet: Set<AnyHashable>) {
        intersect(otherSet)
        union(otherSet)
    }

    override func copy(with zone: NSZone? = nil) -> Any { members.asSet }

    override func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = NSMutableSet()
        for object in members { copy.add(object) }
        return copy
    }
}
