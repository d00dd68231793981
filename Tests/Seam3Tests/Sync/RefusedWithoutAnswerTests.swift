import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// A request reaches the server, which refuses its record, and the response is lost.
@Suite("A save that was refused without an answer") struct RefusedWithoutAnswerTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// When the other device syncs.
    enum Moment: CaseIterable {
        /// Between the device's fetch and its request.
        case afterFetch
        /// While the request is under way.
        case duringRequest
    }

    /// Two devices with the clock "home", of which one changes its note while another device sends others, and does not
    /// learn that it was refused.
    private static func devices(
        _ policy: Policy, notes: [String], at moment: Moment
    ) async throws -> [Device] {
        let cloud = LocalCloud.inMemory()
        let (a, b) = try await Device.pairWithNote(on: cloud, policy: policy)
        try a.change("home", ["note": "mine"])
        cloud.faults.add(
            .call(moment == .afterFetch ? .afterCommit : .beforeCommit) { _ in
                for note in notes {
                    await #expect(throws: Never.self) {
                        try b.change("home", ["note": note])
                        try await b.store.sync()
                    }
                }
            },
            for: .kind(
                moment == .afterFetch ? .fetchZoneChanges : .modifyRecords,
                device: a.cloudContainer.device))
        try await a.syncLosingAnswer(on: cloud)
        try #require(try a.store.syncStatus().pendingChangeCount == 1)
        return [a, b]
    }

    private static func notes(on device: Device) throws -> [String] {
        try device.read { context in
            try Device.all("Clock", in: context)
                .compactMap { $0.value(forKey: "note") as? String }.sorted()
        }
    }

    @Test(
        "is in conflict with the version because of which it was refused",
        arguments: [
            (Policy.serverRecordWins, ["theirs"]), (.clientRecordWins, ["mine"]),
            (.clientTellsWhichWins, ["theirs"]), (.keepBoth, ["mine", "theirs"]),
            (.mergeByProperty, ["theirs"]), (.mergeByPropertyClientWins, ["mine"]),
            (.mergeByPropertyClientTells, ["theirs"]),
        ], Moment.allCases)
    func conflict(_ outcome: (policy: Policy, notes: [String]), moment: Moment) async throws {
        let devices = try await Self.devices(outcome.policy, notes: ["theirs"], at: moment)
        try await Device.settle(devices[0], devices[1])
        for device in devices { #expect(try Self.notes(on: device) == outcome.notes) }
    }

    @Test(
        "is an edit if the other device has set its values back", arguments: Policy.allCases,
        Moment.allCases)
    func setBack(policy: Policy, moment: Moment) async throws {
        let devices = try await Self.devices(policy, notes: ["for a moment", "old"], at: moment)
        try await Device.settle(devices[0], devices[1])
        for device in devices { #expect(try Self.notes(on: device) == ["mine"]) }
    }
}
