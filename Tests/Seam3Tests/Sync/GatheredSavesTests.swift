import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("Saves in quick succession") struct GatheredSavesTests {
    let cloud = LocalCloud.inMemory()

    /// Advances the clock whenever somebody sleeps, until it is canceled.
    private func run(_ clock: ManualClock) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled { clock.advance(by: await clock.nextSleep()) }
        }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("cost two requests altogether", .timeLimit(.minutes(1)))
    func manySaves() async throws {
        let (device, clock) = try await Device.automatic(on: cloud)
        let engine = try #require(device.store.engine)
        let log = RequestLog(of: device, on: cloud)
        var ends = SyncEnds(device.store)
        var wakes = clock.now
        // A fast user: ten saves per second.
        for index in 0..<20 {
            try device.add("Clock", ["label": "\(index)"])
            // The store does this, too, but at an unknown time.
            await engine.syncAfterSave()
            if clock.now >= wakes { wakes = clock.now + (await clock.nextSleep()) }
            clock.advance(by: 0.1)
        }
        let time = run(clock)
        defer { time.cancel() }
        clock.advance(by: wakes.timeIntervalSince(clock.now))
        #expect(await ends.next()?.succeeded == true)
        #expect(log.requests.map(\.kind) == RequestLog.kindsOfPassAfterSave)
        #expect(try await RawClient(cloud).records().count == 20)
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("made one by one cost two requests each if nothing else is new", .timeLimit(.minutes(1)))
    func oneSave() async throws {
        let (device, clock) = try await Device.automatic(on: cloud)
        let time = run(clock)
        defer { time.cancel() }
        var ends = SyncEnds(device.store)
        for index in 0..<5 {
            let log = RequestLog(of: device, on: cloud)
            try device.add("Clock", ["label": "\(index)"])
            #expect(await ends.next()?.succeeded == true)
            #expect(log.requests.map(\.kind) == RequestLog.kindsOfPassAfterSave)
        }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("after an error check account and zone again", .timeLimit(.minutes(1)))
    func afterError() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        try device.add("Clock", ["label": "first"])
        await device.syncSendingNothing(on: cloud)
        let log = RequestLog(CloudPath.current.accountRequest, of: device, on: cloud)
        await device.attemptSync()
        #expect(log.count >= 1)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }
}
