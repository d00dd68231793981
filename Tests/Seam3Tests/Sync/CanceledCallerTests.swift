import CloudKit
import LocalCloud
import Testing

@testable import Seam3

@Suite("A caller of sync that is canceled", .timeLimit(.minutes(1))) struct CanceledCallerTests {
    let cloud = LocalCloud.inMemory()

    @Test("answers at once, although its sync waits for another one")
    func waiting() async throws {
        let device = try Device(on: cloud)
        let (store, gate) = (device.store, FaultGate())
        cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.fetchZoneChanges))
        let first = Task { try await store.sync() }
        await gate.arrival()
        let second = Task { try await store.sync() }
        let engine = try #require(store.engine)
        while await engine.nextPass == nil { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        _ = try await first.value
        #expect(try store.syncStatus().lastError == nil)
    }

    @Test("answers at once, although others wait for the same sync")
    func sharing() async throws {
        let device = try Device(on: cloud)
        let (store, gate) = (device.store, FaultGate())
        let engine = try #require(store.engine)
        cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.fetchZoneChanges))
        let first = Task { try await store.sync() }
        await gate.arrival()
        let second = Task { try await store.sync() }
        while await engine.nextPass?.waiterCount != 1 { await Task.yield() }
        let third = Task { try await store.sync() }
        while await engine.nextPass?.waiterCount != 2 { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        gate.open()
        _ = try await first.value
        _ = try await third.value
    }

    @Test("or that handles a push answers in time, and the sync goes on")
    func push() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try await b.store.sync()
        let clock = ManualClock()
        await b.store.engine?.use(clock.clock)
        let (store, gate) = (b.store, FaultGate())
        let (results, answered) = AsyncStream<FetchResult>.makeStream()
        b.cloudContainer.remoteNotificationHandler = { userInfo in
            store.handlePush(userInfo: userInfo, timeLimit: 20) { answered.yield($0) }
        }
        try await b.cloudContainer.registerForRemoteNotifications()
        cloud.faults.add(
            .wait(.beforeCommit, gate),
            for: .kind(.fetchZoneChanges, device: b.cloudContainer.device))
        try a.add("Clock", ["label": "home"])
        try await a.store.sync()
        await gate.arrival()
        #expect(await clock.nextSleep() == 20)
        clock.advance(by: 20)
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == .failed)
        var ends = SyncEnds(store)
        gate.open()
        #expect(await ends.next()?.succeeded == true)
        #expect(try b.count("Clock") == 1)
    }

    @Test(
        "answers at once, although a question about the account has no answer, and the next sync begins"
    )
    func endlessQuestion() async throws {
        let (device, container) = try Device.steered(on: cloud)
        let (asked, asks) = AsyncStream<Void>.makeStream()
        let (answered, answer) = AsyncStream<Void>.makeStream()
        container.beforeAccountStatus = {
            asks.yield()
            // Waits whether the caller's task is canceled or not.
            await Task { for await _ in answered {} }.value
        }
        let store = device.store
        let caller = Task { try await store.sync() }
        for await _ in asked { break }
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        container.beforeAccountStatus = nil
        try await store.sync()
        answer.finish()
    }

    @Test(
        "waits if its sync deletes the zone, and nothing is removed here after its answer",
        .tags(.lossIsADecision))
    func deletion() async throws {
        let (device, container) = try Device.steered(on: cloud)
        let store = device.store
        try device.add("Clock", ["label": "home"])
        try await store.sync()
        let (deletions, deleted) = AsyncStream<Void>.makeStream()
        let (answered, answer) = AsyncStream<Void>.makeStream()
        container.afterDeletion = {
            deleted.yield()
            await Task { for await _ in answered {} }.value
        }
        let isOver = Flag()
        let caller = Task {
            defer { isOver.set() }
            return try await store.deleteCloudData(then: .removeLocalData) { _ in true }
        }
        for await _ in deletions { break }
        caller.cancel()
        let engine = try #require(store.engine)
        for _ in 1...100 {
            _ = await engine.nextPass
            await Task.yield()
        }
        #expect(!isOver.isSet)
        answer.finish()
        await #expect(throws: CancellationError.self) { try await caller.value }
        #expect(try device.count("Clock") == 1)
    }

    private final class Flag: @unchecked Sendable {
        // Unchecked because the lock guards the value.

        private let lock = NSLock()
        private var value = false

        var isSet: Bool { lock.withLock { value } }
        func set() { lock.withLock { value = true } }
    }
}
