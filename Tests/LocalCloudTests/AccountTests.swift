import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

@Suite("Accounts")
struct AccountTests {
    @Test(
        "A user's record name begins with an underscore and the user's name, and differs between containers"
    )
    func userRecordName() async throws {
        let test = try await TestCloud()
        let name = try await test.cloud.fetchCaller(in: test.a).userRecordName
        #expect(name.hasPrefix("_default_"))
        #expect(name.dropFirst("_default_".count).allSatisfy { $0.isHexDigit && !$0.isUppercase })
        #expect(name == test.cloud.userRecordName(of: "default", in: test.a.container))
        #expect(try await test.cloud.fetchCaller(in: test.b).userRecordName == name)
        var other = test.a
        other.container = "iCloud.other"
        #expect(try await test.cloud.fetchCaller(in: other).userRecordName != name)
        try test.cloud.signIn("anna")
        #expect(try await test.cloud.fetchCaller(in: test.a).userRecordName.hasPrefix("_anna_"))
    }

    @Test("A user's record name is one that CloudKit accepts, whatever the user is called")
    func unusualUserNames() {
        let cloud = LocalCloud.inMemory()
        let users = ["", "Zoë 5", "用户", "_", String(repeating: "x", count: 1000), "zoe5", "Zo5"]
        let names = users.map { cloud.userRecordName(of: $0, in: "iCloud.x") }
        #expect(Set(names).count == users.count)
        for name in names {
            #expect(name.count <= 255 && name.hasPrefix("_") && name.utf8.allSatisfy { $0 < 128 })
        }
    }

    @Test(
        "Without an available account, private requests and public writes fail; public reads work",
        arguments: [
            (AccountStatus.noAccount, ServerErrorCode.authenticationRequired),
            (.restricted, .authenticationRequired),
            (.couldNotDetermine, .authenticationRequired),
            (.temporarilyUnavailable, .accountTemporarilyUnavailable),
        ])
    func unavailable(status: AccountStatus, expected: ServerErrorCode) async throws {
        let test = try await TestCloud()
        try test.cloud.setAccountStatus(status)
        #expect(try await test.cloud.accountStatus(in: test.a) == status)
        for scope in [RequestContext.DatabaseScope.private, .shared] {
            let read = await code { () async throws(CloudKitServiceError) in
                _ = try await test.cloud.listZones(in: test.a.with(database: scope))
            }
            #expect(read == expected)
        }
        let publicDatabase = test.a.with(database: .public)
        let write = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.modifyRecords(
                ModifyRecordsRequest(operations: [create("r")]), in: publicDatabase)
        }
        #expect(write == expected)
        _ = try await test.cloud.listZones(in: publicDatabase)
    }

    @Test("The status can differ from device to device and container to container")
    func specificStatus() async throws {
        let test = try await TestCloud()
        var other = test.a
        other.container = "iCloud.other"
        try test.cloud.signOut(device: "A", container: "iCloud.other")
        #expect(try await test.cloud.accountStatus(in: other) == .noAccount)
        #expect(try await test.cloud.accountStatus(in: test.a) == .available)
        try test.cloud.setAccountStatus(.restricted, device: "B")
        #expect(try await test.cloud.accountStatus(in: test.b) == .restricted)
        try test.cloud.setAccountStatus(.available)
        #expect(try await test.cloud.accountStatus(in: other) == .available)
        #expect(try await test.cloud.accountStatus(in: test.b) == .available)
    }

    @Test("An account is that of the devices, too, whose names continue after a slash")
    func continuedNames() async throws {
        let test = try await TestCloud()
        func user(_ device: String) throws -> String {
            try test.cloud.account(device: device, container: test.a.container).user
        }
        func users() throws -> [String] { try ["ann", "ann/phone", "ann/phone/1"].map(user) }
        try test.cloud.signIn("ann", device: "ann", container: test.a.container)
        #expect(try users() == ["ann", "ann", "ann"])
        for other in ["", "an", "anna", "ann0", "bob/ann", "/ann", "ann\u{301}/phone"] {
            #expect(try user(other) == AccountStore.defaultUser, "\(other)")
        }
        #expect(
            try test.cloud.account(device: "ann/phone", container: "iCloud.other").user
                == AccountStore.defaultUser)
        // What was set for a device alone counts more, whatever the container, and until something
        // is set for the other again.
        try test.cloud.signIn("bob", device: "ann/phone")
        try test.cloud.signIn("eve", device: "ann0")
        #expect(try users() == ["ann", "bob", "bob"])
        try test.cloud.setAccountStatus(.restricted, device: "ann/phone/1")
        #expect(try users() == ["ann", "bob", "bob"])
        #expect(
            try test.cloud.account(device: "ann/phone/1", container: test.a.container).status
                == .restricted)
        try test.cloud.signIn("zoe", device: "ann")
        #expect(try users() == ["zoe", "zoe", "zoe"])
        #expect(try user("ann0") == "eve")
    }

    @Test("A device is notified when the account changes of a device whose name it continues")
    func changesOfTheUser() async throws {
        let test = try await TestCloud()
        try test.cloud.signIn("ann", device: "ann")
        var phone = test.a
        phone.device = "ann/phone"
        var changes = try await test.cloud.accountChanges(in: phone).makeAsyncIterator()
        try test.cloud.signOut(device: "ann")
        #expect(await changes.next() != nil)
        #expect(try await test.cloud.accountStatus(in: phone) == .noAccount)
    }

    @Test("Signing in again as the same user finds the same data")
    func switching() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"))
        try test.cloud.signIn("anna")
        #expect(try await test.cloud.listZones(in: test.a).zones.count == 1)
        try test.cloud.signIn(AccountStore.defaultUser)
        #expect(try await test.lookUp("r") != nil)
    }

    @Test("A device is notified of changes of its account")
    func changes() async throws {
        let test = try await TestCloud()
        var changes = try await test.cloud.accountChanges(in: test.a).makeAsyncIterator()
        try test.cloud.signOut()
        #expect(await changes.next() != nil)
        try test.cloud.signIn("anna", device: "A")
        #expect(await changes.next() != nil)
    }

    @Test("A user's record can be fetched by name, but neither created nor queried")
    func userRecord() async throws {
        let test = try await TestCloud()
        let zone = ZoneIDDictionary.defaultZoneName
        let name = try await test.cloud.fetchCaller(in: test.a).userRecordName
        let user = try #require(try await test.lookUp(name, zone: zone))
        #expect(user.recordType == "Users")
        let saved = try await test.modify(
            RecordOperation(
                .update,
                record(name, ["nick": .string("x")], type: "Users", tag: user.recordChangeTag)),
            zone: zone)
        #expect(saved.fields["nick"]?.value == .string("x"))
        let error = try await test.failure(
            of: RecordOperation(.create, record("r", type: "Users")), zone: zone)
        #expect(error.serverErrorCode == .accessDenied)
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.queryRecords(
                QueryRecordsRequest(query: QueryDictionary(recordType: "Users")), in: test.a)
        }
        #expect(code == .accessDenied)
    }
}

