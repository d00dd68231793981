import Judge
import Seam3
import Testing

/// Schedules that the simulator has found.
@Suite("A fleet with versions from before") struct FoundOldVersionTests {
    private static let policies = SMSyncConflictResolutionPolicy.allCases

    @Test(
        "ignores a version from the feed that is older than the one it has saved",
        arguments: policies)
    func lateVersion(policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Fleet(Setting(mode: .lag, policy: policy, devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.sync(0)
        try await fleet.lag(0, behind: 1, times: 2)
        try await fleet.set("n2", on: 0, ["title": .text("v4")])
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.set("n2", on: 0, ["count": .int(5)])
        try await fleet.judge()
    }

    @Test("keeps an edit that the server had between two losses of the zone", arguments: policies)
    func twoLosses(policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Fleet(Setting(mode: .uploaders, policy: policy))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.happens(.purgeZone, on: 0)
        try await fleet.set("n2", on: 1, ["title": .text("v3")])
        try await fleet.sync(1)
        try await fleet.happens(.purgeZone, on: 0)
        try await fleet.syncAll()
        try await fleet.judge()
    }

    @Test(
        "deletes an object that another device has uploaded to a new zone, and that nobody has edited",
        arguments: policies)
    func deletedAfterLoss(policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Fleet(Setting(mode: .uploaders, policy: policy))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.happens(.purgeZone, on: 0)
        try await fleet.sync(0)
        try await fleet.delete("n2", on: 1)
        try await fleet.judge()
    }

    @Test(
        "sends both ends of a pair that another device has not had in a new zone",
        arguments: policies)
    func pairAfterLoss(policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Fleet(Setting(mode: .uploaders, policy: policy))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.insert(
            .node, "n3", on: 0, ["partner": .object("n2"), "title": .text("v3")])
        try await fleet.catchUp()
        try await fleet.happens(.resetEncryptedData, on: 0)
        try await fleet.delete("n2", on: 1)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test(
        "deletes an object after it was told to forget the server, though the record has no stamps",
        arguments: policies)
    func forgottenWithoutStamps(policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Fleet(
            Setting(mode: .schemaless, policy: policy, devices: 1, stampless: [.item]))
        defer { fleet.end() }
        try await fleet.insert(.item, "i2", on: 0, ["title": .text("v4")])
        try await fleet.sync(0)
        try await fleet.resetCloudFields(0)
        try await fleet.delete("i2", on: 0)
        try await fleet.judge()
    }
}
