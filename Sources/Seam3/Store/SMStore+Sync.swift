import CloudKit
import CoreData

/// Syncing on request.
extension SMStore {
    /// Syncs the store with the server.
    ///
    ///     let summary = try await store.sync()
    ///     print("\(summary.insertedObjectCount) new objects")
    ///
    /// If a sync is already running, another one follows it. When the method returns, the server's changes
    /// have been merged into the contexts that follow the store. If the task is canceled, the method throws a
    /// `CancellationError` at once, and the sync ends unless others wait for it, too.
    ///
    /// - Parameter complete: Whether all records are fetched again, instead of only what has changed.
    ///   Parked changes are then sent again, too.
    /// - Returns: What was done.
    /// - Throws: Why not everything could be done: `CKError`, ``SMStoreError`` or an error of SQLite.
    ///   Nothing is lost: what was not acknowledged waits for the next sync.
    @discardableResult
    public func sync(complete: Bool = false) async throws -> SMSyncSummary {
        try await sync(complete: complete, trigger: .user)
    }

    private func sync(
        complete: Bool, trigger: SyncTrigger, timeLimit: TimeInterval? = nil
    ) async throws -> SMSyncSummary {
        try await syncingEngine().sync(complete: complete, trigger: trigger, timeLimit: timeLimit)
    }

    /// The engine.
    ///
    /// - Throws: ``SMStoreError`` if the store does not sync.
    @nonobjc private func syncingEngine() throws -> SyncEngine {
        try lock.locked {
            if let engine { return engine }
            // The coordinator may be gone although the file is open.
            guard isReadOnly, (try? openedDatabase()) != nil else {
                throw SMStoreError.storeNotOpen
            }
            throw SMStoreError.invalidRequest("a sync, because the store is read-only")
        }
    }

    /// Syncs the store with the server.
    ///
    ///     store.triggerSync { result, error in
    ///         if let error { print("The sync failed: \(error)") }
    ///     }
    ///
    /// - Parameters:
    ///   - complete: Whether all records are fetched again, instead of only what has changed.
    ///   - completion: Called exactly once, on a background queue, with the result and the error.
    @preconcurrency public func triggerSync(
        complete: Bool = false,
        fetchCompletionHandler completion: (@Sendable (FetchResult, (any Error)?) -> Void)? = nil
    ) {
        Task {
            do {
                let summary = try await sync(complete: complete)
                completion?(summary.fetchResult, nil)
            } catch {
                completion?(.failed, error)
            }
        }
    }

    /// Handles a push, and syncs if it announces a change of the store's zone.
    ///
    ///     store.handlePush(userInfo: userInfo) { result in
    ///         completionHandler(result.uiBackgroundFetchResult)
    ///     }
    ///
    /// The handler is called after 25 seconds at the latest, because iOS grants an app half a minute for a push; see
    /// ``handlePush(userInfo:timeLimit:fetchCompletionHandler:)``.
    ///
    /// - Parameters:
    ///   - userInfo: The payload that the app's delegate received.
    ///   - completionHandler: Called exactly once, on a background queue; immediately with `noData` if the
    ///     push is not meant for the store.
    @preconcurrency public func handlePush(
        userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: (@Sendable (FetchResult) -> Void)? = nil
    ) {
        // What Apple's frameworks do here is an assumption: CK-5.
        handlePush(
            userInfo: userInfo, timeLimit: 25, fetchCompletionHandler: completionHandler)
    }

    /// Handles a push, and syncs if it announces a change of the store's zone.
    ///
    /// - Parameters:
    ///   - userInfo: The payload that the app's delegate received.
    ///   - timeLimit: The maximum number of seconds until the handler is called. If the sync has not ended by then,
    ///     the result is `failed`, and the sync goes on as long as the app runs.
    ///   - completionHandler: Called exactly once, on a background queue; immediately with `noData` if the
    ///     push is not meant for the store.
    @preconcurrency public func handlePush(
        userInfo: [AnyHashable: Any], timeLimit: TimeInterval,
        fetchCompletionHandler completionHandler: (@Sendable (FetchResult) -> Void)?
    ) {
        guard Self.concernsStores(userInfo) else {
            completionHandler?(.noData)
            return
        }
        Task {
            let result = await syncAfterPush(timeLimit: timeLimit)
            completionHandler?(result)
        }
    }

    /// Handles a push, and syncs if it announces a change of the store's zone.
    ///
    ///     func application(
    ///         _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ///     ) async -> UIBackgroundFetchResult {
    ///         await store.handlePush(userInfo: userInfo).uiBackgroundFetchResult
    ///     }
    ///
    /// - Parameters:
    ///   - userInfo: The payload that the app's delegate received.
    ///   - timeLimit: The maximum number of seconds until the method returns; 25 by default, because iOS grants an
    ///     app half a minute for a push. If the sync has not ended by then, the result is `failed`, and the sync goes
    ///     on as long as the app runs.
    ///   - isolation: The caller's actor, which the payload does not leave.
    /// - Returns: The result of the sync; immediately `noData` if the push is not meant for the store.
    @nonobjc public func handlePush(
        userInfo: [AnyHashable: Any], timeLimit: TimeInterval = 25,
        isolation: isolated (any Actor)? = #isolation
    ) async -> FetchResult {
        Self.concernsStores(userInfo) ? await syncAfterPush(timeLimit: timeLimit) : .noData
    }