@Suite("The ownership of data")
struct DataOwnershipTests {
    @Test("A token of another user's database has expired")
    func otherUsersToken() async throws {
        let test = try await TestCloud()
        let token = try await test.databaseChanges().syncToken
        try test.cloud.signIn("other")
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.fetchDatabaseChanges(
                DatabaseChangesRequest(syncToken: token), in: test.a)
        }
        #expect(code == .changeTokenExpired)
    }

    @Test("A request of a user who is no longer signed in is refused")
    func expectedUser() async throws {
        let test = try await TestCloud()
        var context = test.a
        context.user = try await test.cloud.fetchCaller(in: test.a).userRecordName
        _ = try await test.cloud.listZones(in: context)
        try test.cloud.signIn("other")
        let expecting = context
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.listZones(in: expecting)
        }
        #expect(code == .authenticationFailed)
    }

    @Test("Containers, environments and databases share nothing")
    func isolation() async throws {
        let test = try await TestCloud()
        try await test.modify(create("r"), zone: "_defaultZone")
        var container = test.a
        container.container = "iCloud.other"
        var production = test.a
        production.environment = .production
        for context in [container, production, test.a.with(database: .public)] {
            #expect(try await test.lookUp("r", zone: "_defaultZone", in: context) == nil)
        }
    }

    @Test("A container without identifier is a bad container")
    func emptyContainer() async throws {
        let code = await code { () async throws(CloudKitServiceError) in
            _ = try await LocalCloud.inMemory().listZones(
                in: RequestContext(container: "", device: "A"))
        }
        #expect(code == .badContainer)
    }

    @Test(
        "No container identifier leads out of the cloud's directory, and no two collide",
        .tags(.pathsAreOurs),
        arguments: ["..", ".", "../x", "a/b", "a%2Fb", "", "Ä", "\u{0}"])
    func hostileIdentifiers(identifier: String) {
        let name = ContainerStores.fileName(of: identifier)
        #expect(!name.contains("/") && !name.hasPrefix(".") && !name.isEmpty)
        #expect(name != ContainerStores.fileName(of: identifier + "x"))
    }
}

extension TestCloud {
    /// An asset with the bytes "hello".
    func uploadedAsset(
        in directory: TemporaryDirectory, text: String = "hello"
    ) async throws -> AssetDictionary {
        let file = directory.url.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: file)
        let tokens = try await cloud.requestAssetUploads(
            AssetUploadsRequest(
                zoneID: zone, tokens: [.init(recordName: "r", recordType: "T", fieldName: "a")]),
            in: a)
        return try await cloud.uploadAsset(
            from: file, to: try #require(tokens.tokens.first), in: a)
    }
}
