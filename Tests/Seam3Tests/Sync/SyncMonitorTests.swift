import CloudKit
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A monitor of a store's sync") @MainActor struct SyncMonitorTests {
    let cloud = LocalCloud.inMemory()

    /// Waits until a monitor has the expected state.
    private func wait(
        _ monitor: SMSyncMonitor, until isRight: (SMSyncMonitor) -> Bool
    ) async {
        var changes = monitor.changes.makeAsyncIterator()
        while !isRight(monitor) { await changes.next() }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("shows the changes that wait as soon as they are saved", .timeLimit(.minutes(1)))
    func saves() async throws {
        let device = try Device(on: cloud)
        let monitor = SMSyncMonitor(device.store)
        await wait(monitor) { $0.state == .idle }
        #expect(monitor.pendingChangeCount == 0)
        try device.add("Clock", ["label": "a"])
        await wait(monitor) { $0.pendingChangeCount == 1 }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("does not wait on the main thread for a store that is busy", .timeLimit(.minutes(1)))
    func busyStore() async throws {
        let device = try Device(on: cloud)
        let (holds, ends) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let lock = device.store.lock
        let holder = Task.detached {
            // Whoever waits for the store on the main thread lets the time pass.
            lock.locked {
                holds.signal()
                return ends.wait(timeout: .now() + 5)
            }
        }
        await Task.detached { Self.wait(holds) }.value
        let monitor = SMSyncMonitor(device.store)
        monitor.refresh()
        ends.signal()
        #expect(await holder.value == .success)
        await wait(monitor) { $0.state == .idle }
    }

    private nonisolated static func wait(_ semaphore: DispatchSemaphore) {
        semaphore.wait()
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("shows a sync and its result", .timeLimit(.minutes(1)))
    func sync() async throws {
        let device = try Device(on: cloud)
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "theirs"])
        try await other.store.sync()
        let monitor = SMSyncMonitor(device.store)
        try device.add("Clock", ["label": "mine"])
        let gate = FaultGate()
        cloud.faults.add(
            .wait(.beforeCommit, gate),
            for: .kind(.modifyRecords, device: device.cloudContainer.device))
        let sync = Task { try await device.store.sync() }
        await wait(monitor) { $0.isSyncing && $0.progress != nil && $0.state == .syncing }
        gate.open()
        _ = try await sync.value
        await wait(monitor) { !$0.isSyncing && $0.lastSummary != nil }
        #expect(monitor.lastSummary?.insertedObjectIDs.count == 1)
        #expect(monitor.lastSummary?.savedRecordCount == 1)
        #expect(monitor.pendingChangeCount == 0)
        #expect(monitor.lastSuccess != nil)
        #expect(monitor.lastError == nil)
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("shows an error until a sync succeeds", .timeLimit(.minutes(1)))
    func error() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "a"])
        let monitor = SMSyncMonitor(device.store)
        await device.syncSendingNothing(on: cloud)
        await wait(monitor) { $0.lastError != nil }
        #expect((monitor.lastError as? CKError)?.code == .networkFailure)
        #expect(monitor.pendingChangeCount == 1)
        try await device.store.sync()
        await wait(monitor) { $0.lastError == nil && $0.lastSummary != nil }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("counts the conflicts that were resolved", .timeLimit(.minutes(1)))
    func conflicts() async throws {
        let first = try Device(on: cloud)
        let second = try Device("second", on: cloud)
        try first.add("Clock", ["label": "a"])
        try await Device.settle(first, second)
        try first.change("a", ["note": "first"])
        try second.change("a", ["note": "second"])
        try await first.store.sync()
        let monitor = SMSyncMonitor(second.store)
        try await second.store.sync()
        await wait(monitor) { $0.conflictCount == 1 }
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("keeps neither itself nor the store alive", .timeLimit(.minutes(1)))
    func lifetime() async throws {
        var device: Device? = try Device(on: cloud)
        let monitor = SMSyncMonitor(try #require(device?.store))
        await wait(monitor) { $0.state != nil }
        weak var store = device?.store
        device?.close()
        device = nil
        #expect(store == nil)
        #expect(monitor.isSyncing == false)
        weak var second: SMSyncMonitor?
        do {
            let device = try Device(on: cloud)
            let monitor = SMSyncMonitor(device.store)
            second = monitor
        }
        #expect(second == nil)
    }
}
