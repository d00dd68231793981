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
            #expect(log.requests.map(\.kind) == RequestLog.kindsOfPassAfterSave)
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

    /// A device of the first user, whose container never reports a change of the account, on a cloud on which
    /// the zone of a second user accepts the tokens of the first user's. The second user has many folders.
    private func deceived(
        clocks: Int = 1
    ) async throws -> (cloud: LocalCloud, device: Device, container: SteeredContainer) {
        var options = LocalCloudOptions()
        options.tokensBelongToTheirFeed = false
        let cloud = LocalCloud.inMemory(options: options)
        try cloud.signIn("second")
        let theirs = try Device("theirs", on: cloud)
        for index in 1...100 { try theirs.add("Folder", ["name": "\(index)"]) }
        try await theirs.store.sync()
        try cloud.signIn("first")
        let other = try Device("other", on: cloud)
        for index in 1...clocks { try other.add("Clock", ["label": "\(index)"]) }
        try await other.store.sync()
        let (device, container) = try Device.steered(on: cloud)
        return (cloud, device, container)
    }

    @Test(
        "takes nothing over from another user whom the system has not reported",
        .tags(.oneTransaction))
    func silentSwitchBeforePull() async throws {
        let (cloud, device, _) = try await deceived()
        try await device.store.sync()
        try cloud.signIn("second")
        let error = await #expect(throws: SMStoreError.self) { try await sync(device, .save) }
        #expect(error?.code == SMStoreError.accountChanged.code)
        #expect(try device.count("Folder") == 0)
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try device.count("Folder") == 0)
        #expect(try device.count("Clock") == 1)
    }

    @Test("throws away a page of another user who signs in between two pages")
    func silentSwitchBetweenPages() async throws {
        let (cloud, device, container) = try await deceived(clocks: 30)
        container.page = { page in
            if page.moreComing { try? cloud.signIn("second") }
        }
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.count("Folder") == 0)
        container.page = nil
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try device.count("Folder") == 0)
        #expect(try device.count("Clock") == 30)
    }

    @Test(
        "does not believe another user's zone that a change of the first user's has arrived",
        .tags(.acknowledgedOnly))
    func silentSwitchDuringPush() async throws {
        let (cloud, device, _) = try await deceived()
        try await device.store.sync()
        try device.add("Clock", ["label": "unsent"])
        cloud.faults.add(
            .call(.beforeCommit) { _ in try? cloud.signIn("second") }, for: .kind(.modifyRecords))
        await #expect(throws: (any Error).self) { try await sync(device, .save) }
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
        let labels = try await RawClient(cloud).records(ofType: "Clock").compactMap { record in
            record["label"] as? String
        }
        #expect(labels.sorted() == ["1", "unsent"])
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
