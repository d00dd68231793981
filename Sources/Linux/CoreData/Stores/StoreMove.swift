import FoundationGaps

/// A store's replacement by another one that has the same objects under new IDs.
///
/// The contexts of the coordinator learn from it which IDs their objects have now, each on its queue.
///
/// Unchecked because the store is asked for IDs by its coordinator only, and the rest is immutable or
/// guarded by a lock.
final class StoreMove: @unchecked Sendable {
    /// A copy of an object.
    private struct Copy {
        let objectID: NSManagedObjectID
        /// The version of the original.
        let oldVersion: UInt64
        let version: UInt64
    }

    let old: StoreReference
    let new: NSPersistentStore
    private weak let coordinator: NSPersistentStoreCoordinator?
    private let copies = Locked<[NSManagedObjectID.Key: Copy]>([:])

    /// The ID of each original, followed by that of its copy.
    private(set) var objectIDs: [NSManagedObjectID] = []

    init(
        of old: NSPersistentStore, to new: NSPersistentStore,
        in coordinator: NSPersistentStoreCoordinator
    ) {
        self.old = old.reference
        self.new = new
        self.coordinator = coordinator
    }

    /// Records the saved copy of an object.
    func note(_ copy: NSManagedObject, of original: NSManagedObject) {
        objectIDs += [original.objectID, copy.objectID]
        copies.withLock {
            $0[.init(original.objectID)] = Copy(
                objectID: copy.objectID, oldVersion: original.committedVersion,
                version: copy.committedVersion)
        }
    }

    /// The ID that an object has now; nil if it has not moved.
    func objectID(for objectID: NSManagedObjectID) -> NSManagedObjectID? {
        guard objectID.storeReference === old else { return nil }
        return copies.withLock { $0[.init(objectID)]?.objectID }
    }

    /// A new ID for an object that was inserted and got its permanent ID before it was saved. It is the
    /// same in all contexts.
    ///
    /// - Throws: Whatever the store throws.
    func objectID(forUnsaved object: NSManagedObject) throws -> NSManagedObjectID? {
        let objectID = object.objectID
        guard !objectID.isTemporaryID, objectID.storeReference === old else { return nil }
        return try copies.withLock { copies in
            if let copy = copies[.init(objectID)] { return copy.objectID }
            let permanent = try coordinator?.permanentIDs(
                for: [object], assignedTo: [ObjectIdentifier(object): new])
            copies[.init(objectID)] = permanent?.first.map {
                Copy(objectID: $0, oldVersion: 0, version: 0)
            }
            return permanent?.first
        }
    }

    /// The version that a row with a version of the old store has in the new one.
    ///
    /// A row that was outdated remains so: its version is none that the new store has.
    func version(_ version: UInt64, of objectID: NSManagedObjectID) -> UInt64 {
        guard let copy = copies.withLock({ $0[.init(objectID)] }) else { return version }
        return copy.oldVersion == version ? copy.version : copy.version + 1
    }

    /// A relationship's value with the destination's new ID.
    func moved(_ value: RelationshipValue) -> RelationshipValue? {
        guard case .identifier(let old) = value, let objectID = objectID(for: old) else {
            return nil
        }
        return .identifier(objectID)
    }
}
