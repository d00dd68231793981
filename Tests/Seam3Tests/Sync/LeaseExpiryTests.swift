import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// Of several processes with the same file, the one with the lease syncs.
@Suite("A lease that no pass can have taken") struct LeaseExpiryTests {
    let cloud = LocalCloud.inMemory()

    /// A device whose file has another pass's lease, which expires at a given time.
    ///
    /// - Parameters:
    ///   - seconds: The time until it expires, by the device's clock.
    ///   - owner: The process that has the lease.
    private func device(leaseFor seconds: Double, owner: Int32) async throws -> Device {
        let device = try Device(on: cloud)
        try await device.store.sync()
        let end = Date().timeIntervalSinceReferenceDate + seconds
        let connection = try SQLiteConnection(path: device.file.path)
        try connection.execute(
            "UPDATE sm_sync SET lease_process = ?, lease_owner = ?, lease_expiry = ?",
            [.integer(Int64(owner)), .text(UUID().uuidString), .real(end)])
        try device.add("Clock", ["label": "home"])
        return device
    }

    @Test(
        "is ignored, even if its process lives",
        arguments: [180, 3600, 86400, 3 * 365 * 86400, 1e300])
    func distant(seconds: Double) async throws {
        // The parent of this process is running.
        let device = try await device(leaseFor: seconds, owner: getppid())
        #expect(await device.attemptSync() == nil)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("counts as long as it may be current", arguments: [20.0, 60, 110])
    func current(seconds: Double) async throws {
        let device = try await device(leaseFor: seconds, owner: getppid())
        let error = await device.attemptSync() as? SMStoreError
        #expect(error?.code == SMStoreError.syncingElsewhere.code)
    }

    @Test(
        "is ignored if it cannot be read",
        arguments: ["process", "expiry"], [SQLiteValue.null, "nonsense", .real(.infinity), 1e20])
    func unreadable(part: String, value: SQLiteValue) async throws {
        let device = try await device(leaseFor: 60, owner: getppid())
        try SQLiteConnection(path: device.file.path).execute(
            "UPDATE sm_sync SET lease_\(part) = ?", [value])
        #expect(await device.attemptSync() == nil)
    }
}
