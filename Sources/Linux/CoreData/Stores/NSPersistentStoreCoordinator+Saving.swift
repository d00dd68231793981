import FoundationGaps

/// Saving a context's changes to the stores.
extension NSPersistentStoreCoordinator {
    /// Passes changes to their stores to be saved.
    func save(_ changes: ContextChanges, in context: NSManagedObjectContext) throws {
        try locked {
            try requireOwnStores(changes)
            let stores = persistentStores
            let requests = stores.map { changes.request(for: $0) }
            defer { for request in requests { request.removeAllObjects() } }
            guard requests.reduce(0, { $0 + $1.count }) == changes.count else {
                throw Self.unreachableStore(of: changes, stores)
            }
            for (store, request) in zip(stores, requests) where request.count > 0 {
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

    /// The error of a save of objects whose store has been removed, so that their changes would be lost.
    private static func unreachableStore(
        of changes: ContextChanges, _ stores: [NSPersistentStore]
    ) -> CocoaError {
        let lost = changes.all.flatMap { objects in
            objects.filter { object in
                !stores.contains { $0.reference === object.objectID.storeReference }
            }
        }
        return CocoaError(
            .persistentStoreSave,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "Object's persistent store is not reachable from this NSManagedObjectContext's "
                    + "coordinator",
                NSAffectedObjectsErrorKey: lost,
            ])
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
    fileprivate var count: Int { all.reduce(0) { $0 + $1.count } }

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
    fileprivate var count: Int {
        [inserted, updated, deleted, locked].reduce(0) { $0 + ($1?.count ?? 0) }
    }
}
