import FoundationGaps

/// Migrating a store's objects to another store.
extension NSPersistentStoreCoordinator {
    /// Copies the contents of a store to a new one, which replaces it in the coordinator. The old
    /// store's data is not deleted.
    ///
    /// The objects of the coordinator's contexts, and of their children, become those of the copies: they
    /// get new IDs, and keep their unsaved changes, which the next save writes to the new store. A
    /// context whose queue is busy follows when its present block ends, or saves or fetches.
    ///
    /// - Parameters:
    ///   - store: One of the coordinator's stores.
    ///   - URL: Where the new store keeps its data.
    ///   - options: The options that the new store is added with.
    ///   - storeType: The type of the new store.
    /// - Returns: The new store.
    /// - Throws: Errors of adding and saving. The coordinator then keeps the old store.
    public func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        let configuration = store.configurationName
        let new = try addPersistentStore(
            ofType: storeType,
            configurationName: configuration == NSPersistentStore.defaultConfigurationName
                ? nil : configuration,
            at: URL, options: options)
        let move = StoreMove(of: store, to: new, in: self)
        do {
            // Nothing is saved to the old store from the copying on.
            try locked {
                try copyObjects(by: move, from: store)
                replace(store)
            }
        } catch {
            try remove(new)
            throw error
        }
        follow(move)
        post(
            .NSPersistentStoreCoordinatorStoresDidChange,
            [NSUUIDChangedPersistentStoresKey: [store, new, move.objectIDs] as [Any]])
        close(store)
        return new
    }

    /// Copies the contents of a store to a new one, which replaces it.
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(
            store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    /// Copies all objects. The copies are saved without notice: for the contexts nothing has changed.
    private func copyObjects(by move: StoreMove, from old: NSPersistentStore) throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = self
        // No one else has the context, and its queue could not wait for the lock.
        try ContextStack.with(context) {
            var copies: [NSManagedObjectID.Key: NSManagedObject] = [:]
            var originals: [NSManagedObject] = []
            for entity in managedObjectModel.entities
            where !entity.isAbstract && keeps(old, objectsOf: entity) {
                let request = NSFetchRequest<any NSFetchRequestResult>()
                request.entity = entity
                request.includesSubentities = false
                request.includesPendingChanges = false
                request.affectedStores = [old]
                for case let original as NSManagedObject in try context.fetch(request) {
                    let copy = context.makeObject(of: entity)
                    context.register(copy, as: copy.objectID)
                    context.takeCopy(copy)
                    context.assign(copy, to: move.new)
                    copies[.init(original.objectID)] = copy
                    originals.append(original)
                }
            }
            for original in originals {
                guard let copy = copies[.init(original.objectID)] else { continue }
                original.fireFault()
                copy.attributes = original.attributes
                copyRelationships(of: original, to: copy) { copies[.init($0)] }
            }
            try context.saveInsertions()
            for original in originals {
                if let copy = copies[.init(original.objectID)] { move.note(copy, of: original) }
            }
        }
    }

    private func copyRelationships(
        of original: NSManagedObject, to copy: NSManagedObject,
        _ counterpart: (NSManagedObjectID) -> NSManagedObject?
    ) {
        for relationship in original.layout.relationships {
            let position = original.layout.relationshipPositions[relationship.valueIndex]
            let destinations = original.objectIDs(forRelationshipNamed: relationship.name)
                .compactMap(counterpart)
            if relationship.isToMany {
                copy.relationships[position] = .members(ObjectSet(destinations))
            } else {
                copy.relationships[position] = destinations.first.map { .object($0) } ?? .none
            }
        }
    }
}

/// Deferred migrations.
///
/// Apple's SQLite store can defer the parts of a lightweight migration that are not needed at once.
/// Stores here migrate completely when they are added, so there is never anything left to do.
extension NSPersistentStoreCoordinator {
    /// Finishes deferred migrations; there are none.
    public func finishDeferredLightweightMigration() throws {}

    /// Does a part of the deferred work; there is none.
    public func finishDeferredLightweightMigrationTask() throws {}
}
