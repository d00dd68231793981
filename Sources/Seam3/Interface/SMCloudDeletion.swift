import CoreData

/// What ``SMStore/deleteCloudData(then:confirmation:)`` is about to delete, for the question to the user.
public struct SMCloudDeletion: Sendable {
    /// How many objects this store has that are, or would be, in iCloud.
    public let objectCount: Int
    /// How many of this store's changes the server does not have.
    public let pendingChangeCount: Int
    /// What happens to the objects here.
    public let response: SMZoneLossResponse
}
