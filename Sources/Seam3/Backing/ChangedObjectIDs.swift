import CoreData

/// The objects that commits have changed, for the contexts that follow the store.
struct ChangedObjectIDs {
    /// The new objects.
    var inserted: Set<NSManagedObjectID> = []
    /// The changed objects, with both ends of each relationship that changed.
    var updated: Set<NSManagedObjectID> = []
    /// The removed objects.
    var deleted: Set<NSManagedObjectID> = []

    /// Adds a later change of one object.
    mutating func note(_ kind: HistoryTable.Kind, of objectID: NSManagedObjectID) {
        switch kind {
        case .insertion: add(ChangedObjectIDs(inserted: [objectID]))
        case .update, .relation: add(ChangedObjectIDs(updated: [objectID]))
        case .deletion: add(ChangedObjectIDs(deleted: [objectID]))
        }
    }

    /// Adds the changes of a later commit: an object that was inserted and then deleted counts as deleted,
    /// and the reverse. For a context that has the object, the latter is an update.
    mutating func add(_ later: ChangedObjectIDs) {
        var later = later
        giveWay(to: &later)
        inserted.formUnion(later.inserted)
        updated.formUnion(later.updated)
        deleted.formUnion(later.deleted)
    }

    /// Removes what the changes of a later commit undo.
    mutating func giveWay(to later: inout ChangedObjectIDs) {
        if !later.deleted.isEmpty {
            inserted.subtract(later.deleted)
            updated.subtract(later.deleted)
        }
        if !deleted.isEmpty, !later.inserted.isEmpty {
            later.updated.formUnion(deleted.intersection(later.inserted))
            deleted.subtract(later.inserted)
        }
    }

    var count: Int { inserted.count + updated.count + deleted.count }
}
