import CoreData

/// The objects whose values contexts asked for in vain, although they exist.
///
/// A fault that cannot be read is deleted if Core Data's `shouldDeleteInaccessibleFaults` is set, as it is by default.
/// Apple does not say for which errors. A context might therefore delete an object, here and on all devices, because
/// the file could not be read for a moment.
final class UnreadObjects: @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private struct Entry {
        weak var context: NSManagedObjectContext?
        var pks: Set<Int64> = []
    }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]

    /// Whether there is any.
    var isEmpty: Bool { lock.locked { entries.isEmpty } }

    /// Notes that a context did not get an object.
    func note(_ pk: Int64, in context: NSManagedObjectContext) {
        lock.locked {
            entries = entries.filter { $0.value.context != nil }
            entries[ObjectIdentifier(context), default: Entry(context: context)].pks.insert(pk)
        }
    }

    /// Forgets objects that a context has got since.
    func forget(_ pks: some Sequence<Int64>, in context: NSManagedObjectContext) {
        let key = ObjectIdentifier(context)
        lock.locked {
            entries[key]?.pks.subtract(pks)
            if entries[key]?.pks.isEmpty == true { entries[key] = nil }
        }
    }

    /// The objects that a context did not get.
    func pks(in context: NSManagedObjectContext?) -> Set<Int64> {
        guard let context else { return [] }
        return lock.locked {
            let entry = entries[ObjectIdentifier(context)]
            return entry?.context === context ? entry?.pks ?? [] : []
        }
    }
}

@nonobjc extension SMStore {
    /// Reads the values of an object for a context, and notes whether it got them.
    func noting<T>(
        _ objectID: NSManagedObjectID, in context: NSManagedObjectContext, _ read: () throws -> T
    ) throws -> T {
        do {
            let result = try read()
            if !unreadObjects.isEmpty { noteRead([objectID], in: context) }
            return result
        } catch {
            let isMissing =
                (error as? CocoaError)?.code == .managedObjectReferentialIntegrity
            if !isMissing, let pk = key(of: objectID) { unreadObjects.note(pk, in: context) }
            throw error
        }
    }

    /// Notes that a context has read or fetched objects. One that the context takes for deleted is not among them: its
    /// row is also read before the save that would delete it.
    func noteRead(_ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext) {
        let unread = unreadObjects.pks(in: context)
        guard !unread.isEmpty else { return }
        let read = objectIDs.filter { objectID in
            guard let pk = key(of: objectID), unread.contains(pk) else { return false }
            return context.registeredObject(for: objectID)?.isDeleted != true
        }
        unreadObjects.forget(read.compactMap(key), in: context)
    }

    /// Refuses to delete objects whose values the context did not get.
    ///
    /// - Throws: ``SMStoreError/unreadObjectDeleted(entity:)``.
    func refuseUnread(
        _ deleted: Set<NSManagedObject>, in context: NSManagedObjectContext?
    ) throws {
        let unread = unreadObjects.isEmpty ? [] : unreadObjects.pks(in: context)
        guard !unread.isEmpty else { return }
        for object in deleted {
            if let pk = key(of: object.objectID), unread.contains(pk) {
                throw SMStoreError.unreadObjectDeleted(entity: object.entity.name ?? "")
            }
        }
    }
}
