import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A fetch from the beginning", .tags(.fullFetchSweeps)) struct SweepTests {
    let cloud = LocalCloud.inMemory()
    static let zone = "SMStoreCloudStore_CustomZone"

    private func device(
        _ name: String = "a", _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) async throws -> Device {
        let device = try Device(name, on: cloud, policy: policy)
        for label in ["one", "two", "three"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        return device
    }

    private func name(of label: String) async throws -> String {
        try #require(
            try await RawClient(cloud).records().first { record in
                let value: String? = record["label"]
                return value == label
            }
        ).recordID.recordName
    }

    /// Deletes a record without an entry in the change feed.
    private func vanish(_ label: String) async throws {
        let client = RawClient(cloud)
        try await client.delete(try await name(of: label))
        try await cloud.expireTokens(ofZone: Self.zone, in: client.context)
    }

    @Test("sweeps, and spares what was never on the server", .tags(.neverSeenMeansNeverSent))
    func complete() async throws {
        let device = try await device()
        try device.add("Folder", ["name": "new"])
        cloud.faults.add(
            .fail(.networkFailure), for: .kind(.modifyRecords, device: device.cloudContainer.device)
        )
        let summary = try? await device.store.sync(complete: true)
        #expect(summary == nil)
        #expect(try device.count("Folder") == 1)
        #expect(try device.count("Clock") == 3)
        try await device.store.sync(complete: true)
        #expect(try await RawClient(cloud).records().count == 4)
    }

    @Test(
        "leaves it to the policy what happens to an edited object that vanished",
        arguments: SMSyncConflictResolutionPolicy.allCases)
    func editedAndVanished(policy: SMSyncConflictResolutionPolicy) async throws {
        let device = try await device("a", policy)
        try device.change("one", ["note": "edited"])
        try device.delete("two")
        try await vanish("one")
        try await vanish("two")
        try await device.store.sync()
        #expect(try device.count("Clock") == (policy == .serverRecordWins ? 1 : 2))
        let other = try Device("b", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    @Test(
        "tells an edit from a reference that was removed with its destination",
        arguments: SMSyncConflictResolutionPolicy.allCases, [false, true])
    func removedReference(
        policy: SMSyncConflictResolutionPolicy, editsDestination: Bool
    ) async throws {
        let device = try await device("a", policy)
        let other = try Device("b", on: cloud, policy: policy)
        try device.add("Zone", ["name": "Europe"])
        try device.relate("one", "timeZone", to: "Europe")
        try await Device.settle(device, other)
        try other.edit { context in
            for zone in try Device.all("Zone", in: context) { context.delete(zone) }
        }
        try await other.store.sync()
        try device.delete("one")
        if editsDestination {
            // The object survives its deletion, but the reference was removed nevertheless.
            try device.edit { context in
                for zone in try Device.all("Zone", in: context) {
                    zone.setValue("edited", forKey: "name")
                }
            }
        }
        let client = RawClient(cloud)
        try await cloud.expireTokens(ofZone: Self.zone, in: client.context)
        try await Device.settle(device, other)
        for device in [device, other] { #expect(try device.count("Clock") == 2) }
        try expectAgreement(device, other)
    }

    @Test(
        "continues after an interruption, also over a relaunch, and sweeps",
        arguments: [false, true])
    func interruptedSweep(relaunches: Bool) async throws {
        let device = try await device()
        try device.edit { context in
            for index in 0..<450 {
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("\(index)", forKey: "name")
            }
        }
        try await device.store.sync()
        try await vanish("one")
        cloud.faults.add(
            .fail(.networkFailure),
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device),
            occurrences: .nth(3))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(try device.count("Clock") == 3)
        if relaunches { try device.relaunch() }
        try await device.store.sync()
        #expect(try device.count("Clock") == 2)
        #expect(try device.count("Folder") == 450)
    }

    @Test("ends with the error if its token is refused again and again", .tags(.everyLoopEnds))
    func endlessExpiry() async throws {
        let device = try await device()
        let fault = cloud.faults.add(
            .fail(.changeTokenExpired),
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device),
            occurrences: .always)
        let error = await #expect(throws: CKError.self) { try await device.store.sync() }
        #expect(error?.code == .changeTokenExpired)
        #expect(cloud.faults.matchCount(of: fault) <= 3)
        #expect(try device.count("Clock") == 3)
        cloud.faults.removeAll()
        try await device.store.sync()
        #expect(try device.count("Clock") == 3)
    }

    @Test("does not follow from an expired token of the database")
    func expiredDatabaseToken() async throws {
        let device = try await device()
        try await cloud.expireDatabaseTokens(in: RawClient(cloud).context)
        try device.add("Clock", ["label": "four"])
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 4)
    }

    @Test("is preceded by the deletions that are new, though what vanished is to be sent again")
    func deletionsFirst() async throws {
        let (a, b) = (try await device(), try Device("b", on: cloud))
        a.store.zoneLossHandler = { _ in .upload }
        try await b.store.sync()
        try b.delete("one")
        try await b.store.sync()
        try await a.store.sync(complete: true)
        #expect(try a.count("Clock") == 2)
        #expect(try await RawClient(cloud).records().count == 2)
    }

    @Test("sends all that vanished again, at whichever statement the process was killed")
    func killWhileSendingAgain() async {
        // The logger, which all stores share, makes the copies.
        await #expect(processExitsWith: .success) {
            let tests = SweepTests()
            let labels = ["one", "two", "three"]
            let a = try Device(
                "a", on: tests.cloud, options: ["Seam3StepLimit": NSNumber(value: 1)])
            for label in labels { try a.add("Clock", ["label": label]) }
            try await a.store.sync()
            for label in labels { try await tests.vanish(label) }
            a.close()
            let crashes = try CrashCopies(of: a.directory)
            crashes.start()
            try a.open(model: ClockModel.make())
            a.store.zoneLossHandler = { _ in .upload }
            try await a.store.sync()
            let copies = try crashes.stop()
            #expect(copies.count > 100, "\(copies.count)")
            // Most statements in a row leave the same.
            for place in stride(from: 0, to: copies.count, by: 13) {
                for label in labels { try await tests.vanish(label) }
                a.close()
                try StoreFiles.replace(a.directory, by: copies[place])
                try a.open(model: ClockModel.make())
                a.store.zoneLossHandler = { _ in .upload }
                try await a.store.sync()
                let records = try await RawClient(tests.cloud).records()
                #expect(records.count == 3, "\(place)")
                let count = try a.count("Clock")
                #expect(count == 3, "\(place)")
                let violations = try a.store.checkInvariants()
                #expect(violations.isEmpty, "\(place): \(violations)")
            }
        }
    }

    @Test(
        "applies the deletions in the meantime, though what vanished is to be sent again",
        arguments: [2, 3], [false, true])
    func deletionsBetweenPages(request: Int, relaunches: Bool) async throws {
        let (a, b) = (try await device(), try Device("b", on: cloud))
        try a.edit { context in
            for index in 0..<300 {
                NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
                    .setValue("\(index)", forKey: "name")
            }
        }
        try await Device.settle(a, b)
        a.store.zoneLossHandler = { _ in .upload }
        cloud.faults.add(
            .fail(.networkFailure), for: .kind(.fetchZoneChanges, device: a.cloudContainer.device),
            occurrences: .nth(request))
        await #expect(throws: (any Error).self) { try await a.store.sync(complete: true) }
        try b.edit { context in
            for folder in try Device.all("Folder", in: context) { context.delete(folder) }
        }
        try await b.store.sync()
        if relaunches {
            try a.relaunch()
            a.store.zoneLossHandler = { _ in .upload }
        }
        try await a.store.sync()
        #expect(try a.count("Folder") == 0)
        #expect(try await RawClient(cloud).records().count == 3)
    }

    @Test("is preceded by the deletions that are new if a migration has asked for it")
    func deletionsBeforeMigration() async throws {
        let (a, b) = (try await device(), try Device("b", on: cloud))
        try await b.store.sync()
        try b.delete("one")
        try await b.store.sync()
        let newer = ClockModel.make()
        newer.entitiesByName["Clock"]?.properties.append(
            NSAttributeDescription("color", .stringAttributeType))
        try a.relaunch(model: newer)
        a.store.zoneLossHandler = { _ in .upload }
        try await a.store.sync()
        #expect(try a.count("Clock") == 2)
        #expect(try await RawClient(cloud).records().count == 2)
    }

    @Test(
        "keeps a new object whose save got no answer, also if another device has deleted it: nothing tells",
        .tags(.neverSeenMeansNeverSent), arguments: SMSyncConflictResolutionPolicy.allCases)
    func deletedInsertion(policy: SMSyncConflictResolutionPolicy) async throws {
        let (a, b) = (try await device("a", policy), try Device("b", on: cloud))
        try await b.store.sync()
        try a.add("Folder", ["name": "new"])
        try await a.syncLosingAnswer(on: cloud)
        try await b.store.sync()
        try b.edit { context in context.delete(try Device.object("Folder", "new", in: context)) }
        try await b.store.sync()
        try await cloud.expireTokens(ofZone: Self.zone, in: RawClient(cloud).context)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try device.count("Folder") == 1) }
        #expect(try await RawClient(cloud).records().count == 4)
    }

    @Test("keeps a new object whose save got no answer and was not carried out")
    func insertionInVain() async throws {
        let (a, b) = (try await device(), try Device("b", on: cloud))
        try a.add("Folder", ["name": "new"])
        await a.syncSendingNothing(on: cloud)
        try await cloud.expireTokens(ofZone: Self.zone, in: RawClient(cloud).context)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try device.count("Folder") == 1) }
    }
}
