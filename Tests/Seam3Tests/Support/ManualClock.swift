import CoreData

@testable import Seam3

/// A clock that a test advances.
final class ManualClock: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var time = Date(timeIntervalSinceReferenceDate: 800_000_000)
    private var sleepers: [(until: Date, continuation: CheckedContinuation<Void, Never>)] = []
    private let (sleeps, announce) = AsyncStream<TimeInterval>.makeStream()

    deinit {
        for sleeper in sleepers { sleeper.continuation.resume() }
    }

    var now: Date { lock.withLock { time } }

    var clock: SyncClock {
        SyncClock(
            now: { self.now },
            sleep: { seconds in
                await withCheckedContinuation { continuation in
                    self.lock.withLock {
                        self.sleepers.append((self.time.addingTimeInterval(seconds), continuation))
                    }
                    self.announce.yield(seconds)
                }
            })
    }

    /// The duration of the next sleep, as soon as somebody sleeps.
    func nextSleep() async -> TimeInterval {
        var iterator = sleeps.makeAsyncIterator()
        return await iterator.next() ?? 0
    }

    func advance(by seconds: TimeInterval) {
        let woken = lock.withLock {
            time += seconds
            let due = sleepers.filter { $0.until <= time }
            sleepers.removeAll { $0.until <= time }
            return due
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }
}
