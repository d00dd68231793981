import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Upgrades of a model to other settings for the records.
@Suite("The judge of upgrades") struct FoundUpgradeTests {
    /// Device 0 syncs, and then device 1 sends the first node.
    private static func fleet(_ mode: Mode = .versions) async throws -> Fleet {
        let fleet = try Fleet(
            Setting(
                mode: mode, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .first))
        try await fleet.insert(.node, "n16", on: 1, ["title": .text("v7")])
        try await fleet.syncAll()
        return fleet
    }

    @Test("requires no refusal if the device has only nodes that it has never tried to send")
    func neverFetched() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        try await fleet.batchInsert(.node, ["n24", "n25"], on: 0, ["title": .text("v16")])
        #expect(!fleet.hasExchangedNodes(fleet.app(0)))
        try await fleet.sync(1)
        try await fleet.upgrade(0, to: .noteIsEncrypted)
        try await fleet.judge()
    }

    @Test("requires a refusal if the device has fetched a node")
    func fetched() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        try await fleet.sync(0)
        #expect(fleet.hasExchangedNodes(fleet.app(0)))
        try await fleet.upgrade(0, to: .noteIsEncrypted)
        try await fleet.judge()
    }

    @Test("requires a refusal if the device has sent a node, even if it got no response")
    func sent() async throws {
        let fleet = try await Self.fleet(.lossy)
        defer { fleet.end() }
        try await fleet.insert(.node, "n24", on: 0, ["title": .text("v16")])
        try await fleet.fail(
            .modifyRecords, of: 0, done: true, .serverResponseLost)
        try await fleet.sync(0)
        #expect(fleet.hasExchangedNodes(fleet.app(0)))
        try await fleet.upgrade(0, to: .noteIsEncrypted)
        try await fleet.judge()
    }

    @Test(
        "a title that was removed does not come back with a device that gets its new field later",
        arguments: [true, false])
    func removed(isFetched: Bool) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .keepBoth, devices: 3, pageSize: 200, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n11", on: 1, ["title": .text("v2")])
        try await fleet.upgrade(2, to: .titleHasAnotherField)
        try await fleet.catchUp()
        try await fleet.set("n11", on: 2, ["title": .none])
        try await fleet.sync(2)
        if isFetched { try await fleet.sync(1) }
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.judge()
    }
}
