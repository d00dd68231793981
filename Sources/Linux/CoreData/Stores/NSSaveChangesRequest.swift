import FoundationGaps

/// The changes of a context's save, for a store.
///
/// Inserted objects already have their permanent IDs. A request with empty sets saves only the
/// store's metadata. The sets are emptied when the save is done, so a store that needs them later
/// must copy them.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The same objects in the order in which the context noticed their changes. The sets are
    /// created on demand.
    private(set) final var inserted: ObjectSet?
    private(set) final var updated: ObjectSet?
    private(set) final var deleted: ObjectSet?
    private(set) final var locked: ObjectSet?

    /// The objects to create.
    open var insertedObjects: Set<NSManagedObject>? { inserted?.asNativeSet }

    /// The objects to change.
    open var updatedObjects: Set<NSManagedObject>? { updated?.asNativeSet }

    /// The objects to remove.
    open var deletedObjects: Set<NSManagedObject>? { deleted?.asNativeSet }

    /// The objects flagged with `NSManagedObjectContext.detectConflicts(for:)`. There is nothing to
    /// write for them, but their versions must be current and are increased.
    open var lockedObjects: Set<NSManagedObject>? { locked?.asNativeSet }

    /// Creates a request with the given changes.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?,
        updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?,
        locked lockedObjects: Set<NSManagedObject>?
    ) {
        inserted = insertedObjects.map { ObjectSet($0) }
        updated = updatedObjects.map { ObjectSet($0) }
        deleted = deletedObjects.map { ObjectSet($0) }
        locked = lockedObjects.map { ObjectSet($0) }
        super.init()
    }

    /// Creates a request with ordered changes.
    init(inserted: ObjectSet, updated: ObjectSet, deleted: ObjectSet, locked: ObjectSet) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.locked = locked
        super.init()
    }

    /// Always `.saveRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// Releases the objects when the save is done.
    final func removeAllObjects() {
        inserted?.removeAll()
        updated?.removeAll()
        deleted?.removeAll()
        locked?.removeAll()
    }
}
