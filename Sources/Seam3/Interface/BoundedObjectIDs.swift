import CoreData

/// Object IDs up to a limit, and how many there were.
struct BoundedObjectIDs: Sendable {
    /// The first of them.
    private(set) var objectIDs: Set<NSManagedObjectID> = []
    /// How many there were, those without a place included.
    private(set) var count = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Whether each has its place.
    var isComplete: Bool { count == objectIDs.count }

    /// Adds IDs. Those that are there already count once, unless there was no place for one before.
    mutating func add(_ added: Set<NSManagedObjectID>) {
        add(added, count: added.count)
    }

    /// Adds what others have, and those that they had no place for.
    mutating func add(_ others: BoundedObjectIDs) {
        add(others.objectIDs, count: others.count)
    }

    private mutating func add(_ added: Set<NSManagedObjectID>, count addedCount: Int) {
        if count == 0, added.count <= limit {
            // Shares the storage.
            objectIDs = added
            count = addedCount
            return
        }
        var known = 0
        for objectID in added {
            if objectIDs.contains(objectID) {
                known += 1
            } else if objectIDs.count < limit {
                objectIDs.insert(objectID)
            }
        }
        count += addedCount - known
    }
}