    /// Whether the payload of a push announces a change of the zone that stores use.
    private static func concernsStores(_ userInfo: [AnyHashable: Any]) -> Bool {
        let notification = CKNotification(fromRemoteNotificationDictionary: userInfo)
        let change = notification as? CKRecordZoneNotification
        return change?.recordZoneID?.zoneName == StoreZone.name
    }

    private func syncAfterPush(timeLimit: TimeInterval) async -> FetchResult {
        do {
            return try await sync(complete: false, trigger: .push, timeLimit: timeLimit)
                .fetchResult
        } catch {
            return .failed
        }
    }

    /// The interval of automatic syncs, in seconds; nil, the default, for never.
    ///
    ///     store.syncInterval = 15 * 60
    ///
    /// For apps that do not receive pushes. The interval is measured from the end of one sync to
    /// the beginning of the next, in this process. It does not depend on
    /// ``syncAutomatically-swift.property``.
    public var syncInterval: TimeInterval? {
        get { settings.syncInterval }
        set {
            settings.syncInterval = newValue
            guard let engine = lock.locked({ engine }) else { return }
            Task { await engine.restartTimer() }
        }
    }

    /// Syncs because of a system event, if the store syncs automatically.
    @nonobjc func systemDidReport(_ event: SystemEvent) {
        guard syncAutomatically, let engine = lock.locked({ engine }) else { return }
        Task { await engine.sync(after: event) }
    }

    /// Syncs after a save and those that follow it closely; failures are retried.
    @nonobjc func syncAfterSave() {
        guard let engine = lock.locked({ engine }) else { return }
        Task { await engine.syncAfterSave() }
    }

    /// Starts a sync at the time of the next attempt.
    @nonobjc func scheduleNextAttempt() {
        guard let engine = lock.locked({ engine }) else { return }
        Task { await engine.scheduleNextAttempt() }
    }

    /// Merges the server's changes into a context after each page, even if the context does not merge
    /// changes automatically.
    ///
    ///     store.mergeServerChanges(into: editingContext)
    ///
    /// Contexts with `automaticallyMergesChangesFromParent` need not be passed. The store holds the
    /// context weakly.
    ///
    /// - Parameter context: A context of the store's coordinator.
    public func mergeServerChanges(into context: NSManagedObjectContext) {
        followers.name(context)
    }

    // MARK: - Account and zone

    /// Determines whether CloudKit can be used, and by which user.
    ///
    ///     store.verifyCloudKitConnectionAndUser { status, user, error in
    ///         print(user ?? "Not signed in: \(status.rawValue)")
    ///     }
    ///
    /// A sync checks the account itself. This is for what an app shows.
    ///
    /// - Parameter completionHandler: Called once, on a background queue, with the status of the
    ///   account, the record name of its user, and the error.
    @preconcurrency public func verifyCloudKitConnectionAndUser(
        _ completionHandler: (
            @Sendable (_ status: CKAccountStatus, _ userIdentifier: String?, _ error: (any Error)?)
                -> Void
        )?
    ) {
        let container = settings.container
        Task {
            var status = CKAccountStatus.couldNotDetermine
            do {
                status = try await container.accountStatus()
                guard status == .available else {
                    completionHandler?(status, nil, nil)
                    return
                }
                completionHandler?(status, try await container.userRecordID().recordName, nil)
            } catch {
                completionHandler?(status, nil, error)
            }
        }
    }

    /// Determines whether CloudKit can be used.
    ///
    /// - Parameter completionHandler: Called once, on a background queue.
    @available(*, deprecated, message: "Use verifyCloudKitConnectionAndUser")
    @preconcurrency public func verifyCloudKitConnection(
        _ completionHandler: (
            @Sendable (_ status: CKAccountStatus, _ error: (any Error)?) -> Void
        )?
    ) {
        verifyCloudKitConnectionAndUser { status, _, error in completionHandler?(status, error) }
    }

    /// Determines whether the store's zone exists on the server.
    ///
    /// - Parameter completionHandler: Called once, on a background queue.
    @preconcurrency public func verifyCloudKitStoreExists(
        _ completionHandler: (@Sendable (_ exists: Bool, _ error: (any Error)?) -> Void)?
    ) {
        let zone = settings.container.zone(StoreZone.id) { .userInitiated }
        Task {
            do {
                completionHandler?(try await zone.zoneExists(), nil)
            } catch {
                completionHandler?(false, error)
            }
        }
    }

    // MARK: - Starting over

