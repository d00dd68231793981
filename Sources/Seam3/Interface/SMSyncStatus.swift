import CoreData

/// The state of a store's sync.
///
///     let status = try store.syncStatus()
///     if status.pendingChangeCount > 0 { print("\(status.pendingChangeCount) changes wait") }
public struct SMSyncStatus: Sendable {
    /// What a store is doing.
    public enum State: Equatable, Sendable {
        /// No sync is running, and the last one succeeded, if there was one.
        case idle
        /// This store is syncing.
        case syncing
        /// The last sync failed for a reason that may pass, such as a missing network or a busy server, or
        /// the server has refused changes. The store syncs automatically, and tries again at the date or
        /// when it is asked to.
        case waiting(until: Date)
        /// The last sync failed, and the store does not retry automatically: it does not sync
        /// automatically, or waiting does not help.
        case failed(String)
    }

    /// What the store is doing.
    public let state: State
    /// How many local changes the server has not acknowledged: objects, and pairs of many-to-many relationships.
    public let pendingChangeCount: Int
    /// When the store last synced without an error.
    public let lastSuccess: Date?
    /// Why the last sync failed; nil if it did not.
    public let lastError: String?
    /// When the store retries what has failed or what the server has refused; nil if there is nothing to
    /// retry, or if the store does not sync automatically.
    public let nextAttempt: Date?
    /// The names of the server's records that could not be applied, and why: an asset cannot be fetched, or
    /// the store's file refuses the values. Each sync asks for them again.
    public let unfetchedRecords: [String: String]
    /// The record types, sorted, whose records are saved without the field `SM_edits`, because the container's schema in
    /// production lacks it. Deploy the schema, for example with ``SMStore/cloudKitSchema(for:configuration:)``.
    public let recordTypesWithoutStamps: [String]
}
