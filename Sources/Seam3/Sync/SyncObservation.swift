import CoreData

/// The observable state of a store's sync: events, progress, and whether it runs.
final class SyncObservation: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// The number of unread events kept for each reader; older ones are dropped.
    private static let mostUnreadEvents = 1000

    private let lock = NSLock()
    private var readers: [UUID: AsyncStream<SMSyncEvent>.Continuation] = [:]
    private var currentProgress: Progress?
    private var isFinished = false

    /// The progress of the running pass; nil if none runs.
    var progress: Progress? { lock.locked { currentProgress } }

    /// A stream of all future events, until the store is closed.
    func events() -> AsyncStream<SMSyncEvent> {
        let id = UUID()
        return AsyncStream(bufferingPolicy: .bufferingNewest(Self.mostUnreadEvents)) { reader in
            let isFinished = lock.locked { () -> Bool in
                if !self.isFinished { readers[id] = reader }
                return self.isFinished
            }
            if isFinished { return reader.finish() }
            reader.onTermination = { [weak self] _ in self?.removeReader(id) }
        }
    }

    private func removeReader(_ id: UUID) {
        lock.locked { readers[id] = nil }
    }

    /// Sends an event to all readers.
    func report(_ event: SMSyncEvent) {
        for reader in lock.locked({ Array(readers.values) }) { reader.yield(event) }
    }

    /// Notes that a pass begins.
    ///
    /// - Parameter cancel: Called when the pass's progress is canceled.
    func beginPass(cancel: @escaping @Sendable () -> Void) {
        let progress = Progress(totalUnitCount: -1)
        progress.isCancellable = true
        progress.isPausable = false
        progress.cancellationHandler = cancel
        lock.locked { currentProgress = progress }
    }

    /// Notes that the pass has ended, successfully or not.
    func endPass(succeeded: Bool) {
        let progress = lock.locked { () -> Progress? in
            defer { currentProgress = nil }
            return currentProgress
        }
        guard let progress else { return }
        progress.cancellationHandler = nil
        guard succeeded else { return }
        let count = max(1, progress.completedUnitCount)
        progress.totalUnitCount = count
        progress.completedUnitCount = count
    }

    /// Notes that records have been processed.
    ///
    /// - Parameters:
    ///   - count: The number of records.
    ///   - remaining: The number of remaining records, as far as it is known; nil for what is left of
    ///     the total.
    func advance(by count: Int, remaining: Int? = nil) {
        guard let progress else { return }
        let completed = progress.completedUnitCount + Int64(count)
        let total = remaining.map { completed + Int64($0) } ?? progress.totalUnitCount
        // The total is set first, so that the completed count never exceeds it.
        progress.totalUnitCount = max(1, completed, total)
        progress.completedUnitCount = completed
    }

    /// Ends all streams of events: the store is closed.
    func finish() {
        let readers = lock.locked { () -> [AsyncStream<SMSyncEvent>.Continuation] in
            isFinished = true
            defer { self.readers = [:] }
            return Array(self.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