    /// Removes all objects from the store, including changes that were never sent, and everything that it
    /// knows about the server.
    ///
    ///     try store.resetBackingStore()
    ///     await context.perform { context.reset() }
    ///     try await store.sync()
    ///
    /// Nothing is deleted on the server; the next sync fetches everything. Reset your contexts
    /// afterward.
    ///
    /// - Throws: ``SMStoreError/backingStoreResetFailed(underlying:)``; ``SMStoreError/invalidRequest(_:)`` if the store is
    ///   read-only. A running sync ends with a `CancellationError`.
    public func resetBackingStore() throws {
        try lock.locked {
            let database = try database()
            if isReadOnly {
                throw SMStoreError.invalidRequest(
                    "resetBackingStore(), because the store is read-only")
            }
            do {
                try database.write {
                    try database.removeEverything()
                    try database.syncState.reset()
                }
            } catch {
                throw SMStoreError.backingStoreResetFailed(underlying: error)
            }
            rowCache.invalidateAll()
        }
    }

    /// Keeps all objects and forgets what the store knows about the server, so that the next sync sends
    /// everything as new.
    ///
    ///     try store.resetCloudFieldsInBackingStore()
    ///     try await store.sync()
    ///
    /// For a new user who gets the data, or after the zone was deleted. Pending deletions are kept. Where the server
    /// has another version of an object, the conflict policy decides; if it merges properties, a value that either
    /// side has set beats one that the other lacks.
    ///
    /// - Throws: An error of SQLite; ``SMStoreError/invalidRequest(_:)`` if the store is read-only.
    public func resetCloudFieldsInBackingStore() throws {
        try lock.locked {
            guard let mappings else { return }
            let database = try database()
            if isReadOnly {
                throw SMStoreError.invalidRequest(
                    "resetCloudFieldsInBackingStore(), because the store is read-only")
            }
            try database.write {
                try database.forgetServer(
                    synced: mappings.syncedNumbers, keepsDeletions: true)
                try database.syncState.reset()
            }
        }
    }

    /// Deletes everything that the app's stores have in the user's private database, after asking.
    ///
    ///     let isDeleted = try await store.deleteCloudData(then: .removeLocalData) { deletion in
    ///         await ask("Delete \(deletion.objectCount) objects from iCloud, and from all devices?")
    ///     }
    ///
    /// It deletes the zone, and cannot be undone. On the user's other devices, the next sync calls
    /// ``SMStore/zoneLossHandler`` with ``SMZoneLoss/deleted``. Without a handler they keep their objects, and no longer
    /// sync; each sync there ends with ``SMStoreError/zoneMissing(_:)``. To delete the objects there, too, the handler
    /// answers ``SMZoneLossResponse/removeLocalData``; with ``SMZoneLossResponse/upload`` it brings them back to iCloud.
    ///
    /// - Parameters:
    ///   - response: What happens to the objects of this store. With ``SMZoneLossResponse/removeLocalData`` they are
    ///     removed, and later objects are synced as in a new app. With ``SMZoneLossResponse/upload`` they are sent at once
    ///     to a new zone, which then has what this device has, and nothing else. With ``SMZoneLossResponse/stop`` they
    ///     stay, and the store no longer syncs until its ``SMStore/zoneLossHandler`` decides otherwise.
    ///   - confirmation: Called once, before anything is deleted. The user's answer: whether to delete.
    /// - Returns: Whether everything was deleted; `false` if the confirmation was.
    /// - Throws: The reason why nothing was deleted: `CKError`, ``SMStoreError`` or an error of SQLite. Or, after the
    ///   deletion, why not every object could be sent again. A `CancellationError` if the task is canceled: the zone may
    ///   be deleted then, and the objects here are still there.
    @discardableResult
    @nonobjc public func deleteCloudData(
        then response: SMZoneLossResponse,
        confirmation: @Sendable (_ deletion: SMCloudDeletion) async -> Bool
    ) async throws -> Bool {
        let engine = try syncingEngine()
        let deletion = try lock.locked {
            let database = try database()
            return SMCloudDeletion(
                objectCount: try database.objects.presentCount(
                    ofEntities: mappings?.ofRecords.map(\.entity.number) ?? []),
                pendingChangeCount: try database.outbox.count(), response: response)
        }
        guard await confirmation(deletion) else { return false }
        _ = try await engine.sync(trigger: .user, deletion: response)
        return true
    }

    // MARK: - Predicates

    /// A predicate for the objects whose to-one relationship points to an object.
    ///
    /// The format `%K == %@` does the same; this is the method of Seam3 1.
    ///
    /// - Parameters:
    ///   - relationship: The relationship's name.
    ///   - object: The object that it points to.
    /// - Returns: The predicate; nil if the object is not one of this store.
    public func predicate(
        for relationship: String, referencing object: NSManagedObject
    ) -> NSPredicate? {
        guard key(of: object.objectID) != nil else { return nil }
        return NSPredicate(format: "%K == %@", argumentArray: [relationship, object])
    }

    /// A predicate for the objects whose to-many relationship contains an object.
    ///
    /// - Parameters:
    ///   - relationship: The relationship's name.
    ///   - object: The object that it contains.
    /// - Returns: The predicate; nil if the object is not one of this store.
    public func predicate(
        forToMany relationship: String, referencing object: NSManagedObject
    ) -> NSPredicate? {
        guard key(of: object.objectID) != nil else { return nil }
        return NSPredicate(format: "%K CONTAINS %@", argumentArray: [relationship, object])
    }
}
