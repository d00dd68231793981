import CoreData

/// What one sync did.
///
/// A sync may change millions of objects. The counts are of all of them; each set has the IDs of the
/// first ``objectIDLimit`` objects only, so that a summary takes little memory however large the sync is.
/// An app that reads the sets fetches anew if ``namesAllObjects`` is false. Contexts that follow the store
/// get all changes, transaction by transaction; so does the persistent history.
public struct SMSyncSummary: Sendable {
    /// How many object IDs each of the three sets has at the most: 10,000.
    public static let objectIDLimit = 10_000

    /// The objects that the server's changes inserted here, up to ``objectIDLimit``.
    public var insertedObjectIDs: Set<NSManagedObjectID> { inserted.objectIDs }
    /// The objects that the server's changes updated here, with both ends of each relationship
    /// that changed, up to ``objectIDLimit``.
    public var updatedObjectIDs: Set<NSManagedObjectID> { updated.objectIDs }
    /// The objects that the server's changes deleted here, up to ``objectIDLimit``.
    public var deletedObjectIDs: Set<NSManagedObjectID> { deleted.objectIDs }

    /// How many objects the server's changes inserted here.
    public var insertedObjectCount: Int { inserted.count }
    /// How many objects the server's changes updated here. Beyond ``objectIDLimit`` an object that several
    /// of the sync's transactions have updated may count for each of them.
    public var updatedObjectCount: Int { updated.count }
    /// How many objects the server's changes deleted here.
    public var deletedObjectCount: Int { deleted.count }

    /// Whether the sets have the ID of every object that the counts are of.
    public var namesAllObjects: Bool {
        inserted.isComplete && updated.isComplete && deleted.isComplete
    }

    /// How many records the server has saved for this device.
    public internal(set) var savedRecordCount = 0
    /// How many records the server has deleted for this device.
    public internal(set) var deletedRecordCount = 0
    /// How many of the server's records could not be applied, such as one whose asset is missing or one that
    /// the store's file refuses. Each sync asks for them again; ``SMSyncStatus/unfetchedRecords`` contains
    /// their names and the reasons.
    public internal(set) var unfetchedRecordCount = 0
    /// How many conflicts the policy resolved.
    public internal(set) var conflictCount = 0
    /// How long it took, in seconds.
    public internal(set) var duration: TimeInterval = 0

    private var inserted = BoundedObjectIDs(limit: objectIDLimit)
    private var updated = BoundedObjectIDs(limit: objectIDLimit)
    private var deleted = BoundedObjectIDs(limit: objectIDLimit)

    init() {}

    /// Whether the server had anything new, as the system wants to know after a push.
    public var fetchResult: FetchResult {
        insertedObjectCount + updatedObjectCount + deletedObjectCount == 0 ? .noData : .newData
    }

    /// Adds the changes of a commit.
    mutating func add(_ changes: ChangedObjectIDs) {
        inserted.add(changes.inserted)
        updated.add(changes.updated)
        deleted.add(changes.deleted)
    }

    /// Adds what a further step did.
    mutating func add(_ step: SMSyncSummary) {
        inserted.add(step.inserted)
        updated.add(step.updated)
        deleted.add(step.deleted)
        savedRecordCount += step.savedRecordCount
        deletedRecordCount += step.deletedRecordCount
        conflictCount += step.conflictCount
        unfetchedRecordCount += step.unfetchedRecordCount
    }
}

extension SMSyncSummary: CustomStringConvertible {
    /// The counts, and no values.
    public var description: String {
        "\(insertedObjectCount) inserted, \(updatedObjectCount) updated and"
            + " \(deletedObjectCount) deleted here, \(savedRecordCount) saved and"
            + " \(deletedRecordCount) deleted on the server, \(conflictCount) conflicts"
    }
}
