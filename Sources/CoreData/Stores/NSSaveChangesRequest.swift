import FoundationGaps

/// The changes of a context's save, as a store gets them.
///
/// Inserted objects have their permanent IDs already. A request whose sets are all empty saves
/// the store's metadata only. The sets are emptied when the save is done, so a store that needs
/// them later copies them.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The objects to create.
    open private(set) var insertedObjects: Set<NSManagedObject>?

    /// The objects to change.
    open private(set) var updatedObjects: Set<NSManagedObject>?

    /// The objects to remove.
    open private(set) var deletedObjects: Set<NSManagedObject>?

    /// The objects flagged with `NSManagedObjectContext.detectConflicts(for:)`: nothing to
    /// write, but their versions must be current, and count up.
    open private(set) var lockedObjects: Set<NSManagedObject>?

    /// Creates a request with the given changes.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?,
        updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?,
        locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    /// Always `.saveRequestType`.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// Lets the objects go when the save is done.
    final func removeAllObjects() {
        insertedObjects = []
        updatedObjects = []
        deletedObjects = []
        lockedObjects = []
    }
}
