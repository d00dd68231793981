import CoreData

/// The changes of a transaction of the sync engine, for contexts and counts.
struct StoreChanges {
    /// The new objects: number → entity number.
    var inserted: [Int64: Int64] = [:]
    /// The changed objects, and both ends of every changed relationship.
    var updated: Set<Int64> = []
    /// The removed objects: number → entity number.
    var deleted: [Int64: Int64] = [:]
    /// The conflicts that were resolved.
    var conflictCount = 0

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// All objects whose cached values are outdated.
    var keys: Set<Int64> { updated.union(inserted.keys).union(deleted.keys) }

    mutating func merge(_ other: StoreChanges) {
        if isEmpty, conflictCount == 0 {
            // Shares the storage.
            self = other
            return
        }
        inserted.merge(other.inserted) { _, new in new }
        updated.formUnion(other.updated)
        deleted.merge(other.deleted) { _, new in new }
        conflictCount += other.conflictCount
    }
}
