import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Invariants 10, 15: the zone, its tokens and its owner") struct InvariantZoneTests {
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

    /// Deletes a record so that no feed tells of it.
    private func vanish(_ label: String) async throws {
        let client = RawClient(cloud)
        try await client.delete(try await name(of: label))
        try await cloud.expireTokens(ofZone: Self.zone, in: client.context)
    }

    // MARK: - Sweeping

    @Test("10: an expired token fetches everything again, and sweeps what has vanished")
    func expiredToken() async throws {
        let device = try await device()
        try await vanish("one")
        let summary = try await device.store.sync()
        #expect(summary.deletedObjectIDs.count == 1)
        #expect(summary.insertedObjectIDs.isEmpty && summary.updatedObjectIDs.isEmpty)
        #expect(try device.count("Clock") == 2)
    }

    @Test("10: a complete synchronisation sweeps, and spares what the server never had")
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
        "10: what vanished and was edited here goes by the policy",
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
        "10: a sweep that was interrupted goes on, over a relaunch too", arguments: [false, true])
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

    @Test("5: a token that is refused again and again ends the pass with the error")
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

    @Test("an expired token of the database is no matter")
    func expiredDatabaseToken() async throws {
        let device = try await device()
        try await cloud.expireDatabaseTokens(in: RawClient(cloud).context)
        try device.add("Clock", ["label": "four"])
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 4)
    }

    // MARK: - A lost zone

    /// How a zone is lost.
    enum Loss: CaseIterable { case deleted, purged, reset }

    private func lose(_ loss: Loss) async throws {
        let client = RawClient(cloud)
        switch loss {
        case .deleted: _ = try await client.database.deleteRecordZone(withID: client.zoneID)
        case .purged: try await cloud.purgeZone(Self.zone, in: client.context)
        case .reset: try await cloud.resetEncryptedData(ofZone: Self.zone, in: client.context)
        }
    }

    @Test(
        "15: a lost zone is told, local data stays, and nothing is uploaded until a reset",
        arguments: [Loss.deleted, .purged])
    func lostZone(loss: Loss) async throws {
        let device = try await device()
        try await lose(loss)
        try device.change("one", ["note": "unsent"])
        for _ in 1...2 {
            let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
            #expect(error?.code == SMStoreError.zoneMissing("").code)
        }
        #expect(try device.count("Clock") == 3)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        let client = RawClient(cloud)
        await #expect(throws: CKError.self) { try await client.records() }
        try device.store.resetCloudFieldsInBackingStore()
        try await device.store.sync()
        #expect(try await client.records().count == 3)
        let other = try Device("b", on: cloud)
        try await other.store.sync()
        try expectAgreement(device, other)
    }

    @Test("15: marking all as new sends links of many-to-many relationships, too")
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

    @Test(
        "15: a zone that vanishes in mid-pass ends the pass, and takes nothing along",
        arguments: [RequestKind.fetchZoneChanges, .modifyRecords])
    func zoneLostInPass(kind: RequestKind) async throws {
        let device = try await device()
        try device.change("one", ["note": "unsent"])
        let client = RawClient(cloud)
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                _ = try? await client.database.deleteRecordZone(withID: client.zoneID)
            }, for: .kind(kind, device: device.cloudContainer.device))
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(error?.code == SMStoreError.zoneMissing("").code)
        #expect(try device.count("Clock") == 3)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
    }

    // MARK: - Another user

    @Test(
        "15: a user who signs in during a pass gets nothing of the user before",
        arguments: [
            RequestKind.fetchDatabaseChanges, .fetchZoneChanges, .fetchCaller, .accountStatus,
        ])
    func userChangesInPass(kind: RequestKind) async throws {
        // The other user has used the application on another device.
        try cloud.signIn("second")
        let theirs = try Device("theirs", on: cloud)
        try theirs.add("Folder", ["name": "theirs"])
        try await theirs.store.sync()
        try cloud.signIn("first")
        let device = try await device()
        try device.add("Clock", ["label": "unsent"])
        let cloud = cloud
        cloud.faults.add(
            .call(.beforeCommit) { _ in try? cloud.signIn("second") },
            for: .kind(kind, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(try await RawClient(cloud).records().map(\.recordType) == ["Folder"])
        #expect(try device.count("Clock") == 4)
        #expect(try device.count("Folder") == 0)
        // Back with the first user all goes on.
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 4)
    }

    @Test("15: a user who signs in during the very first pass gets nothing, either")
    func userChangesInFirstPass() async throws {
        try cloud.signIn("second")
        let theirs = try Device("theirs", on: cloud)
        try theirs.add("Folder", ["name": "theirs"])
        try await theirs.store.sync()
        try cloud.signIn("first")
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "unsent"])
        let cloud = cloud
        cloud.faults.add(
            .call(.beforeCommit) { _ in try? cloud.signIn("second") },
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(try device.count("Folder") == 0)
        #expect(try await RawClient(cloud).records().map(\.recordType) == ["Folder"])
    }
}
