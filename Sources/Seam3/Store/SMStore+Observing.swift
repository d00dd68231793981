import CoreData

/// Watching a store's synchronisation.
extension SMStore {
    /// The steps of this store's synchronisations from now on, as they begin and end.
    ///
    ///     for await event in store.events where event.kind == .sync {
    ///         isSyncing = event.endDate == nil
    ///     }
    ///
    /// Each call gives a stream of its own. It ends when the store is removed from its coordinator.
    /// A reader that lags more than a thousand events behind misses the oldest of them.
    public var events: AsyncStream<SMSyncEvent> { observation.events() }

    /// The progress of the synchronisation that runs, in records; nil if none runs.
    ///
    /// It is indeterminate until the first of the server's changes have come. Cancelling it ends the
    /// synchronisation with a `CancellationError`; what was done until then stays done. It changes
    /// on a background queue.
    public var syncProgress: Progress? { observation.progress }

    /// Where the store's synchronisation stands.
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
