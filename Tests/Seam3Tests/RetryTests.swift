import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A sync that failed") struct RetryTests {
    let cloud = LocalCloud.inMemory()

    @Test("is repeated automatically after a while, if the store syncs automatically")
    func repeated() async throws {
        let device = try Device(on: cloud)
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        device.store.syncAutomatically = true
        cloud.faults.add(.fail(.networkFailure), for: .kind(.accountStatus))
        try device.add("Clock", ["label": "home"])
        // It first waits for more saves.
        clock.advance(by: await clock.nextSleep())
        let delay = await clock.nextSleep()
        #expect((4...6).contains(delay))
        #expect(try device.store.syncStatus().nextAttempt == clock.now.addingTimeInterval(delay))
        clock.advance(by: delay)
        // The repeated pass may have begun; this one follows it, or is the first.
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

    @Test(
        "does not wait for a date that a wrong clock has left, and waits for one that is a day ahead",
        .timeLimit(.minutes(1)))
    func wrongClock() async throws {
        let device = try Device(on: cloud)
        let ahead = ManualClock()
        ahead.advance(by: 10 * 365 * 86_400)
        await device.store.engine?.use(ahead.clock)
        cloud.faults.add(.fail(.throttled, retryAfter: 300), for: .kind(.accountStatus))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        try device.relaunch()
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        await device.store.engine?.syncAutomatically()
        #expect(try device.store.syncStatus().lastSuccess == clock.now)

        cloud.faults.add(.fail(.throttled, retryAfter: 86_000), for: .kind(.accountStatus))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        await device.store.engine?.syncAutomatically()
        #expect(try device.store.syncStatus().lastError != nil)
    }

    @Test(
        "is repeated soon after a launch if a wrong clock has left the date of the retry",
        .timeLimit(.minutes(1)))
    func wrongClockAtLaunch() async throws {
        let device = try Device(on: cloud)
        let ahead = ManualClock()
        ahead.advance(by: 10 * 365 * 86_400)
        await device.store.engine?.use(ahead.clock)
        cloud.faults.add(.fail(.throttled, retryAfter: 300), for: .kind(.accountStatus))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        try device.relaunch()
        let clock = ManualClock()
        device.store.syncAutomatically = true
        await device.store.engine?.use(clock.clock)
        #expect(await clock.nextSleep() < 60)
    }

    @Test(
        "is repeated at longer and longer intervals, also over a relaunch, and soon after a success"
    )
    func longer() async throws {
        let device = try Device(on: cloud)
        cloud.faults.add(
            .fail(.networkFailure), for: .kind(.accountStatus), occurrences: .next(6))
        let clock = ManualClock()
        var delays: [TimeInterval] = []
        for pass in 1...8 {
            await device.store.engine?.use(clock.clock)
            device.store.syncAutomatically = true
            _ = try? await device.store.sync()
            if let next = try device.store.syncStatus().nextAttempt {
                delays.append(next.timeIntervalSince(clock.now))
            } else {
                cloud.faults.add(.fail(.networkFailure), for: .kind(.accountStatus))
            }
            if pass == 3 { try device.relaunch() }
        }
        let expected: [Double] = [5, 10, 20, 40, 80, 160, 5]
        #expect(delays.count == expected.count)
        for (delay, middle) in zip(delays, expected) {
            #expect((middle * 0.8...middle * 1.2).contains(delay))
        }
    }

    @Test("is not repeated if waiting does not help")
    func noRetry() throws {
        #expect(RetryDelay.seconds(after: SMStoreError.accountChanged, failures: 1) == nil)
        #expect(RetryDelay.seconds(after: CKError(.badContainer), failures: 1) == nil)
    }

    /// A number of failures in a row, and the delay without jitter.
    static let delays: [(Int, TimeInterval)] = [(1, 5), (2, 10), (5, 80), (11, 3600), (1000, 3600)]

    @Test("is repeated at longer and longer intervals, up to an hour", arguments: delays)
    func backoff(failures: Int, expected: TimeInterval) {
        let error = CKError(.networkFailure)
        #expect(RetryDelay.seconds(after: error, failures: failures, jitter: 0) == expected)
        #expect(RetryDelay.seconds(after: error, failures: failures, jitter: 1) == expected * 1.2)
    }

    @Test(
        "is repeated by a call, and automatically within two days, whatever delay the server asks for",
        .tags(.anyValueOrAnError, .noCrashFromOutside),
        arguments: [-1, 0.5, 1e12, 1e300])
    func absurdDelay(seconds: Double) async throws {
        let device = try Device(on: cloud)
        device.store.syncAutomatically = true
        cloud.faults.add(
            .fail(.zoneBusy, retryAfter: seconds),
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        let next = try #require(try device.store.syncStatus().nextAttempt)
        #expect(next < Date().addingTimeInterval(2 * 86_400))
        try await device.store.sync()
        #expect(try device.store.syncStatus().nextAttempt == nil)
    }
}
