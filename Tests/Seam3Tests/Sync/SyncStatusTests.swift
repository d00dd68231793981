import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The status of a store") struct SyncStatusTests {
    let cloud = LocalCloud.inMemory()

    @Test("is idle at first, with what waits")
    func idle() throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        let status = try device.store.syncStatus()
        #expect(status.state == .idle)
        #expect(status.pendingChangeCount == 1)
        #expect(status.lastSuccess == nil)
    }

    @Test("is syncing while a pass runs, and idle after it")
    func syncing() async throws {
        let device = try Device(on: cloud)
        let gate = FaultGate()
        cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.fetchZoneChanges))
        let store = device.store
        let pass = Task { try await store.sync() }
        await gate.arrival()
        #expect(try store.syncStatus().state == .syncing)
        gate.open()
        _ = try await pass.value
        let status = try store.syncStatus()
        #expect(status.state == .idle)
        #expect(status.lastSuccess != nil && status.lastError == nil)
    }

    @Test("is waiting after a temporary failure, over a relaunch too")
    func waiting() async throws {
        let device = try Device(on: cloud)
        try await device.store.sync()
        device.store.syncAutomatically = true
        let success = try device.store.syncStatus().lastSuccess
        cloud.faults.add(.fail(.zoneBusy, retryAfter: 500), for: .kind(.fetchZoneChanges))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        for _ in 1...2 {
            let status = try device.store.syncStatus()
            let next = try #require(status.nextAttempt)
            #expect(status.state == .waiting(until: next))
            #expect((400...500).contains(next.timeIntervalSinceNow))
            #expect(status.lastSuccess == success)
            try device.relaunch()
            device.store.syncAutomatically = true
        }
    }

    @Test("is failed after an error that waiting does not resolve")
    func failed() async throws {
        let device = try Device(on: cloud)
        cloud.faults.add(.fail(.badRequest), for: .kind(.fetchZoneChanges))
        await #expect(throws: CKError.self) { try await device.store.sync() }
        guard case .failed(let reason) = try device.store.syncStatus().state else {
            Issue.record("\(try device.store.syncStatus().state)")
            return
        }
        #expect(!reason.isEmpty)
    }
}
