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

    /// Passes changes to their stores to be saved.
    func save(_ changes: ContextChanges, in context: NSManagedObjectContext) throws {
        try locked {
            try requireOwnStores(changes)
            for store in persistentStores {
                let request = changes.request(for: store)
                guard !request.isEmpty else { continue }
                defer { request.removeAllObjects() }
                guard !store.isReadOnly else {
                    throw CocoaError(
                        .fileWriteNoPermission,
                        userInfo: [
                            NSLocalizedDescriptionKey: "Attempt to write a readonly store.",
                            NSAffectedStoresErrorKey: [store],
                        ])
                }
                _ = try rowStore(store).execute(request, with: context)
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

extension ContextChanges {
    fileprivate var all: [ObjectSet] { [inserted, updated, deleted, locked] }

    /// The request that saves the objects of a store.
    fileprivate func request(for store: NSPersistentStore) -> NSSaveChangesRequest {
        let reference = store.reference
        func own(_ objects: ObjectSet) -> ObjectSet {
            let isOwn = { (object: NSManagedObject) in
                object.objectID.storeReference === reference
            }
            return objects.allSatisfy(isOwn) ? objects : ObjectSet(objects.filter(isOwn))
        }
        return NSSaveChangesRequest(
            inserted: own(inserted), updated: own(updated), deleted: own(deleted),
            locked: own(locked))
    }
}

extension NSSaveChangesRequest {
    fileprivate var isEmpty: Bool {
        [inserted, updated, deleted, locked].allSatisfy { $0?.isEmpty ?? true }
    }
}
