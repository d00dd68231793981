import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The progress of a sync") struct SyncProgressTests {
    let cloud = LocalCloud.inMemory()

    /// A device with a sync that is blocked at a request, and that sync.
    private func stopped(
        at kind: RequestKind, occurrence: Int = 1, _ prepare: (Device) throws -> Void = { _ in }
    ) async throws -> (device: Device, gate: FaultGate, pass: Task<SMSyncSummary, any Error>) {
        let device = try Device(on: cloud)
        try prepare(device)
        let gate = FaultGate()
        cloud.faults.add(
            Fault(
                .wait(.beforeCommit, gate),
                for: .kind(kind, device: device.cloudContainer.device),
                occurrences: .nth(occurrence)))
        let store = device.store
        let pass = Task { try await store.sync() }
        await gate.arrival()
        return (device, gate, pass)
    }

    @Test("exists while one runs, indeterminate before the first changes have arrived")
    func lifetime() async throws {
        let (device, gate, pass) = try await stopped(at: .fetchZoneChanges)
        let progress = try #require(device.store.syncProgress)
        #expect(progress.isIndeterminate)
        #expect(progress.isCancellable && !progress.isPausable)
        gate.open()
        _ = try await pass.value
        #expect(progress.isFinished)
        #expect(device.store.syncProgress == nil)
    }

    @Test("counts records, those that arrived and those that are still to be sent")
    func counts() async throws {
        let other = try Device("other", on: cloud)
        for label in ["a", "b", "c"] { try other.add("Clock", ["label": label]) }
        try await other.store.sync()
        let (device, gate, pass) = try await stopped(at: .modifyRecords) { device in
            try device.add("Folder", ["name": "family"])
        }
        let progress = try #require(device.store.syncProgress)
        #expect(progress.completedUnitCount == 3)
        #expect(progress.totalUnitCount == 4)
        gate.open()
        _ = try await pass.value
        #expect(progress.completedUnitCount == 4)
    }

    @Test("cancels the sync, which is no failure and loses nothing")
    func cancellation() async throws {
        let (device, gate, pass) = try await stopped(at: .modifyRecords) { device in
            try device.add("Clock", ["label": "home"])
        }
        try #require(device.store.syncProgress).cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await pass.value }
        #expect(try device.store.syncStatus().state == .idle)
        try await device.store.sync()
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    @Test("A caller that is canceled cancels the sync, if nobody else waits")
    func canceledCaller() async throws {
        let (device, gate, pass) = try await stopped(at: .fetchZoneChanges)
        var ends = SyncEnds(device.store)
        pass.cancel()
        await #expect(throws: CancellationError.self) { try await pass.value }
        gate.open()
        #expect(await ends.next()?.error is CancellationError)
        try await device.store.sync()
    }

    @Test("A caller that is canceled leaves the sync to the others who share it")
    func sharedPass() async throws {
        let (device, gate, first) = try await stopped(at: .fetchZoneChanges)
        let store = device.store
        // Both share the pass after the running one.
        let second = Task { try await store.sync() }
        let third = Task { try await store.sync() }
        second.cancel()
        gate.open()
        _ = try await first.value
        _ = try await third.value
        _ = try? await second.value
        #expect(try store.syncStatus().lastSuccess != nil)
    }
}
