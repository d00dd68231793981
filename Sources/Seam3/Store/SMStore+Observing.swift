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
            let lastError = try unwritten.map { "\($0.error)" } ?? state.lastError()
            let nextAttempt =
                triesAgain
                ? try unwritten?.retry ?? state.retryAfter() ?? database.outbox.nextTry() : nil
            return SMSyncStatus(
                state: Self.state(isSyncing, lastError, nextAttempt),
                pendingChangeCount: try database.outbox.count(),
                lastSuccess: try state.lastSuccess(), lastError: lastError,
                nextAttempt: nextAttempt,
                unfetchedRecords: try database.unfetched.reasons())
        }
    }

    private static func state(
        _ isSyncing: Bool, _ lastError: String?, _ nextAttempt: Date?
    ) -> SMSyncStatus.State {
        if isSyncing { return .syncing }
        guard let lastError else { return .idle }
        return nextAttempt.map { .waiting(until: $0) } ?? .failed(lastError)
    }
}
