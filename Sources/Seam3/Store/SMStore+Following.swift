import CoreData

/// Updates caches and contexts and posts notifications when the sync engine reports changes.
@nonobjc extension SMStore: SyncEngineDelegate {
    var beginsPassesByItself: Bool { syncAutomatically }

    func syncEngineDidStart() {
        post(.smSyncDidStart, userInfo: nil)
    }

    func syncEngine(didCommit changes: StoreChanges) async -> ChangedObjectIDs {
        rowCache.invalidate(changes.keys)
        guard let told = mergeIntoContexts(changes) else { return ChangedObjectIDs() }
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

    /// Lets the contexts that follow the store merge changes of the file.
    ///
    /// - Returns: The objects; nil if they could not be read. The contexts then read them later.
    @discardableResult
    func mergeIntoContexts(_ changes: StoreChanges) -> ChangedObjectIDs? {
        do {
            let changed = try objectIDs(of: changes)
            followers.merge(changed)
            return changed
        } catch {
            StoreLog.error("Changes could not be merged into contexts: \(StoreLog.text(error))")
            return nil
        }
    }

    private func objectIDs(of changes: StoreChanges) throws -> ChangedObjectIDs {
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
