import CoreData

/// The names of the notifications that a store posts, as strings. `Notification.Name` has the same names in
/// their usual form.
public struct SMStoreNotification {
    /// A sync begins.
    public static let SyncDidStart = "SMStoreDidStartSyncOperationNotification"
    /// A sync has ended.
    public static let SyncDidFinish = "SMStoreDidFinishSyncOperationNotification"
    /// Something failed that does not end the sync.
    public static let SyncOperationError = "SMStoreSyncOperationError"
}

extension Notification.Name {
    /// Posted on the main queue when a sync begins. The object is the ``SMStore``.
    public static let smSyncDidStart = Notification.Name(SMStoreNotification.SyncDidStart)

    /// Posted on the main queue when a sync has ended. The object is the ``SMStore``.
    ///
    /// The user info contains the error, if there was one, under ``SMStore/SMStoreErrorDomain``. Otherwise it
    /// contains sets of object IDs under `NSInsertedObjectIDsKey`, `NSUpdatedObjectIDsKey` and
    /// `NSDeletedObjectIDsKey`, those of the ``SMSyncSummary``: of a very large sync the first of each kind.
    ///
    ///     let observer = NotificationCenter.default.addObserver(
    ///         forName: .smSyncDidFinish, object: store, queue: .main
    ///     ) { notification in
    ///         let error = notification.userInfo?[SMStore.SMStoreErrorDomain] as? Error
    ///         print(error.map { "The sync failed: \($0)" } ?? "Synced")
    ///     }
    public static let smSyncDidFinish = Notification.Name(SMStoreNotification.SyncDidFinish)

    /// Posted when something failed that does not end the sync, such as a conflict that the app could not
    /// resolve. The object is the ``SMStore``. The user info contains the error under
    /// ``SMStore/SMStoreErrorDomain``.
    public static let smSyncOperationError = Notification.Name(
        SMStoreNotification.SyncOperationError)
}
