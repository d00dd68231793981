import FoundationGaps

/// A set of managed objects that remembers the order in which they were added.
///
/// Objects are told apart by identity. Copies share their storage until one is changed. Adding,
/// finding and removing take constant time; removing while the order is kept, and inserting in
/// the middle, take linear time.
struct ObjectSet {
    /// The contents, and the Foundation collections made of them since the last change.
    private final class Storage {
        var objects: [NSManagedObject]
        var positions: [ObjectIdentifier: Int]
        var set: NSSet?
        var orderedSet: NSOrderedSet?

        init(objects: [NSManagedObject], positions: [ObjectIdentifier: Int]) {
            self.objects = objects
            self.positions = positions
        }
    }

    private var storage: Storage

    /// An empty set.
    init() {
        storage = Storage(objects: [], positions: [:])
    }

    /// The objects of a sequence, each once, in the order of their first appearance.
    init(_ objects: some Sequence<NSManagedObject>) {
        self.init()
        for object in objects { append(object) }
    }

    var objects: [NSManagedObject] { storage.objects }
    var count: Int { storage.objects.count }
    var isEmpty: Bool { storage.objects.isEmpty }

    func contains(_ object: NSManagedObject) -> Bool {
        storage.positions[ObjectIdentifier(object)] != nil
    }

    func index(of object: NSManagedObject) -> Int? {
        storage.positions[ObjectIdentifier(object)]
    }

    /// Whether both hold the same objects, in whatever order.
    func hasSameMembers(as other: ObjectSet) -> Bool {
        if storage === other.storage { return true }
        return count == other.count && objects.allSatisfy(other.contains)
    }

    /// Whether both hold the same objects in the same order.
    func hasSameOrder(as other: ObjectSet) -> Bool {
        if storage === other.storage { return true }
        return count == other.count && zip(objects, other.objects).allSatisfy { $0 === $1 }
    }

    // MARK: - Changes

    /// Adds an object at the end, unless it is there already.
    @discardableResult
    mutating func append(_ object: NSManagedObject) -> Bool {
        guard !contains(object) else { return false }
        prepareForChange()
        storage.positions[ObjectIdentifier(object)] = storage.objects.count
        storage.objects.append(object)
        return true
    }

    /// Removes an object. Unless the order is kept, the last object takes its place.
    @discardableResult
    mutating func remove(_ object: NSManagedObject, keepingOrder: Bool = false) -> Bool {
        guard let position = index(of: object) else { return false }
        prepareForChange()
        storage.positions[ObjectIdentifier(object)] = nil
        if keepingOrder {
            storage.objects.remove(at: position)
            renumber(from: position)
        } else {
            let last = storage.objects.removeLast()
            if position < storage.objects.count {
                storage.objects[position] = last
                storage.positions[ObjectIdentifier(last)] = position
            }
        }
        return true
    }

    /// Adds an object at a position, unless it is there already.
    mutating func insert(_ object: NSManagedObject, at position: Int) {
        guard !contains(object) else { return }
        prepareForChange()
        storage.objects.insert(object, at: position)
        renumber(from: position)
    }

    /// Removes everything.
    mutating func removeAll() {
        storage = Storage(objects: [], positions: [:])
    }

    private mutating func prepareForChange() {
        if isKnownUniquelyReferenced(&storage) {
            storage.set = nil
            storage.orderedSet = nil
        } else {
            storage = Storage(objects: storage.objects, positions: storage.positions)
        }
    }

    private func renumber(from position: Int) {
        for index in position..<storage.objects.count {
            storage.positions[ObjectIdentifier(storage.objects[index])] = index
        }
    }

    // MARK: - Foundation's collections

    /// The objects as the value of an unordered relationship.
    var asSet: NSSet {
        if let set = storage.set { return set }
        let set = NSSet(array: storage.objects)
        storage.set = set
        return set
    }

    /// The objects as the value of an ordered relationship.
    var asOrderedSet: NSOrderedSet {
        if let set = storage.orderedSet { return set }
        let set = NSOrderedSet(array: storage.objects)
        storage.orderedSet = set
        return set
    }
}

extension ObjectSet: Sequence {
    func makeIterator() -> IndexingIterator<[NSManagedObject]> {
        storage.objects.makeIterator()
    }
}
