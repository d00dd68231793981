import CoreData

/// What one sync did.
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
    /// How many of the server's records could not be applied, such as one whose asset is missing or one that
    /// the store's file refuses. Each sync asks for them again; ``SMSyncStatus/unfetchedRecords`` contains
    /// their names and the reasons.
    public internal(set) var unfetchedRecordCount = 0
    /// How many conflicts the policy resolved.
    public internal(set) var conflictCount = 0
    /// How long it took, in seconds.
    public internal(set) var duration: TimeInterval = 0

    /// Whether the server had anything new, as the system wants to know after a push.
    public var fetchResult: FetchResult {
        insertedObjectIDs.isEmpty && updatedObjectIDs.isEmpty && deletedObjectIDs.isEmpty
            ? .noData : .newData
    }

    /// The changes of two steps combined: an object that was inserted and then deleted counts as deleted,
    /// and the reverse.
    func followed(by later: SMSyncSummary) -> SMSyncSummary {
        var both = self
        both.insertedObjectIDs.subtract(later.deletedObjectIDs)
        both.updatedObjectIDs.subtract(later.deletedObjectIDs)
        both.deletedObjectIDs.subtract(later.insertedObjectIDs)
        both.add(later)
        return both
    }

    /// Adds what a further step did.
    mutating func add(_ step: SMSyncSummary) {
        insertedObjectIDs.formUnion(step.insertedObjectIDs)
        updatedObjectIDs.formUnion(step.updatedObjectIDs)
        deletedObjectIDs.formUnion(step.deletedObjectIDs)
        savedRecordCount += step.savedRecordCount
        deletedRecordCount += step.deletedRecordCount
        conflictCount += step.conflictCount
        unfetchedRecordCount += step.unfetchedRecordCount
    }
}

extension SMSyncSummary: CustomStringConvertible {
    /// The counts, and no values.
    public var description: String {
        "\(insertedObjectIDs.count) inserted, \(updatedObjectIDs.count) updated and"
            + " \(deletedObjectIDs.count) deleted here, \(savedRecordCount) saved and"
            + " \(deletedRecordCount) deleted on the server, \(conflictCount) conflicts"
    }
}
