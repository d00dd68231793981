import CoreData

/// `migratePersistentStore` copies the objects of a store into a new one, in which they are new objects: with other record
/// names. A sync of the copy would send each of them a second time, and is therefore refused.
@nonobjc extension SMStore {
    /// Notices that Core Data has filled this store with another one's objects.
    func watchForCopies() {
        // What Apple's frameworks do here is an assumption: SM-21.
        copyWatch = NotificationObservation(
            .NSPersistentStoreCoordinatorStoresDidChange, persistentStoreCoordinator
        ) {
            [weak self] note in
            guard let self, let change = note.userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any],
                change.count > 1,
                let old = change[0] as? SMStore, let new = change[1] as? SMStore, new === self,
                old !== self
            else { return }
            self.noteCopy(of: old)
        }
    }

    private func noteCopy(of old: SMStore) {
        guard old.hasBeenSynced else { return }
        StoreLog.error(SMStoreError.copyOfSyncedStore.description, .store)
        do {
            try lock.locked {
                let database = try database()
                try database.write { try database.syncState.setCopy() }
            }
        } catch {
            StoreLog.error(
                "The copy of a synced store could not be marked: \(StoreLog.text(error))", .store)
        }
    }

    /// Whether the store's records are on the server.
    private var hasBeenSynced: Bool {
        lock.locked {
            guard let database = try? openedDatabase() else { return wasSyncedWhenClosed }
            return database.isSynced
        }
    }
}

extension StoreDatabase {
    /// Whether the file has been synced, or is a copy of such a file.
    var isSynced: Bool {
        do {
            return try syncState.user() != nil || syncState.isCopy()
        } catch {
            // It cannot be ruled out.
            return true
        }
    }
}

/// An observer of a notification that ends with this object.
final class NotificationObservation: @unchecked Sendable {
    // Unchecked because the token is set once.
    private let token: any NSObjectProtocol

    init(
        _ name: Notification.Name, _ object: Any?,
        _ body: @escaping @Sendable (Notification) -> Void
    ) {
        token = NotificationCenter.default.addObserver(
            forName: name, object: object, queue: nil, using: body)
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}
