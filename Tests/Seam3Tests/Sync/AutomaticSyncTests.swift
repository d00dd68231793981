import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A store that syncs automatically") struct AutomaticSyncTests {
    let cloud = LocalCloud.inMemory()

    /// A system event.
    static let events: [SystemEvent] = [.activated, .networkReturned, .accountChanged]

    @Test("does so after an event of the system", arguments: events)
    func systemEvent(event: SystemEvent) async throws {
        let (device, _) = try await Device.automatic(on: cloud)
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "home"])
        try await other.store.sync()
        var ends = SyncEnds(device.store)
        device.store.systemDidReport(event)
        #expect(await ends.next()?.summary.insertedObjectIDs.count == 1)
    }

    /// Failures, the following system event, and whether the store still waits.
    static let returns: [(CKError.Code, SystemEvent, waits: Bool)] = [
        (.networkFailure, .networkReturned, false), (.networkUnavailable, .networkReturned, false),
        (.zoneBusy, .networkReturned, true), (.networkFailure, .activated, true),
        (.accountTemporarilyUnavailable, .accountChanged, false),
        (.zoneBusy, .accountChanged, true),
    ]

    @Test(
        "stops waiting when what was missing is available, but waits as long as the server asks",
        arguments: returns)
    func missing(code: CKError.Code, event: SystemEvent, waits: Bool) async throws {
        let (device, clock) = try await Device.automatic(on: cloud)
        cloud.faults.add(
            .fail(ServerErrorCode(ckErrorCode: code.rawValue), retryAfter: 100),
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        #expect(await clock.nextSleep() >= 100)
        await device.store.engine?.sync(after: event)
        let status = try device.store.syncStatus()
        #expect((status.nextAttempt != nil) == waits)
        #expect((status.state == .idle) == !waits)
    }

    @Test("does not begin a pass that waited for one after which the server asks for a delay")
    func refusedBefore() async throws {
        let (device, clock) = try await Device.automatic(on: cloud)
        let engine = try #require(device.store.engine)
        let gate = FaultGate()
        let requests = RequestPattern.kind(
            .fetchZoneChanges, device: device.cloudContainer.device)
        cloud.faults.add(.wait(.beforeCommit, gate), for: requests)
        cloud.faults.add(.fail(.zoneBusy, retryAfter: 100), for: requests)
        let store = device.store
        let failing = Task { try await store.sync() }
        await gate.arrival()
        let following = Task { await engine.sync(after: .activated) }
        while await engine.nextPass == nil { await Task.yield() }
        gate.open()
        await #expect(throws: CKError.self) { try await failing.value }
        await following.value
        #expect(await clock.nextSleep() >= 100)
        let status = try store.syncStatus()
        #expect(status.state == status.nextAttempt.map { .waiting(until: $0) })
    }

    @Test("notices that the app becomes active, and that the account changes")
    func notifications() async {
        // In a separate process, because the notifications reach all stores.
        await #expect(processExitsWith: .success) {
            let cloud = LocalCloud.inMemory()
            let device = try Device(on: cloud)
            try await device.store.sync()
            device.store.syncAutomatically = true
            var ends = SyncEnds(device.store)
            NotificationCenter.default.post(
                name: Notification.Name("UIApplicationDidBecomeActiveNotification"), object: nil)
            #expect(await ends.next()?.succeeded == true)
            try cloud.signOut()
            #expect(await ends.next()?.succeeded == false)
        }
    }

    @Test("does nothing of the kind if it is switched off")
    func notAutomatic() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let success = try device.store.syncStatus().lastSuccess
        let requests = cloud.faults.add(.call(.beforeCommit) { _ in }, occurrences: .nth(.max))
        device.store.systemDidReport(.activated)
        try device.add("Clock", ["label": "home"])
        #expect(device.store.syncProgress == nil)
        #expect(try device.store.syncStatus().lastSuccess == success)
        #expect(cloud.faults.matchCount(of: requests) == 0)
    }

    @Test("does so at an interval, if one is set, and no longer when it is removed")
    func periodic() async throws {
        let device = try Device(on: cloud)
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        var ends = SyncEnds(device.store)
        device.store.syncInterval = 60
        for _ in 1...3 {
            #expect(await clock.nextSleep() == 60)
            clock.advance(by: 60)
            #expect(await ends.next()?.succeeded == true)
        }
        #expect(await clock.nextSleep() == 60)
        device.store.syncInterval = nil
        await device.store.engine?.restartTimer()
        clock.advance(by: 60)
        let success = try device.store.syncStatus().lastSuccess
        try await device.store.sync()
        #expect(success == clock.now.addingTimeInterval(-60))
    }

    @Test("needs one more sync for all the saves during one")
    func coalescing() async throws {
        let (device, clock) = try await Device.automatic(on: cloud)
        let gate = FaultGate()
        cloud.faults.add(
            .wait(.beforeCommit, gate),
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        var ends = SyncEnds(device.store)
        try device.add("Clock", ["label": "first"])
        clock.advance(by: await clock.nextSleep())
        await gate.arrival()
        for index in 0..<20 { try device.add("Clock", ["label": "\(index)"]) }
        clock.advance(by: await clock.nextSleep())
        gate.open()
        var passes = 0
        while try device.store.syncStatus().pendingChangeCount > 0 {
            #expect(await ends.next()?.succeeded == true)
            passes += 1
        }
        #expect(passes <= 2)
        #expect(try await RawClient(cloud).records().count == 21)
    }

    @Test("never runs two syncs at once, whoever asks for them")
    func oneAtATime() async throws {
        let (device, _) = try await Device.automatic(on: cloud)
        let store = device.store
        let events = store.events
        let depths = Task { () -> Int in
            var depth = 0
            var deepest = 0
            for await event in events where event.kind == .sync {
                depth += event.endDate == nil ? 1 : -1
                deepest = max(deepest, depth)
            }
            return deepest
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<12 {
                group.addTask {
                    switch index % 4 {
                    case 0: _ = try? await store.sync()
                    case 1: store.systemDidReport(.activated)
                    case 2: store.triggerSync()
                    default: _ = try? device.add("Clock", ["label": "\(index)"])
                    }
                }
            }
        }
        try await store.sync()
        try device.relaunch()
        #expect(await depths.value == 1)
    }

    @Test(
        "asks with the quality of service of a user, who waits or may come at any time",
        arguments: [SyncTrigger.user, .push, .automatic, .save])
    func qualityOfService(trigger: SyncTrigger) async throws {
        let (device, container) = try Device.steered(on: cloud)
        try device.add("Clock", ["label": "home"])
        try await #require(device.store.engine).sync(trigger: trigger)
        #expect(container.qualities.count > 2)
        #expect(Set(container.qualities) == [.userInitiated])
    }

    @Test("sends what another process has saved in the same file")
    func sharedFile() async throws {
        let (device, _) = try await Device.automatic(on: cloud)
        let model = ClockModel.make()
        let other = try device.anotherContainer(model: model)
        let context = other.newBackgroundContext()
        try await context.perform {
            NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                .setValue("by the extension", forKey: "label")
            try context.save()
        }
        var ends = SyncEnds(device.store)
        device.store.systemDidReport(.activated)
        #expect(await ends.next()?.summary.savedRecordCount == 1)
    }
}
