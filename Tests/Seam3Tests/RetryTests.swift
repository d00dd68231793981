import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A synchronisation that failed") struct RetryTests {
    let cloud = LocalCloud.inMemory()

    @Test("is repeated by itself after a while, if the store synchronises automatically")
    func repeated() async throws {
        let device = try Device(on: cloud)
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        device.store.syncAutomatically = true
        cloud.faults.add(.fail(.networkFailure), for: .kind(.accountStatus))
        try device.add("Clock", ["label": "home"])
        let delay = await clock.nextSleep()
        #expect((4...6).contains(delay))
        #expect(try device.store.syncStatus().nextAttempt == clock.now.addingTimeInterval(delay))
        clock.advance(by: delay)
        // The repeated pass may have begun; this one follows it or is the first.
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        #expect(try device.store.syncStatus().nextAttempt == nil)
    }

    @Test("is not repeated before the server's delay, not even after a save or a relaunch")
    func serverDelay() async throws {
        let device = try Device(on: cloud)
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        cloud.faults.add(
            .fail(.throttled, retryAfter: 300), for: .kind(.accountStatus))
        try device.add("Clock", ["label": "home"])
        await #expect(throws: CKError.self) { try await device.store.sync() }
        try device.relaunch()
        await device.store.engine?.use(clock.clock)
        device.store.syncAutomatically = true
        let requests = cloud.faults.add(
            .call(.beforeCommit) { _ in }, occurrences: .nth(.max))
        try device.change("home", ["note": "edited"])
        let delay = await clock.nextSleep()
        #expect(delay == 300)
        #expect(cloud.faults.matchCount(of: requests) == 0)
    }

    @Test("is not repeated if waiting does not help")
    func noRetry() throws {
        #expect(RetryDelay.seconds(after: SMStoreError.accountChanged, failures: 1) == nil)
        #expect(RetryDelay.seconds(after: CKError(.badContainer), failures: 1) == nil)
    }

    /// How many failures in a row, and the delay they bring without jitter.
    static let delays: [(Int, TimeInterval)] = [(1, 5), (2, 10), (5, 80), (11, 3600), (1000, 3600)]

    @Test("is repeated after longer and longer, up to an hour", arguments: delays)
    func backoff(failures: Int, expected: TimeInterval) {
        let error = CKError(.networkFailure)
        #expect(RetryDelay.seconds(after: error, failures: failures, jitter: 0) == expected)
        #expect(RetryDelay.seconds(after: error, failures: failures, jitter: 1) == expected * 1.2)
    }
}

/// A clock that a test moves.
private final class ManualClock: @unchecked Sendable {
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

    /// How long the next one who sleeps wants to, as soon as there is one.
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
