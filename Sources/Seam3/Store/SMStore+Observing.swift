import CoreData

/// Following a store's syncs.
extension SMStore {
    /// The steps of this store's syncs from now on, as they begin and end.
    ///
    ///     for await event in store.events where event.kind == .sync {
    ///         isSyncing = event.endDate == nil
    ///     }
    ///
    /// Each access returns a new stream. It ends when the store is removed from its coordinator. A reader
    /// that is more than a thousand events behind misses the oldest ones.
    public var events: AsyncStream<SMSyncEvent> { observation.events() }

    /// The progress of the running sync, in records; nil if none is running.
    ///
    ///     store.syncProgress?.cancel()
    ///
    /// It is indeterminate until the first of the server's changes have arrived. Canceling it ends the sync
    /// with a `CancellationError`; completed work is kept. It changes on a background queue.
    public var syncProgress: Progress? { observation.progress }

    /// The current state of the store's sync.
    ///
    ///     let status = try store.syncStatus()
    ///     print("\(status.pendingChangeCount) changes wait")
    ///
    /// - Throws: An error of SQLite.
    public func syncStatus() throws -> SMSyncStatus {
        let isSyncing = observation.progress != nil
        let triesAgain = syncAutomatically
        return try lock.locked {
            let database = try database()
            let state = database.syncState
            let unwritten = engine?.unwrittenFailure.value
            let lastError = try unwritten.map { ErrorText.of($0.error) } ?? state.lastError()
            let nextAttempt =
                triesAgain
                ? try (unwritten?.retry ?? state.retryAfter()).map {
                    RetryDelay.date($0, at: Date())
                }
                    ?? database.outbox.nextTry() : nil
            return SMSyncStatus(
                state: Self.state(isSyncing, lastError, nextAttempt),
                pendingChangeCount: try database.outbox.count(),
                lastSuccess: try state.lastSuccess(), lastError: lastError,
                nextAttempt: nextAttempt,
                unfetchedRecords: try database.unfetched.reasons(),
                recordTypesWithoutStamps: try state.typesWithoutStamps().sorted())
        }
    }

    /// Whether the server has an object as it was last saved here, and why not.
    ///
    ///     if case .refused(_, let reason, _) = try store.syncState(of: note.objectID) {
    ///         print("Not in iCloud: \(reason)")
    ///     }
    ///
    /// It is about the object's own record. A change that the context has not saved does not count.
    ///
    /// - Parameter objectID: The object, which may have been deleted since the last sync.
    /// - Returns: The state.
    /// - Throws: 133000 of the domain `NSCocoaErrorDomain` if the store has never had the object, or no longer knows of
    ///   it; ``SMStoreError`` if the store is not open; an error of SQLite.
    @nonobjc public func syncState(of objectID: NSManagedObjectID) throws -> SMObjectSyncState {
        if objectID.isTemporaryID { return .notSynced(.unsaved) }
        return try lock.locked {
            let database = try database()
            guard objectID.persistentStore === self, let pk = key(of: objectID) else {
                return .notSynced(.otherStore)
            }
            guard let entry = try database.objects.entry(pk), let number = entry.entity else {
                throw CocoaError(.managedObjectReferentialIntegrity)
            }
            guard let entity = database.schema.entity(number: number),
                mappings?.mapping(of: entity) != nil
            else {
                return .notSynced(.localEntity(objectID.entity.name ?? ""))
            }
            guard let pending = try database.outbox.entry(of: pk) else { return .synced }
            let change: SMObjectSyncState.Change =
                switch pending.kind {
                case .insert: .insertion
                case .update: .update(properties: Self.propertyNames(of: pending.base, entity))
                case .delete: .deletion
                }
            guard let refusal = try database.outbox.refusal(of: pk) else { return .waiting(change) }
            return .refused(change, reason: refusal.reason, nextAttempt: refusal.nextTry)
        }
    }

    /// The entity's properties among base values, which have order keys and elements, too.
    private static func propertyNames(of base: PropertyValues, _ entity: EntitySchema) -> Set<
        String
    > {
        let names = Set(base.keys.map { $0.components(separatedBy: ".")[0] })
        return names.intersection(entity.description.propertiesByName.keys)
    }

    private static func state(
        _ isSyncing: Bool, _ lastError: String?, _ nextAttempt: Date?
    ) -> SMSyncStatus.State {
        if isSyncing { return .syncing }
        guard let lastError else { return .idle }
        return nextAttempt.map { .waiting(until: $0) } ?? .failed(lastError)
    }
}
