import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

/// Two devices, the second of which cannot fetch the record of the clock "bell", because the server
/// does not return the asset of its chime.
private final class Bells {
    let cloud: LocalCloud
    let writer: Device
    let reader: Device
    let client: RawClient

    init(
        policy: SMSyncConflictResolutionPolicy = .serverRecordWins,
        options: LocalCloudOptions = LocalCloudOptions()
    ) async throws {
        cloud = LocalCloud.inMemory(options: options)
        writer = try Device("writer", on: cloud, policy: policy)
        reader = try Device("reader", on: cloud, policy: policy)
        client = RawClient(cloud)
    }

    /// A clock with a chime on the server.
    func addBell() async throws {
        try writer.add("Clock", ["label": "bell", "chime": Data([1, 2, 3])])
        try await writer.store.sync()
    }

    /// Changes the chime on the server.
    func changeBell() async throws {
        try writer.change("bell", ["chime": Data([4, 5, 6]), "position": 7])
        try await writer.store.sync()
    }

    /// Makes the reader's downloads of assets fail, or succeed again.
    func breakAssets(_ code: ServerErrorCode = .assetNotAvailable) {
        cloud.faults.add(
            .fail(code), for: .kind(.downloadAsset, device: reader.cloudContainer.device),
            occurrences: .always)
    }

    func mendAssets() { cloud.faults.removeAll() }

    func bellName() async throws -> String {
        try #require(
            try await client.records(ofType: "Clock").first { $0["label"] == "bell" }?
                .recordID.recordName)
    }

    /// Syncs the reader, which gets the record for the first time.
    func syncMeeting() async throws {
        let name = try await bellName()
        let error = await #expect(throws: SMStoreError.self) { try await self.reader.store.sync() }
        guard case .recordsNotFetched(let names, let underlying) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(names == [name])
        #expect((underlying as? CKError)?.code == .assetNotAvailable)
    }

    func labels() throws -> Set<String> {
        try reader.read { context in
            Set(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Clock"))
                    .compactMap { $0.value(forKey: "label") as? String })
        }
    }
}

@Suite("A record that cannot be fetched", .tags(.oneFailureStaysAlone, .nothingLeftOutSilently))
struct UnfetchedRecordTests {
    private static func pages(of count: Int) -> LocalCloudOptions {
        var options = LocalCloudOptions()
        options.pageSize = count
        return options
    }

    @Test("fails one sync, which completes everything else", arguments: [1, 2, 200])
    func others(pageSize: Int) async throws {
        let bells = try await Bells(options: Self.pages(of: pageSize))
        try bells.writer.add("Clock", ["label": "before"])
        try await bells.writer.store.sync()
        try await bells.addBell()
        for label in ["1", "2", "3"] { try bells.writer.add("Clock", ["label": label]) }
        try await bells.writer.store.sync()
        try bells.reader.add("Clock", ["label": "here"])
        bells.breakAssets()
        try await bells.syncMeeting()
        #expect(try bells.labels() == ["before", "1", "2", "3", "here"])
        #expect(try bells.reader.store.syncStatus().pendingChangeCount == 0)
        try await bells.writer.store.sync()
        #expect(try bells.writer.value("label", of: "here") == "here")
    }

