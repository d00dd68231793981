import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

/// The status announces only what the store does automatically.
@Suite("The next attempt that the status reports") struct NextAttemptTests {
    let cloud = LocalCloud.inMemory()

    /// Errors that waiting resolves.
    static let codes: [ServerErrorCode] = [
        .networkFailure, .networkUnavailable, .zoneBusy, .throttled, .tryAgainLater,
        .serverResponseLost, .quotaExceeded,
    ]

    private func failedDevice(_ code: ServerErrorCode, isAutomatic: Bool) async throws -> Device {
        let device = try Device(on: cloud)
        try await device.store.sync()
        device.store.syncAutomatically = isAutomatic
        cloud.faults.add(
            .fail(code, retryAfter: 500),
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device),
            occurrences: .always)
        #expect(await device.attemptSync() != nil)
        return device
    }

    private func expectNone(_ device: Device) throws {
        let status = try device.store.syncStatus()
        #expect(status.nextAttempt == nil)
        if case .waiting = status.state { Issue.record("\(status.state)") }
        #expect(status.lastError != nil)
    }

    @Test("is nil if the store does not sync automatically", arguments: codes)
    func notAutomatic(code: ServerErrorCode) async throws {
        let device = try await failedDevice(code, isAutomatic: false)
        try expectNone(device)
        // Not after a relaunch either.
        try device.relaunch()
        try expectNone(device)
    }

    @Test("is set if it does", arguments: codes)
    func automatic(code: ServerErrorCode) async throws {
        let device = try await failedDevice(code, isAutomatic: true)
        let status = try device.store.syncStatus()
        let next = try #require(status.nextAttempt)
        #expect(status.state == .waiting(until: next))
    }

    @Test("changes with the setting")
    func setting() async throws {
        let device = try await failedDevice(.zoneBusy, isAutomatic: true)
        device.store.syncAutomatically = false
        try expectNone(device)
        device.store.syncAutomatically = true
        #expect(try device.store.syncStatus().nextAttempt != nil)
    }
}
