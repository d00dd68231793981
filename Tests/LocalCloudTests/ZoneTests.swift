import CloudKitService
import Testing

@testable import LocalCloud

@Suite("Zones and the feed of the database")
struct ZoneTests {
    @Test("Saving an existing zone succeeds and changes nothing")
    func saveExisting() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"))
        let token = try await test.databaseChanges().syncToken
        try await test.makeZone("Z")
        #expect(try await test.lookUp("r") != nil)
        #expect(try await test.databaseChanges(since: token).zones.isEmpty)
    }

    @Test("Deleting a missing zone is zoneNotFound")
    func deleteMissing() async throws {
        let test = try await TestCloud()
        let result = try await test.deleteZone("Missing")
        #expect(result.error?.serverErrorCode == .zoneNotFound)
        #expect(result.error?.zoneID?.zoneName == "Missing")
    }

    @Test("The default zone always exists, has no capabilities, and cannot be deleted")
    func defaultZone() async throws {
        let test = try await TestCloud()
        let zones = try await test.cloud.listZones(in: test.a).zones.compactMap(\.item)
        #expect(zones.map(\.zoneID.zoneName) == ["Z", "_defaultZone"])
        #expect(zones.map(\.capabilities) == [15, 0])
        let result = try await test.deleteZone("_defaultZone")
        #expect(result.error?.serverErrorCode == .badRequest)
    }

    @Test(
        "A zone's name is ASCII, not empty, and does not begin with an underscore",
        arguments: ["", "_x", "Zoné", String(repeating: "z", count: 256)])
    func names(name: String) async throws {
        let test = try await TestCloud()
        let response = try await test.cloud.modifyZones(
            ModifyZonesRequest(operations: [
                ZoneOperation(.create, ZoneIDDictionary(zoneName: name))
            ]), in: test.a)
        #expect(response.zones.first?.error?.serverErrorCode == .badRequest)
    }

    @Test(
        "Only the private database has custom zones",
        arguments: [RequestContext.DatabaseScope.public, .shared])
    func otherDatabases(scope: RequestContext.DatabaseScope) async throws {
        let test = try await TestCloud()
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.modifyZones(
                ModifyZonesRequest(operations: [ZoneOperation(.create, test.zone)]),
                in: test.a.with(database: scope))
        }
        #expect(code == .badDatabase)
    }

    @Test("The public database has no feeds")
    func publicFeed() async throws {
        let test = try await TestCloud()
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.fetchDatabaseChanges(
                DatabaseChangesRequest(), in: test.a.with(database: .public))
        }
        #expect(code == .badDatabase)
    }

    @Test("The owner's record name names the user's own zone, and another's does not")
    func owner() async throws {
        let test = try await TestCloud()
        let own = try await test.cloud.fetchCaller(in: test.a).userRecordName
        let response = try await test.cloud.lookUpZones(
            LookUpZonesRequest(zones: [
                ZoneIDDictionary(zoneName: "Z", ownerRecordName: own),
                ZoneIDDictionary(zoneName: "Z", ownerRecordName: "_other"),
            ]), in: test.a)
        #expect(response.zones.map(\.error?.serverErrorCode) == [nil, .zoneNotFound])
        #expect(response.zones.first?.item?.zoneID.ownerRecordName == "__defaultOwner__")
    }

    @Test("A zone with a changed record is reported once, the default zone never")
    func databaseFeed() async throws {
        let test = try await TestCloud()
        let token = try await test.databaseChanges().syncToken
        _ = try await test.modify([create("a"), create("b")])
        try await test.modify(create("c"))
        try await test.modify(create("d"), zone: ZoneIDDictionary.defaultZoneName)
        let changes = try await test.databaseChanges(since: token)
        #expect(changes.zones.map(\.zoneID.zoneName) == ["Z"])
        #expect(!changes.moreComing)
    }

    @Test("A deleted zone is reported with the reason, but not without a token")
    func deletedZone() async throws {
        let test = try await TestCloud()
        let token = try await test.databaseChanges().syncToken
        _ = try await test.deleteZone("Z")
        let zones = try await test.databaseChanges(since: token).zones
        #expect(zones.map(\.deletionReason) == [.deleted])
        #expect(try await test.databaseChanges().zones.isEmpty)
    }

    @Test("A zone that was deleted and created again is reported as changed")
    func recreatedZone() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"))
        let token = try await test.databaseChanges().syncToken
        _ = try await test.deleteZone("Z")
        try await test.makeZone("Z")
        #expect(try await test.databaseChanges(since: token).zones.map(\.deleted) == [nil])
        #expect(try await test.changes().records.isEmpty)
    }

    @Test("The database's feed has pages")
    func pages() async throws {
        let test = try await TestCloud()
        try await test.makeZone("Y")
        try await test.makeZone("X")
        let first = try await test.databaseChanges(limit: 2)
        #expect(first.zones.map(\.zoneID.zoneName) == ["Z", "Y"])
        #expect(first.moreComing)
        let second = try await test.databaseChanges(since: first.syncToken, limit: 2)
        #expect(second.zones.map(\.zoneID.zoneName) == ["X"])
        #expect(!second.moreComing)
    }

    @Test("A purged zone is userDeletedZone until it is saved again")
    func purge() async throws {
        let test = try await TestCloud()
        let token = try await test.databaseChanges().syncToken
        try await test.cloud.purgeZone("Z", in: test.a)
        #expect(
            try await test.databaseChanges(since: token).zones.map(\.deletionReason) == [.purged])
        let error = try await test.failure(of: create("r"))
        #expect(error.serverErrorCode == .userDeletedZone)
        try await test.makeZone("Z")
        try await test.modify(create("r"))
    }

    @Test("After a reset of the encrypted data, zoneNotFound says so")
    func encryptedDataReset() async throws {
        let test = try await TestCloud()
        let token = try await test.databaseChanges().syncToken
        try await test.cloud.resetEncryptedData(ofZone: "Z", in: test.a)
        #expect(
            try await test.databaseChanges(since: token).zones.map(\.deletionReason)
                == [.encryptedDataReset])
        let error = try await test.failure(of: create("r"))
        #expect(error.serverErrorCode == .zoneNotFound)
        #expect(error.userDidResetEncryptedData == true)
    }

    @Test("A zone token is not a database token, and database tokens expire on demand")
    func databaseTokens() async throws {
        let test = try await TestCloud()
        let token = try await test.databaseChanges().syncToken
        let zoneToken = try await test.changes().syncToken
        #expect(await codeOfChanges(test, since: zoneToken) == .changeTokenExpired)
        #expect(await codeOfChanges(test, since: token) == nil)
        try await test.cloud.expireDatabaseTokens(in: test.a)
        #expect(await codeOfChanges(test, since: token) == .changeTokenExpired)
    }

    private func codeOfChanges(_ test: TestCloud, since token: String) async -> ServerErrorCode? {
        await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.fetchDatabaseChanges(
                DatabaseChangesRequest(syncToken: token), in: test.a)
        }
    }
}