    @Test("is requested again silently, also after a relaunch, until it arrives")
    func recovery() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        bells.breakAssets()
        try await bells.syncMeeting()
        for _ in 1...2 {
            #expect(try await bells.reader.store.sync().unfetchedRecordCount == 1)
            try bells.reader.relaunch()
        }
        #expect(try bells.labels() == [])
        bells.mendAssets()
        let summary = try await bells.reader.store.sync()
        #expect(summary.unfetchedRecordCount == 0)
        #expect(summary.insertedObjectIDs.count == 1)
        try expectAgreement(bells.writer, bells.reader)
        let request = bells.cloud.faults.add(
            .call(.beforeCommit) { _ in }, for: .kind(.lookUpRecords))
        try await bells.reader.store.sync()
        #expect(bells.cloud.faults.matchCount(of: request) == 0)
    }

    @Test("keeps the object's local version, and updates it later")
    func newVersion() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        try await bells.reader.store.sync()
        try await bells.changeBell()
        bells.breakAssets()
        try await bells.syncMeeting()
        #expect(try bells.reader.value("chime", of: "bell") == Data([1, 2, 3]))
        bells.mendAssets()
        try await bells.reader.store.sync()
        try expectAgreement(bells.writer, bells.reader)
        #expect(try bells.reader.value("chime", of: "bell") == Data([4, 5, 6]))
    }

    @Test("is forgotten when the feed contains a version that can be fetched")
    func laterVersion() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        bells.breakAssets()
        try await bells.syncMeeting()
        try bells.writer.change("bell", ["chime": nil])
        try await bells.writer.store.sync()
        #expect(try await bells.reader.store.sync().unfetchedRecordCount == 0)
        try expectAgreement(bells.writer, bells.reader)
    }

    @Test("is forgotten when it is deleted", arguments: [false, true])
    func deletion(isHere: Bool) async throws {
        let bells = try await Bells()
        try await bells.addBell()
        if isHere {
            try await bells.reader.store.sync()
            try await bells.changeBell()
        }
        bells.breakAssets()
        try await bells.syncMeeting()
        try bells.writer.delete("bell")
        try await bells.writer.store.sync()
        #expect(try await bells.reader.store.sync().unfetchedRecordCount == 0)
        try expectAgreement(bells.writer, bells.reader)
    }

    @Test("is forgotten when it is gone before the feed reports it")
    func unknownItem() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        bells.breakAssets()
        try await bells.syncMeeting()
        // Between the feed and the request by name.
        let client = bells.client
        let name = try await bells.bellName()
        bells.cloud.faults.add(
            .call(.beforeCommit) { _ in
                await #expect(throws: Never.self) { try await client.delete(name) }
            }, for: .kind(.lookUpRecords))
        #expect(try await bells.reader.store.sync().unfetchedRecordCount == 0)
        #expect(try bells.labels() == [])
    }

    @Test("is not mistaken for a vanished one by a full refetch")
    func sweep() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        try await bells.reader.store.sync()
        try await bells.changeBell()
        bells.breakAssets()
        let error = await #expect(throws: SMStoreError.self) {
            try await bells.reader.store.sync(complete: true)
        }
        #expect(error?.code == 22)
        #expect(try bells.labels() == ["bell"])
        try await bells.reader.store.sync(complete: true)
        #expect(try bells.labels() == ["bell"])
        bells.mendAssets()
        try await bells.reader.store.sync()
        try expectAgreement(bells.writer, bells.reader)
    }

    @Test("is forgotten when a full refetch finds it gone")
    func sweptAway() async throws {
        let bells = try await Bells()
        // If no known record was left, the zone would seem to be another one.
        try bells.writer.add("Folder", ["name": "kept"])
        try await bells.addBell()
        try await bells.reader.store.sync()
        try await bells.changeBell()
        bells.breakAssets()
        try await bells.syncMeeting()
        try bells.writer.delete("bell")
        try await bells.writer.store.sync()
        try await bells.cloud.expireTokens(
            ofZone: bells.client.zoneID.zoneName, in: bells.client.context)
        #expect(try await bells.reader.store.sync().unfetchedRecordCount == 0)
        #expect(try bells.labels() == [])
    }

    @Test(
        "delays an edit made here, which then follows the policy",
        arguments: [
            SMSyncConflictResolutionPolicy.serverRecordWins, .clientRecordWins, .mergeByProperty,
        ])
    func edit(policy: SMSyncConflictResolutionPolicy) async throws {
        let bells = try await Bells(policy: policy)
        try await bells.addBell()
        try await bells.reader.store.sync()
        try await bells.changeBell()
        try bells.reader.change("bell", ["note": "here"])
        try bells.reader.add("Clock", ["label": "other"])
        bells.breakAssets()
        for _ in 1...2 {
            let error = await #expect(throws: SMStoreError.self) {
                try await bells.reader.store.sync()
            }
            guard case .changesNotAcknowledged(1, let underlying) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect((underlying as? SMStoreError)?.code == 22)
            try bells.reader.relaunch()
        }
        bells.mendAssets()
        try await Device.settle(bells.reader, bells.writer)
        try expectAgreement(bells.writer, bells.reader)
        #expect(try bells.writer.value("label", of: "other") == "other")
        let note: String? = try bells.writer.value("note", of: "bell")
        let position: Int? = try bells.writer.value("position", of: "bell")
        #expect(note == (policy == .serverRecordWins ? nil : "here"))
        #expect(position == (policy == .clientRecordWins ? nil : 7))
    }

    @Test(
        "delays a deletion made here, unless the policy lets it win",
        arguments: [SMSyncConflictResolutionPolicy.serverRecordWins, .clientRecordWins])
    func localDeletion(policy: SMSyncConflictResolutionPolicy) async throws {
        let bells = try await Bells(policy: policy)
        try await bells.addBell()
        try await bells.reader.store.sync()
        try await bells.changeBell()
        try bells.reader.delete("bell")
        bells.breakAssets()
        if policy == .clientRecordWins {
            #expect(try await bells.reader.store.sync().deletedRecordCount == 1)
        } else {
            let error = await #expect(throws: SMStoreError.self) {
                try await bells.reader.store.sync()
            }
            #expect(error?.code == 9)
        }
        bells.mendAssets()
        try await Device.settle(bells.reader, bells.writer)
        try expectAgreement(bells.writer, bells.reader)
        #expect(try bells.labels() == (policy == .clientRecordWins ? [] : ["bell"]))
    }

    @Test("fails each sync while the network interrupts its asset")
    func network() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        let name = try await bells.bellName()
        bells.breakAssets(.networkFailure)
        for _ in 1...2 {
            let error = await #expect(throws: SMStoreError.self) {
                try await bells.reader.store.sync()
            }
            guard case .recordsNotFetched([name], let underlying) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect((underlying as? CKError)?.code == .networkFailure)
        }
        #expect(Array(try bells.reader.store.syncStatus().unfetchedRecords.keys) == [name])
        bells.mendAssets()
        #expect(try await bells.reader.store.sync().insertedObjectIDs.count == 1)
        #expect(try bells.reader.store.syncStatus().unfetchedRecords.isEmpty)
    }

    @Test("does not count as one if only its asset is missing, also in a conflict")
    func assetNotFound() async throws {
        let bells = try await Bells(policy: .mergeByProperty)
        try await bells.addBell()
        try await bells.reader.store.sync()
        try bells.reader.change("bell", ["note": "here"])
        bells.breakAssets(.notFound)
        let writer = bells.writer
        bells.cloud.faults.add(
            .call(.beforeCommit) { _ in
                await #expect(throws: Never.self) {
                    try writer.change("bell", ["position": 7])
                    try await writer.store.sync()
                }
            }, for: .kind(.modifyRecords, device: bells.reader.cloudContainer.device))
        await bells.reader.attemptSync()
        #expect(try bells.labels() == ["bell"])
        bells.mendAssets()
        try await Device.settle(bells.reader, bells.writer)
        try expectAgreement(bells.writer, bells.reader)
        #expect(try bells.writer.value("note", of: "bell") == "here")
    }

    @Test("makes pages that fail as a whole shrink, and grow again")
    func shrinkingPages() async throws {
        let bells = try await Bells()
        for label in ["1", "2", "3"] { try bells.writer.add("Clock", ["label": label]) }
        try await bells.writer.store.sync()
        let log = RequestLog(.fetchZoneChanges, of: bells.reader, on: bells.cloud)
        bells.cloud.faults.add(
            .fail(.limitExceeded),
            for: .kind(.fetchZoneChanges, device: bells.reader.cloudContainer.device),
            occurrences: .next(4))
        try await bells.reader.store.sync()
        #expect(try bells.labels() == ["1", "2", "3"])
        #expect(log.count >= 5 && log.count <= 9, "\(log.count) requests")
    }

    @Test("is forgotten with the change token, and found again")
    func reset() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        bells.breakAssets()
        try await bells.syncMeeting()
        try await bells.reader.store.sync()
        try bells.reader.store.resetBackingStore()
        try await bells.syncMeeting()
        try await bells.reader.store.sync()
        try bells.reader.store.resetCloudFieldsInBackingStore()
        try await bells.syncMeeting()
    }

    @Test("is forgotten with its zone")
    func zoneLoss() async throws {
        let bells = try await Bells()
        try await bells.addBell()
        bells.breakAssets()
        try await bells.syncMeeting()
        bells.reader.store.zoneLossHandler = { _ in .upload }
        try await bells.client.deleteZone()
        let request = bells.cloud.faults.add(
            .call(.beforeCommit) { _ in }, for: .kind(.lookUpRecords))
        #expect(try await bells.reader.store.sync().unfetchedRecordCount == 0)
        #expect(bells.cloud.faults.matchCount(of: request) == 0)
    }
}
