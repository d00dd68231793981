import CoreData

/// Whether the server has an object as it was last saved here, and why not; see ``SMStore/syncState(of:)``.
public enum SMObjectSyncState: Equatable, Sendable {
    /// The server has it.
    case synced
    /// The object, or a deletion, waits for a sync. ``SMStore/syncStatus()`` says why a sync fails.
    case waiting(Change)
    /// The server has refused the change, which is sent again at the date, after the next edit of the object, and by a
    /// complete sync.
    case refused(Change, reason: String, nextAttempt: Date?)
    /// It stays on this device.
    case notSynced(Reason)

    /// What the server lacks.
    public enum Change: Equatable, Sendable {
        /// The object is new.
        case insertion
        /// The object has changed in some properties. The pairs of a many-to-many relationship are records of their own, and
        /// are not among them.
        case update(properties: Set<String>)
        /// The object was deleted here.
        case deletion
    }

    /// Why an object is never sent.
    public enum Reason: Equatable, Sendable {
        /// It was inserted into a context that has not been saved.
        case unsaved
        /// It is in another store.
        case otherStore
        /// The model keeps its entity on the device, with the user info `SMSynced` = `NO`.
        case localEntity(String)
    }
}
