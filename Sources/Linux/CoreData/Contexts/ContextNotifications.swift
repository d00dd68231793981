import FoundationGaps

/// The inserted objects in a context's notifications.
public let NSInsertedObjectsKey: String = "inserted"
/// The changed objects in a context's notifications.
public let NSUpdatedObjectsKey: String = "updated"
/// The deleted objects in a context's notifications.
public let NSDeletedObjectsKey: String = "deleted"
/// The objects whose values were read again, in a context's notifications.
public let NSRefreshedObjectsKey: String = "refreshed"
/// The objects that were invalidated, in a context's notifications.
public let NSInvalidatedObjectsKey: String = "invalidated"
/// The IDs of all objects of a context, none of which is valid any longer, in its notification.
public let NSInvalidatedAllObjectsKey: String = "invalidatedAll"
/// The IDs of inserted objects in a context's notifications.
public let NSInsertedObjectIDsKey: String = "inserted_objectIDs"
/// The IDs of changed objects in a context's notifications.
public let NSUpdatedObjectIDsKey: String = "updated_objectIDs"
/// The IDs of deleted objects in a context's notifications.
public let NSDeletedObjectIDsKey: String = "deleted_objectIDs"
/// The IDs of refreshed objects in a context's notifications.
public let NSRefreshedObjectIDsKey: String = "refreshed_objectIDs"
/// The IDs of invalidated objects in a context's notifications.
public let NSInvalidatedObjectIDsKey: String = "invalidated_objectIDs"

extension NSNotification.Name {
    /// Posted before a context saves its changes.
    public static let NSManagedObjectContextWillSave = NSNotification.Name(
        "NSManagingContextWillSaveChangesNotification")

    /// Posted after a context saved its changes, with the objects.
    public static let NSManagedObjectContextDidSave = NSNotification.Name(
        "NSManagingContextDidSaveChangesNotification")

    /// Posted when objects of a context were inserted, changed, deleted or refreshed.
    public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
        "NSObjectsChangedInManagingContextNotification")

    /// Posted after a context saved its changes, with the IDs.
    public static let NSManagedObjectContextDidSaveObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidSaveObjectIDsNotification")

    /// Posted after a context merged the changes of another, with the IDs.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = NSNotification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")
}

extension NSManagedObjectContext {
    /// `NSNotification.Name.NSManagedObjectContextWillSave`.
    public static let willSaveObjectsNotification: Notification.Name =
        .NSManagedObjectContextWillSave

    /// `NSNotification.Name.NSManagedObjectContextDidSave`.
    public static let didSaveObjectsNotification: Notification.Name =
        .NSManagedObjectContextDidSave

    /// `NSNotification.Name.NSManagedObjectContextObjectsDidChange`.
    public static let didChangeObjectsNotification: Notification.Name =
        .NSManagedObjectContextObjectsDidChange

    /// `NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs`.
    public static let didSaveObjectIDsNotification: Notification.Name =
        .NSManagedObjectContextDidSaveObjectIDs

    /// `NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs`.
    public static let didMergeChangesObjectIDsNotification: Notification.Name =
        .NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of a context's notifications.
    public enum NotificationKey: String {
        /// `NSInsertedObjectsKey`.
        case insertedObjects = "inserted"
        /// `NSUpdatedObjectsKey`.
        case updatedObjects = "updated"
        /// `NSDeletedObjectsKey`.
        case deletedObjects = "deleted"
        /// `NSRefreshedObjectsKey`.
        case refreshedObjects = "refreshed"
        /// `NSInvalidatedObjectsKey`.
        case invalidatedObjects = "invalidated"
        /// `NSInvalidatedAllObjectsKey`.
        case invalidatedAllObjects = "invalidatedAll"
        /// `NSInsertedObjectIDsKey`.
        case insertedObjectIDs = "inserted_objectIDs"
        /// `NSUpdatedObjectIDsKey`.
        case updatedObjectIDs = "updated_objectIDs"
        /// `NSDeletedObjectIDsKey`.
        case deletedObjectIDs = "deleted_objectIDs"
        /// `NSRefreshedObjectIDsKey`.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// `NSInvalidatedObjectIDsKey`.
        case invalidatedObjectIDs = "invalidated_objectIDs"
        /// The query generation of a save; never used here.
        case queryGeneration = "newQueryGeneration"
    }

    // MARK: - Posting

    func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }

    func postObjectsDidChange(_ event: ContextEvent) {
        var userInfo: [AnyHashable: Any] = [:]
        for (key, objects) in [
            (NSInsertedObjectsKey, event.inserted), (NSUpdatedObjectsKey, event.updated),
            (NSDeletedObjectsKey, event.deleted), (NSRefreshedObjectsKey, event.refreshed),
            (NSInvalidatedObjectsKey, event.invalidated),
        ] where !objects.isEmpty {
            userInfo[key] = objects.asNativeSet
        }
        post(.NSManagedObjectContextObjectsDidChange, userInfo)
    }

    func postInvalidatedAll(_ objectIDs: [NSManagedObjectID]) {
        post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: objectIDs])
    }
}
