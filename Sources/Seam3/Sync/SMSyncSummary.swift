import CoreData

/// What one synchronisation did.
public struct SMSyncSummary: Sendable {
    /// The objects that the server's changes inserted here.
    public internal(set) var insertedObjectIDs: Set<NSManagedObjectID> = []
    /// The objects that the server's changes updated here, with both ends of each relationship
    /// that changed.
    public internal(set) var updatedObjectIDs: Set<NSManagedObjectID> = []
    /// The objects that the server's changes deleted here.
    public internal(set) var deletedObjectIDs: Set<NSManagedObjectID> = []
    /// How many records the server has saved for this device.
    public internal(set) var savedRecordCount = 0
    /// How many records the server has deleted for this device.
    public internal(set) var deletedRecordCount = 0
    /// How many conflicts the policy resolved.
    public internal(set) var conflictCount = 0
    /// How long it took, in seconds.
    public internal(set) var duration: TimeInterval = 0

    /// Whether the server had anything new, as the system asks after a push.
    public var fetchResult: FetchResult {
        insertedObjectIDs.isEmpty && updatedObjectIDs.isEmpty && deletedObjectIDs.isEmpty
            ? .noData : .newData
    }
}

/// Where a store's synchronisation stands.
public struct SMSyncStatus: Sendable {
    /// How many local changes the server has not acknowledged.
    public let pendingChangeCount: Int
    /// When the store last synchronised without an error.
    public let lastSuccess: Date?
    /// What the last synchronisation failed with; nil if it did not.
    public let lastError: String?
    /// Before when a failed synchronisation is not repeated without being asked for; nil if the last
    /// one did not fail, or failed with what does not pass by waiting.
    public let nextAttempt: Date?
}
