import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A sync after a save", .tags(.usersStayApart)) struct SyncVerificationTests {
    let cloud = LocalCloud.inMemory()

    /// A device that has just synced one clock.
    private func device() async throws -> (device: Device, clock: ManualClock) {
        let device = try Device(on: cloud)
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        try device.add("Clock", ["label": "first"])
        try await device.store.sync()
        return (device, clock)
    }

    @discardableResult
    private func sync(_ device: Device, _ trigger: SyncTrigger) async throws -> SMSyncSummary {
        try await #require(device.store.engine).sync(trigger: trigger)
    }

    private func labels() async throws -> [String] {
        try await RawClient(cloud).records(ofType: "Clock").compactMap { record in
            let label: String? = record["label"]
            return label
        }.sorted()
    }

    @Test("relies on what the previous one has found out about account and zone")
    func relies() async throws {
        let (device, _) = try await device()
        for label in ["second", "third"] {
            try device.add("Clock", ["label": label])
            let log = RequestLog(of: device, on: cloud)
            try await sync(device, .save)
            #expect(log.requests.map(\.kind) == [.fetchZoneChanges, .modifyRecords])
        }
        #expect(try await labels() == ["first", "second", "third"])
    }

    /// Events after which a pass makes its own checks.
    enum Reason: String, CaseIterable { case error, notice, minutes, relaunch, user, push, timer }

    @Test("checks the account itself when something may have changed", arguments: Reason.allCases)
    func looksAgain(reason: Reason) async throws {
        let (device, clock) = try await device()
        try device.add("Clock", ["label": "second"])
        var trigger = SyncTrigger.save
        switch reason {
        case .error: await device.syncSendingNothing(on: cloud)
        case .notice:
            NotificationCenter.default.post(
                name: .CKAccountChanged, object: device.cloudContainer)
        case .minutes: clock.advance(by: 301)
        case .relaunch: try device.relaunch()
        case .user: trigger = .user
        case .push: trigger = .push
        case .timer: trigger = .automatic
        }
        let log = RequestLog(CloudPath.current.accountRequest, of: device, on: cloud)
        try await sync(device, trigger)
        #expect(log.count >= 1)
        #expect(try await labels() == ["first", "second"])
    }

    @Test("gives another user nothing, even if the system has reported nothing yet")
    func silentSwitch() async throws {
        try cloud.signIn("second")
        let theirs = try Device("theirs", on: cloud)
        try theirs.add("Folder", ["name": "theirs"])
        try await theirs.store.sync()
        try cloud.signIn("first")
        let (device, _) = try await device()
        try device.add("Clock", ["label": "unsent"])
        let cloud = cloud
        let fault = cloud.faults.add(
            .call(.beforeCommit) { _ in try? cloud.signIn("second") },
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        let log = RequestLog(CloudPath.current.accountRequest, of: device, on: cloud)
        for _ in 1...2 {
            await #expect(throws: (any Error).self) { try await sync(device, .save) }
        }
        #expect(cloud.faults.matchCount(of: fault) >= 1)
        #expect(log.count >= 1)
        #expect(try await RawClient(cloud).records().map(\.recordType) == ["Folder"])
        #expect(try device.count("Folder") == 0)
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try await labels() == ["first", "unsent"])
    }

    @Test(
        "still learns how the zone was lost",
        arguments: [SMZoneLoss.deleted, .purged, .encryptedDataReset])
    func zoneLoss(loss: SMZoneLoss) async throws {
        let (device, _) = try await device()
        let losses = Losses()
        let log = RequestLog(CloudPath.current.accountRequest, of: device, on: cloud)
        device.store.zoneLossHandler = { loss in
            losses.all.append(loss)
            return .upload
        }
        let client = RawClient(cloud)
        switch loss {
        case .purged: try await cloud.purgeZone(StoreZone.name, in: client.context)
        case .encryptedDataReset:
            try await cloud.resetEncryptedData(ofZone: StoreZone.name, in: client.context)
        default: try await client.deleteZone()
        }
        try device.add("Clock", ["label": "second"])
        try await sync(device, .save)
        #expect(losses.all == [loss])
        #expect(log.count >= 1)
        #expect(try await labels() == ["first", "second"])
    }

    private final class Losses: @unchecked Sendable {
        // Unchecked because the store asks one question at a time.
        var all: [SMZoneLoss] = []
    }
}
