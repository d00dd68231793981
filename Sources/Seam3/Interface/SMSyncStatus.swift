import CoreData

/// Where a store's synchronisation stands.
public struct SMSyncStatus: Sendable {
    /// What a store is about.
    public enum State: Equatable, Sendable {
        /// Nothing is done, and the last synchronisation succeeded, if there was one.
        case idle
        /// This store synchronises now.
        case syncing
        /// The last synchronisation failed with what passes by waiting, such as a missing network or
        /// a busy server, or the server has refused changes. The store, which synchronises
        /// automatically, tries again at the date, and earlier if it is asked for.
        case waiting(until: Date)
        /// The last synchronisation failed, and the store does not try again by itself: it does not
        /// synchronise automatically, or waiting does not help.
        case failed(String)
    }

    /// What the store is about.
    public let state: State
    /// How many local changes the server has not acknowledged.
    public let pendingChangeCount: Int
    /// When the store last synchronised without an error.
    public let lastSuccess: Date?
    /// What the last synchronisation failed with; nil if it did not.
    public let lastError: String?
    /// When the store tries again by itself what has failed, or to send what the server has refused;
    /// nil if there is nothing of the kind, or if the store does not synchronise automatically.
    public let nextAttempt: Date?
    /// The server's records that could not be taken over, by name, and why: an asset that cannot be
    /// fetched, or values that the store's file refuses. Each synchronisation asks for them again.
    public let unfetchedRecords: [String: String]
}
