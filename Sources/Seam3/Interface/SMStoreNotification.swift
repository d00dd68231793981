import CoreData

/// The names of the notifications that a store posts, as strings. See `Notification.Name` for the
/// same names in their usual form.
public struct SMStoreNotification {
    /// A synchronisation begins.
    public static let SyncDidStart = "SMStoreDidStartSyncOperationNotification"
    /// A synchronisation has ended.
    public static let SyncDidFinish = "SMStoreDidFinishSyncOperationNotification"
    /// Something went wrong that does not end the synchronisation.
    public static let SyncOperationError = "SMStoreSyncOperationError"
}

extension Notification.Name {
    /// Posted on the main queue when a synchronisation begins. The object is the ``SMStore``.
    public static let smSyncDidStart = Notification.Name(SMStoreNotification.SyncDidStart)

    /// Posted on the main queue when a synchronisation has ended. The object is the ``SMStore``.
    ///
    /// The user info has the error, if there was one, under ``SMStore/SMStoreErrorDomain``, else
    /// sets of object IDs under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and
    /// `NSDeletedObjectIDsKey`.
    public static let smSyncDidFinish = Notification.Name(SMStoreNotification.SyncDidFinish)

    /// Posted when something went wrong that does not end the synchronisation, such as a conflict
    /// that the application could not resolve. The object is the ``SMStore``. The user info has the error under
    /// ``SMStore/SMStoreErrorDomain``.
    public static let smSyncOperationError = Notification.Name(
        SMStoreNotification.SyncOperationError)
}
