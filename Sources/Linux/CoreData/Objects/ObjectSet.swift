import FoundationGaps

/// A set of managed objects that remembers the order in which they were added.
///
/// Objects are distinguished by identity. Copies share their storage until one is changed. Adding,
/// finding and removing take constant time; removing with the order kept, and inserting in the
/// middle, move the pointers after it, whose new positions are computed on demand.
struct ObjectSet {
    /// The contents, and what was derived from them since the last change.
    private final class Storage {
        // No access leads to another one of the same storage, and to check that took a twentieth of a
        // deletion.
        @exclusivity(unchecked) var objects: [NSManagedObject]
        /// The positions of the objects; nil until one among many is looked up.
        @exclusivity(unchecked) var positions: [ObjectIdentifier: Int]?
        /// The first position whose objects have moved, so that the recorded positions from here on
        /// are outdated.
        @exclusivity(unchecked) var firstMoved = Int.max
        /// Whether an object was looked up since objects moved.
        var wasSearched = false
        /// The number of changes of the contents.
        @exclusivity(unchecked) var changeCount = 0
        @exclusivity(unchecked) var nativeSet: Set<NSManagedObject>?
        @exclusivity(unchecked) var set: NSSet?
        @exclusivity(unchecked) var orderedSet: NSOrderedSet?

        init(objects: [NSManagedObject] = [], positions: [ObjectIdentifier: Int]? = nil) {
            self.objects = objects
            self.positions = positions
        }

        deinit {
            // The array releases the objects last, in the order of memory in which they mostly are. A hash
            // table would release them at random, and each step would wait for the memory of an object.
            nativeSet = nil
            set = nil
            orderedSet = nil
        }
    }

    /// The size up to which objects are searched linearly.
    private static let fewObjects = 16

    /// The size up to which objects are still in the processor's caches after they were changed.
    private static let manyObjects = 256

    private var storage: Storage

    /// An empty set.
    init() {
        storage = Storage()
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
        if storage.objects.count <= Self.fewObjects {
            return storage.objects.contains { $0 === object }
        }
        return knownPositions()[ObjectIdentifier(object)] != nil
    }

    func index(of object: NSManagedObject) -> Int? {
        if storage.objects.count <= Self.fewObjects {
            return storage.objects.firstIndex { $0 === object }
        }
        return position(of: object)
    }

    private func position(of object: NSManagedObject) -> Int? {
        guard let position = knownPositions()[ObjectIdentifier(object)] else { return nil }
        if position < storage.firstMoved { return position }
        // A linear search is faster for one object, but not for many.
        guard storage.wasSearched else {
            storage.wasSearched = true
            return storage.objects.withUnsafeBufferPointer { objects in
                (storage.firstMoved..<objects.count).first { objects[$0] === object }
            }
        }
        for index in storage.firstMoved..<storage.objects.count {
            storage.positions?[ObjectIdentifier(storage.objects[index])] = index
        }
        storage.firstMoved = .max
        return storage.positions?[ObjectIdentifier(object)]
    }

    private func knownPositions() -> [ObjectIdentifier: Int] {
        if let positions = storage.positions { return positions }
        let positions = Dictionary(
            uniqueKeysWithValues: storage.objects.enumerated().map {
                (ObjectIdentifier($1), $0)
            })
        storage.positions = positions
        return positions
    }

    /// Whether both contain the same objects, in any order.
    func hasSameMembers(as other: ObjectSet) -> Bool {
        if storage === other.storage { return true }
        return count == other.count && objects.allSatisfy(other.contains)
    }

    /// Whether both contain the same objects in the same order.
    func hasSameOrder(as other: ObjectSet) -> Bool {
        if storage === other.storage { return true }
        return count == other.count && zip(objects, other.objects).allSatisfy { $0 === $1 }
    }

    // MARK: - Changes

    /// Adds an object at the end, unless the set contains it.
    @discardableResult
    mutating func append(_ object: NSManagedObject) -> Bool {
        guard !contains(object) else { return false }
        appendNew(object)
        return true
    }

    /// Adds an object at the end that the set is known not to contain.
    mutating func appendNew(_ object: NSManagedObject) {
        prepareForChange()
        storage.positions?[ObjectIdentifier(object)] = storage.objects.count
        storage.objects.append(object)
    }

