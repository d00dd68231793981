import CoreData

/// What those who watch a store's sync see of it: events, progress, and whether it runs.
final class SyncObservation: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// How many events a reader may lag behind; older ones are dropped then.
    private static let mostUnreadEvents = 1000

    private let lock = NSLock()
    private var readers: [UUID: AsyncStream<SMSyncEvent>.Continuation] = [:]
    private var currentProgress: Progress?
    private var isFinished = false

    /// The progress of the pass that runs, nil if none does.
    var progress: Progress? { lock.locked { currentProgress } }

    /// All events from now on, until the store is closed.
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

    /// Tells all readers of an event.
    func report(_ event: SMSyncEvent) {
        for reader in lock.locked({ Array(readers.values) }) { reader.yield(event) }
    }

    /// Notes that a pass begins.
    ///
    /// - Parameter cancel: Called if somebody cancels the pass by its progress.
    func beginPass(cancel: @escaping @Sendable () -> Void) {
        let progress = Progress(totalUnitCount: -1)
        progress.isCancellable = true
        progress.isPausable = false
        progress.cancellationHandler = cancel
        lock.locked { currentProgress = progress }
    }

    /// Notes that the pass has ended, with everything done or not.
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

    /// Notes that records have been dealt with.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - remaining: How many are still to come, as far as that is known; nil for what is left of those
    ///     that were known before.
    func advance(by count: Int, remaining: Int? = nil) {
        guard let progress else { return }
        let completed = progress.completedUnitCount + Int64(count)
        let total = remaining.map { completed + Int64($0) } ?? progress.totalUnitCount
        // First the larger of the two, so that what is done is never more than all.
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
