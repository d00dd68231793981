import CloudKit
import CoreData

/// Synchronising on request.
extension SMStore {
    /// Synchronises the store with the server.
    ///
    /// If a synchronisation runs already, one more follows it. The contexts that follow the store
    /// have been merged into when this returns.
    ///
    /// - Parameter complete: Whether all records are fetched again, and not only what has changed;
    ///   changes that the server has refused are sent again then.
    /// - Returns: What was done.
    /// - Throws: Why not everything could be done: `CKError`, ``SMStoreError`` or an error of
    ///   SQLite. Nothing is lost; what was not acknowledged waits for the next synchronisation.
    @discardableResult
    public func sync(complete: Bool = false) async throws -> SMSyncSummary {
        try await sync(complete: complete, trigger: .user)
    }

    private func sync(complete: Bool, trigger: SyncTrigger) async throws -> SMSyncSummary {
        guard let engine = lock.locked({ engine }) else {
            throw SMStoreError.storeNotOpen
        }
        return try await engine.sync(complete: complete, trigger: trigger)
    }

    /// Synchronises the store with the server.
    ///
    /// - Parameters:
    ///   - complete: Whether all records are fetched again, and not only what has changed.
    ///   - completion: Called exactly once, on a background queue, with what came and the error.
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

    /// Takes the payload of a push, and synchronises if it tells of a change of the store's zone.
    ///
    /// - Parameters:
    ///   - userInfo: The payload, as the application's delegate got it.
    ///   - completionHandler: Called exactly once, on a background queue; with `noData` at once if
    ///     the push is for somebody else.
    @preconcurrency public func handlePush(
        userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: (@Sendable (FetchResult) -> Void)? = nil
    ) {
        guard Self.concernsStores(userInfo) else {
            completionHandler?(.noData)
            return
        }
        Task {
            let result = await syncAfterPush()
            completionHandler?(result)
        }
    }

    /// Takes the payload of a push, and synchronises if it tells of a change of the store's zone.
    ///
    ///     func application(
    ///         _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ///     ) async -> UIBackgroundFetchResult {
    ///         await store.handlePush(userInfo: userInfo).uiBackgroundFetchResult
    ///     }
    ///
    /// - Parameters:
    ///   - userInfo: The payload, as the application's delegate got it.
    ///   - isolation: The actor of the caller, which the payload does not leave.
    /// - Returns: What the synchronisation brought; `noData` at once if the push is for somebody else.
    @nonobjc public func handlePush(
        userInfo: [AnyHashable: Any], isolation: isolated (any Actor)? = #isolation
    ) async -> FetchResult {
        Self.concernsStores(userInfo) ? await syncAfterPush() : .noData
    }

    /// Whether the payload of a push tells of a change of the zone that stores have.
    private static func concernsStores(_ userInfo: [AnyHashable: Any]) -> Bool {
        let notification = CKNotification(fromRemoteNotificationDictionary: userInfo)
        let change = notification as? CKRecordZoneNotification
        return change?.recordZoneID?.zoneName == StoreZone.name
    }

    private func syncAfterPush() async -> FetchResult {
        do {
            return try await sync(complete: false, trigger: .push).fetchResult
        } catch {
            return .failed
        }
    }

    /// Every how many seconds the store synchronises by itself, whatever happens; nil for never, as at
    /// first. For applications that get no pushes. It counts from the end of one synchronisation to
    /// the beginning of the next, in this process, and does not need ``syncAutomatically-swift.property``.
    public var syncInterval: TimeInterval? {
        get { settings.syncInterval }
        set {
            settings.syncInterval = newValue
            guard let engine = lock.locked({ engine }) else { return }
            Task { await engine.restartTimer() }
        }
    }

    /// Synchronises because of what the system tells, if the store does so by itself.
    @nonobjc func systemDidReport(_ event: SystemEvent) {
        guard syncAutomatically, let engine = lock.locked({ engine }) else { return }
        Task { await engine.sync(after: event) }
    }

    /// Synchronises after a save, and those that follow it closely; what fails is tried again.
    @nonobjc func syncAfterSave() {
        guard let engine = lock.locked({ engine }) else { return }
        Task { await engine.syncAfterSave() }
    }

    /// Sees that a synchronisation begins when the status says so.
    @nonobjc func scheduleNextAttempt() {
        guard let engine = lock.locked({ engine }) else { return }
        Task { await engine.scheduleNextAttempt() }
    }

    /// Merges the server's changes into a context after each page, even if the context does not
    /// merge changes automatically. Contexts with `automaticallyMergesChangesFromParent` need not
    /// be named. The store keeps no strong reference to it.
    ///
    /// - Parameter context: A context of the store's coordinator.
    public func mergeServerChanges(into context: NSManagedObjectContext) {
        followers.name(context)
    }

    // MARK: - Account and zone

    /// Whether CloudKit can be used, and for which user.
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

    /// Whether CloudKit can be used.
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

    /// Whether the store's zone is on the server.
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

    /// Removes all objects from the store, and all it knows of the server. Nothing is deleted on
    /// the server. For a change of the user, before a synchronisation with `complete`.
    ///
    /// Contexts have to be reset by the application.
    ///
    /// - Throws: ``SMStoreError/backingStoreResetFailed(underlying:)``.
    public func resetBackingStore() throws {
        try lock.locked {
            let database = try database()
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

    /// Marks all objects as new, to be sent to the server again. For a new user, or after the zone
    /// was deleted. Deletions that wait to be sent go on waiting.
    ///
    /// - Throws: An error of SQLite.
    public func resetCloudFieldsInBackingStore() throws {
        try lock.locked {
            guard let mappings else { return }
            let database = try database()
            try database.write {
                try database.forgetServer(
                    synced: mappings.syncedNumbers, keepsDeletions: true)
                try database.syncState.reset()
            }
        }
    }

    // MARK: - Predicates

    /// A predicate for the objects whose to-one relationship points at an object.
    ///
    /// Core Data's own `%K == %@` does the same with this store; this is the form that Seam3 had.
    ///
    /// - Parameters:
    ///   - relationship: The relationship's name.
    ///   - object: The object it points at.
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
    ///   - object: The object it contains.
    /// - Returns: The predicate; nil if the object is not one of this store.
    public func predicate(
        forToMany relationship: String, referencing object: NSManagedObject
    ) -> NSPredicate? {
        guard key(of: object.objectID) != nil else { return nil }
        return NSPredicate(format: "%K CONTAINS %@", argumentArray: [relationship, object])
    }
}