    /// Removes an object. Unless the order is kept, the last object takes its place.
    @discardableResult
    mutating func remove(_ object: NSManagedObject, keepingOrder: Bool = false) -> Bool {
        guard let position = index(of: object) else { return false }
        prepareForChange()
        storage.positions?[ObjectIdentifier(object)] = nil
        if keepingOrder {
            storage.objects.remove(at: position)
            noteMove(from: position)
        } else {
            let last = storage.objects.removeLast()
            if position < storage.objects.count {
                storage.objects[position] = last
                storage.positions?[ObjectIdentifier(last)] = position
            }
        }
        return true
    }

    /// Adds an object at a position, unless the set contains it.
    mutating func insert(_ object: NSManagedObject, at position: Int) {
        guard !contains(object) else { return }
        prepareForChange()
        storage.objects.insert(object, at: position)
        storage.positions?[ObjectIdentifier(object)] = position
        noteMove(from: position)
    }

    /// Orders many objects by their addresses in memory; few are left as they are.
    ///
    /// A save visits its objects several times. In the order of their changes each step would wait
    /// for the memory of an object; in this order the processor prefetches it.
    mutating func orderByMemory() {
        guard count >= Self.manyObjects else { return }
        // The addresses give the order without accessing the objects.
        var addresses = storage.objects.map { Unmanaged.passUnretained($0).toOpaque() }
        if zip(addresses, addresses.dropFirst()).allSatisfy({ $0 < $1 }) { return }
        addresses.sort()
        storage = Storage(
            objects: addresses.map { Unmanaged.fromOpaque($0).takeUnretainedValue() })
    }

    /// Removes everything.
    mutating func removeAll() {
        storage = Storage()
    }

    /// Adds the objects of another set at the end.
    mutating func append(_ other: ObjectSet) {
        if isEmpty {
            self = other
        } else {
            for object in other.storage.objects { append(object) }
        }
    }

    /// Removes the objects of another set, and keeps the order of the rest.
    mutating func subtract(_ other: ObjectSet) {
        if storage === other.storage {
            removeAll()
        } else if !other.isEmpty {
            self = ObjectSet(storage.objects.filter { !other.contains($0) })
        }
    }

    private mutating func prepareForChange() {
        if isKnownUniquelyReferenced(&storage) {
            storage.nativeSet = nil
            storage.set = nil
            storage.orderedSet = nil
            storage.changeCount += 1
        } else {
            let firstMoved = storage.firstMoved
            storage = Storage(objects: storage.objects, positions: storage.positions)
            storage.firstMoved = firstMoved
        }
    }

    private func noteMove(from position: Int) {
        guard storage.positions != nil else { return }
        storage.firstMoved = Swift.min(storage.firstMoved, position)
        storage.wasSearched = false
    }

    // MARK: - Marks

    /// Identifies a state of a set.
    struct Mark {
        fileprivate weak var storage: AnyObject?
        fileprivate let changeCount: Int
    }

    var mark: Mark { Mark(storage: storage, changeCount: storage.changeCount) }

    /// Whether nothing was changed since a mark was made.
    func isUnchanged(since mark: Mark) -> Bool {
        mark.storage === storage && mark.changeCount == storage.changeCount
    }

    // MARK: - Other collections

    /// The objects as a set, for requests and notifications.
    var asNativeSet: Set<NSManagedObject> {
        if isEmpty { return [] }
        if let set = storage.nativeSet { return set }
        let set = Set(storage.objects)
        storage.nativeSet = set
        return set
    }

    /// The IDs of the objects, for notifications.
    var objectIDs: Set<NSManagedObjectID> {
        var objectIDs = Set<NSManagedObjectID>(minimumCapacity: count)
        for object in storage.objects { objectIDs.insert(object.objectID) }
        return objectIDs
    }

    /// The objects as the value of an unordered relationship.
    var asSet: NSSet {
        // New objects share one empty set, even on other threads.
        if isEmpty { return NSSet() }
        if let set = storage.set { return set }
        let set = NSSet(array: storage.objects)
        storage.set = set
        return set
    }

    /// The objects as the value of an ordered relationship.
    var asOrderedSet: NSOrderedSet {
        if isEmpty { return NSOrderedSet() }
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
