import CoreData

/// Updates caches and contexts and posts notifications when the sync engine reports changes.
@nonobjc extension SMStore: SyncEngineDelegate {
    var beginsPassesByItself: Bool { syncAutomatically }

    func syncEngineDidStart() {
        post(.smSyncDidStart, userInfo: nil)
    }

    func syncEngine(didCommit changes: StoreChanges) async -> ChangedObjectIDs {
        rowCache.invalidate(changes.keys)
        let told: ChangedObjectIDs
        do {
            told = try objectIDs(of: changes)
        } catch {
            // The changes are in the file; the contexts merge them later.
            StoreLog.error(
                "The server's changes could not be merged: \(StoreLog.text(error))")
            return ChangedObjectIDs()
        }
        followers.merge(told)
        postRemoteChange()
        return told
    }

    func syncEngineDidFinish(_ result: Result<SMSyncSummary, any Error>) {
        switch result {
        case .success(let summary):
            post(
                .smSyncDidFinish,
                userInfo: [
                    NSInsertedObjectIDsKey: summary.insertedObjectIDs,
                    NSUpdatedObjectIDsKey: summary.updatedObjectIDs,
                    NSDeletedObjectIDsKey: summary.deletedObjectIDs,
                ])
        case .failure(let error):
            post(.smSyncDidFinish, userInfo: [SMStore.SMStoreErrorDomain: error])
        }
    }

    private func post(_ name: Notification.Name, userInfo: [String: Any]?) {
        nonisolated(unsafe) let userInfo = userInfo
        OperationQueue.main.addOperation {
            NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
        }
    }

    func syncEngineDidMeet(_ error: SMStoreError) {
        StoreLog.error(StoreLog.text(error))
        post(.smSyncOperationError, userInfo: [SMStore.SMStoreErrorDomain: error])
    }

    // MARK: - Contexts

    /// The IDs of changed objects that still exist, and of those that are deleted.
    func objectIDs(of changes: StoreChanges) throws -> ChangedObjectIDs {
        try lock.locked {
            let database = try database()
            func ids(_ keys: [Int64: Int64]) -> Set<NSManagedObjectID> {
                Set(
                    keys.compactMap { pk, number in
                        database.schema.entity(number: number).map { objectID(pk, $0) }
                    })
            }
            var updated: [Int64: Int64] = [:]
            for pk in changes.updated
            where changes.inserted[pk] == nil && changes.deleted[pk] == nil {
                if let entry = try database.objects.entry(pk), entry.isPresent {
                    updated[pk] = entry.entity
                }
            }
            return ChangedObjectIDs(
                inserted: ids(changes.inserted), updated: ids(updated),
                deleted: ids(changes.deleted))
        }
    }
}
