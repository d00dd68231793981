import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A loss on the server", .tags(.lossIsADecision)) struct ZoneLossTests {
    let cloud = LocalCloud.inMemory()
    static let zone = "SMStoreCloudStore_CustomZone"

    /// How a zone is lost, and the store's report.
    enum Event: CaseIterable {
        case deleted, purged, reset

        var told: SMZoneLoss {
            switch self {
            case .deleted: return .deleted
            case .purged: return .purged
            case .reset: return .encryptedDataReset
            }
        }
    }

    /// Records the store's questions to the app, which always gives the same answer.
    private final class Application: @unchecked Sendable {
        // Unchecked because the store asks one question at a time.

        private(set) var losses: [SMZoneLoss] = []

        /// - Parameter whileAsked: Is called with each question before it is answered.
        init(
            _ store: SMStore, _ response: SMZoneLossResponse,
            whileAsked: @escaping @Sendable () -> Void = {}
        ) {
            store.zoneLossHandler = { loss in
                self.losses.append(loss)
                whileAsked()
                return response
            }
        }
    }

    /// A device with two clocks that are on the server, one of them with an unsent change, and a
    /// third, unsent clock.
    private func device() async throws -> Device {
        let device = try Device(on: cloud)
        for label in ["one", "two"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        try device.change("one", ["note": "unsent"])
        try device.add("Clock", ["label": "three"])
        return device
    }

    private func lose(_ event: Event) async throws {
        let client = RawClient(cloud)
        switch event {
        case .deleted: try await client.deleteZone()
        case .purged: try await cloud.purgeZone(Self.zone, in: client.context)
        case .reset: try await cloud.resetEncryptedData(ofZone: Self.zone, in: client.context)
        }
    }

    private func labels() async throws -> [String] {
        try await RawClient(cloud).records().compactMap { $0["label"] }.sorted()
    }

    // MARK: - The zone

    /// Losses that stop a store, with the app's answer, if there is one.
    static let stopping: [(Event, SMZoneLossResponse?)] = [
        (.deleted, .stop), (.purged, .stop), (.reset, .stop), (.deleted, nil), (.purged, nil),
    ]

    @Test(
        "of the zone stops the sync and keeps everything until a reset, by default",
        arguments: stopping)
    func stop(event: Event, response: SMZoneLossResponse?) async throws {
        let device = try await device()
        let application = response.map { Application(device.store, $0) }
        try await lose(event)
        for _ in 1...2 {
            let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
            #expect(error?.code == SMStoreError.zoneMissing("").code)
        }
        if let application { #expect(application.losses == [event.told, event.told]) }
        #expect(try device.count("Clock") == 3)
        #expect(try device.store.syncStatus().pendingChangeCount == 2)
        await #expect(throws: CKError.self) { try await labels() }
        try device.store.resetCloudFieldsInBackingStore()
        try await device.store.sync()
        #expect(try await labels() == ["one", "three", "two"])
        let other = try Device("b", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    @Test(
        "of the zone is repaired from this device, if the app chooses so", arguments: Event.allCases
    )
    func upload(event: Event) async throws {
        let device = try await device()
        let application = Application(device.store, .upload)
        try await lose(event)
        try await device.store.sync()
        #expect(application.losses == [event.told])
        #expect(try await labels() == ["one", "three", "two"])
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
        #expect(try other.value("note", of: "one") == "unsent")
    }

    @Test("of the zone leaves no reference to an object whose deletion was still to be sent")
    func unsentDeletion() async throws {
        let (device, other) = (try Device(on: cloud), try Device("other", on: cloud))
        try device.add("Zone", ["name": "Europe"])
        try device.add("Clock", ["label": "one"])
        try device.relate("one", "timeZone", to: "Europe")
        try await Device.settle(device, other)
        try other.change("one", ["note": "edited"])
        try await other.store.sync()
        try device.edit { context in
            for zone in try Device.all("Zone", in: context) { context.delete(zone) }
        }
        // The other device's version of the clock refers to the zone again.
        let fault = cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords), occurrences: .always)
        await #expect(throws: CKError.self) { try await device.store.sync() }
        cloud.faults.remove(fault)
        _ = Application(device.store, .upload)
        try await lose(.deleted)
        try await device.store.sync()
        #expect(try device.store.checkInvariants() == [])
        let record = try #require(try await RawClient(cloud).records().first)
        #expect(record["note"] == "edited")
        #expect(record["timeZone"] as CKRecord.Reference? == nil)
    }

    @Test("of the zone leaves no reference that another device sends to a deleted object")
    func referenceToDeleted() async throws {
        let device = try Device(on: cloud)
        try device.add("Zone", ["name": "Europe"])
        try await device.store.sync()
        let client = RawClient(cloud)
        let zone = try #require(try await client.records().first).recordID.recordName
        try device.edit { context in
            for zone in try Device.all("Zone", in: context) { context.delete(zone) }
        }
        _ = Application(device.store, .upload)
        try await lose(.deleted)
        try await device.store.sync()
        let clock = client.record("Clock", named: "clock", ["label": "one"])
        clock["timeZone"] = client.reference(to: zone)
        try await client.save(clock)
        try await device.store.sync()
        // The other device may still send the object itself.
        #expect(try await client.record(named: "clock")["timeZone"] as CKRecord.Reference? != nil)
        try await device.store.sync(complete: true)
        #expect(try await client.record(named: "clock")["timeZone"] as CKRecord.Reference? == nil)
        try await client.save(client.record("Zone", named: zone, ["name": "Europe"]))
        try await device.store.sync()
        #expect(try device.count("Zone") == 1)
    }

    @Test(
        "of the zone empties the store, if the app chooses so, and a new zone begins",
        arguments: Event.allCases)
    func remove(event: Event) async throws {
        let device = try await device()
        let application = Application(device.store, .removeLocalData)
        try await lose(event)
        let summary = try await device.store.sync()
        #expect(application.losses == [event.told])
        #expect(summary.deletedObjectIDs.count == 3)
        #expect(try device.table().isEmpty)
        try device.add("Clock", ["label": "new"])
        try await device.store.sync()
        #expect(try await labels() == ["new"])
    }

    @Test("of the encrypted data alone is repaired automatically")
    func defaults() async throws {
        let device = try await device()
        try await lose(.reset)
        try await device.store.sync()
        #expect(try await labels() == ["one", "three", "two"])
    }

    /// Requests that may find the zone missing after the database's changes were fetched.
    static let requests: [RequestKind] = [.fetchZoneChanges, .modifyRecords]

    @Test("of the zone during a pass is handled in the same pass", arguments: requests)
    func inPass(kind: RequestKind) async throws {
        let device = try await device()
        let application = Application(device.store, .upload)
        let client = RawClient(cloud)
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                try? await client.deleteZone()
            }, for: .kind(kind, device: device.cloudContainer.device))
        try await device.store.sync()
        #expect(application.losses == [.missing])
        #expect(try await labels() == ["one", "three", "two"])
    }

    @Test(
        "of the zone during a pass ends the pass and removes nothing, by default",
        arguments: requests)
    func zoneLostInPass(kind: RequestKind) async throws {
        let device = try await device()
        let client = RawClient(cloud)
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                try? await client.deleteZone()
            }, for: .kind(kind, device: device.cloudContainer.device))
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(error?.code == SMStoreError.zoneMissing("").code)
        #expect(try device.count("Clock") == 3)
        #expect(try device.store.syncStatus().pendingChangeCount == 2)
    }

    @Test("of the zone is repaired by a reset, links of many-to-many relationships included")
    func resetOfLinks() async throws {
        let a = try Device("a", on: cloud, model: LibraryModel.make())
        try a.addAll("Article", "one")
        try a.addAll("Tag", "red")
        try a.setMembers("Article", "one", "tags", ["red"])
        try await a.store.sync()
        try await lose(.deleted)
        try a.store.resetCloudFieldsInBackingStore()
        try await a.store.sync()
        let b = try Device("b", on: cloud, model: LibraryModel.make())
        try await b.store.sync()
        #expect(try b.members("Article", "one", "tags") == ["red"])
    }

    @Test("of the zone again and again ends the pass", .tags(.everyLoopEnds))
    func endless() async throws {
        let device = try await device()
        let application = Application(device.store, .upload)
        cloud.faults.add(
            .fail(.zoneNotFound), for: .kind(.fetchZoneChanges), occurrences: .always)
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(error?.code == SMStoreError.zoneMissing("").code)
        #expect(application.losses == [.missing])
        #expect(try device.count("Clock") == 3)
    }

    @Test("by the user in the settings is reported, even if a request meets it first")
    func userDeletedZone() async throws {
        let device = try await device()
        let application = Application(device.store, .stop)
        cloud.faults.add(.fail(.userDeletedZone), for: .kind(.fetchZoneChanges))
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(application.losses == [.purged])
    }

    // MARK: - Records

    /// Deletes the clock "two" without an entry in the change feed.
    private func vanish() async throws {
        let client = RawClient(cloud)
        let record = try #require(
            try await client.records().first { record in
                let label: String? = record["label"]
                return label == "two"
            })
        try await client.delete(record.recordID.recordName)
        try await cloud.expireTokens(ofZone: Self.zone, in: client.context)
    }

    @Test(
        "of records, found after a token has expired, removes them by default",
        .tags(.fullFetchSweeps))
    func vanished() async throws {
        let device = try await device()
        try await vanish()
        let summary = try await device.store.sync()
        #expect(summary.deletedObjectIDs.count == 1)
        #expect(summary.insertedObjectIDs.isEmpty && summary.updatedObjectIDs.isEmpty)
        #expect(try await labels() == ["one", "three"])
        #expect(try device.count("Clock") == 2)
    }

    @Test("of records is repaired from this device, if the app chooses so")
    func vanishedUpload() async throws {
        let device = try await device()
        let application = Application(device.store, .upload)
        try await vanish()
        try await device.store.sync()
        #expect(application.losses == [.recordsVanished(count: 1)])
        #expect(try await labels() == ["one", "three", "two"])
        let other = try Device("other", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    @Test(
        "is asked about once, though the account may have changed in the meantime",
        arguments: [true, false], [SMZoneLossResponse.upload, .removeLocalData])
    func noticeWhileDeciding(isOfZone: Bool, response: SMZoneLossResponse) async throws {
        let device = try await device()
        nonisolated(unsafe) let container = device.cloudContainer
        let application = Application(device.store, response) {
            NotificationCenter.default.post(name: .CKAccountChanged, object: container)
        }
        try await isOfZone ? lose(.deleted) : vanish()
        try await device.store.sync()
        #expect(application.losses == [isOfZone ? .deleted : .recordsVanished(count: 1)])
        let kept = isOfZone ? [] : ["one", "three"]
        #expect(try await labels() == (response == .upload ? ["one", "three", "two"] : kept))
    }

    @Test("of records stops the sync, if the app chooses so, and is asked about again")
    func vanishedStop() async throws {
        let device = try await device()
        let application = Application(device.store, .stop)
        try await vanish()
        for _ in 1...2 {
            let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
            #expect(error?.code == SMStoreError.recordsVanished(count: 1).code)
        }
        #expect(application.losses.count == 2)
        #expect(try device.count("Clock") == 3)
        device.store.zoneLossHandler = nil
        try await device.store.sync()
        #expect(try device.count("Clock") == 2)
    }

    @Test("of nothing is not asked about in a complete sync")
    func complete() async throws {
        let device = try await device()
        let application = Application(device.store, .stop)
        try await device.store.sync(complete: true)
        #expect(application.losses.isEmpty)
        #expect(try await labels() == ["one", "three", "two"])
    }

    /// What a device knows when another one has sent the old value to the new zone.
    enum Vain: CaseIterable {
        /// Its edit waits, and it has learned of the loss.
        case waiting
        /// Its edit was acknowledged before the loss, of which it has learned.
        case acknowledged
        /// Its edit was acknowledged, and it finds the new zone.
        case acknowledgedUnnoticed
    }

    @Test(
        "of the zone does not cost an edit that is sent in vain before another device sends the old value",
        arguments: SMSyncConflictResolutionPolicy.ofEachKind, Vain.allCases)
    func sentInVain(policy: SMSyncConflictResolutionPolicy, vain: Vain) async throws {
        let (a, b) = (
            try Device("a", on: cloud, policy: policy), try Device("b", on: cloud, policy: policy)
        )
        for device in [a, b] { device.store.zoneLossHandler = { _ in .upload } }
        try a.add("Clock", ["label": "one", "note": "old"])
        try await Device.settle(a, b)
        try a.change("one", ["note": "new"])
        if vain != .waiting { try await a.store.sync() }
        try await lose(.deleted)
        if vain != .acknowledgedUnnoticed {
            cloud.faults.add(.fail(.networkFailure), for: .kind(.modifyRecords))
            #expect(await a.attemptSync() != nil)
        }
        try await b.store.sync()
        try await Device.settle(a, b)
        // The record of the new zone says that its maker did not know the edit.
        for device in [a, b] { #expect(try device.value("note", of: "one") == "new") }
    }
}
