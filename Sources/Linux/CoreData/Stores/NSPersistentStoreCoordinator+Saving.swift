import FoundationGaps

/// Saving a context's changes to the stores.
extension NSPersistentStoreCoordinator {
    /// Refuses a save of objects whose store has been removed, so that their changes would be lost.
    ///
    /// - Throws: `CocoaError.persistentStoreSave` with the objects.
    func requireReachableStores(of changes: ContextChanges) throws {
        let references = persistentStores.map(\.reference)
        let lost = changes.all.flatMap { objects in
            objects.filter { object in
                !references.contains { $0 === object.objectID.storeReference }
            }
        }
        guard !lost.isEmpty else { return }
        throw CocoaError(
            .persistentStoreSave,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "Object's persistent store is not reachable from this NSManagedObjectContext's "
                    + "coordinator",
                NSAffectedObjectsErrorKey: lost,
            ])
    }

    /// Passes changes to their stores to be saved, one store after the other.
    ///
    /// - Throws: The error of the store that refuses its changes; ``IncompleteSave`` with that error if other
    ///   stores have saved theirs.
    func save(_ changes: ContextChanges, in context: NSManagedObjectContext) throws {
        try locked {
            try requireOwnStores(changes)
            let parts = persistentStores.map { (store: $0, changes: changes.part(for: $0)) }
                .filter { !$0.changes.isEmpty }
            for (store, _) in parts where store.isReadOnly {
                throw CocoaError(
                    .fileWriteNoPermission,
                    userInfo: [
                        NSLocalizedDescriptionKey: "Attempt to write a readonly store.",
                        NSAffectedStoresErrorKey: [store],
                    ])
            }
            var saved = ContextChanges()
            for (store, part) in parts {
                let request = NSSaveChangesRequest(part)
                defer { request.removeAllObjects() }
                do {
                    _ = try rowStore(store).execute(request, with: context)
                } catch  where !saved.isEmpty {
                    throw IncompleteSave(saved: saved, reason: error)
                }
                saved.append(part)
            }
        }
    }

    /// Makes every store save its metadata, with a save without changes.
    func saveNothing(in context: NSManagedObjectContext) throws {
        try locked {
            for store in rowStores where !store.isReadOnly {
                let request = NSSaveChangesRequest(
                    inserted: [], updated: [], deleted: [], locked: [])
                _ = try store.execute(request, with: context)
            }
        }
    }
}

/// A save that some stores have carried out, and another has refused.
struct IncompleteSave: Error, @unchecked Sendable {
    // Unchecked because the context that saves catches it before it leaves the context's queue.

    /// The changes that were saved.
    let saved: ContextChanges
    /// The error of the store that refused its changes.
    let reason: any Error
}

extension ContextChanges {
    fileprivate var all: [ObjectSet] { [inserted, updated, deleted, locked] }

    var isEmpty: Bool { all.allSatisfy(\.isEmpty) }

    /// Adds the changes of other objects.
    mutating func append(_ other: ContextChanges) {
        inserted.append(other.inserted)
        updated.append(other.updated)
        deleted.append(other.deleted)
        locked.append(other.locked)
    }

    /// The changes of a store's objects.
    fileprivate func part(for store: NSPersistentStore) -> ContextChanges {
        let reference = store.reference
        func own(_ objects: ObjectSet) -> ObjectSet {
            let isOwn = { (object: NSManagedObject) in
                object.objectID.storeReference === reference
            }
            return objects.allSatisfy(isOwn) ? objects : ObjectSet(objects.filter(isOwn))
        }
        return ContextChanges(
            inserted: own(inserted), updated: own(updated), deleted: own(deleted),
            locked: own(locked))
    }

    /// The error of a save that has left these changes, and saved others.
    ///
    /// - Parameter reason: The error of the store that refused its changes.
    func incompleteSaveError(
        in stores: [NSPersistentStore], because reason: any Error
    ) -> CocoaError {
        let left = stores.filter { !part(for: $0).isEmpty }
        return CocoaError(
            .persistentStoreIncompleteSave,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "One or more of the stores returned an error, and the others have saved their "
                    + "changes: \(reason.localizedDescription)",
                NSUnderlyingErrorKey: reason,
                NSAffectedStoresErrorKey: left,
                NSAffectedObjectsErrorKey: all.flatMap(\.objects),
            ])
    }
}

extension NSSaveChangesRequest {
    fileprivate convenience init(_ changes: ContextChanges) {
        self.init(
            inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted,
            locked: changes.locked)
    }
}
