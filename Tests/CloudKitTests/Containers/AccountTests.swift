import CloudKit
import LocalCloud
import Testing

@Suite("The account")
struct AccountTests {
    @Test("The status reports a sign-out and is not an error")
    func status() async throws {
        let devices = Devices()
        #expect(try await devices.phone.accountStatus() == .available)
        try devices.cloud.signOut()
        #expect(try await devices.phone.accountStatus() == .noAccount)
    }

    @Test("The status is delivered to a callback, too")
    func callback() async throws {
        let devices = Devices()
        let status = await withCheckedContinuation { continuation in
            devices.phone.accountStatus { status, error in
                continuation.resume(returning: error == nil ? status : .couldNotDetermine)
            }
        }
        #expect(status == .available)
    }

    @Test("Without an account every use of the private database fails")
    func notAuthenticated() async throws {
        let devices = try await Devices.withZone()
        try devices.cloud.signOut()
        #expect(
            await thrownCode { try await devices.database.save(devices.note()) }
                == .notAuthenticated)
        #expect(
            await thrownCode { _ = try await devices.phone.userRecordID() } == .notAuthenticated)
    }

    @Test("The user's record name differs from container to container and is the same on devices")
    func userRecordID() async throws {
        let devices = Devices()
        let other = CKContainer(identifier: "iCloud.other", service: devices.cloud)
        let phone = try await devices.phone.userRecordID()
        #expect(try await devices.tablet.userRecordID() == phone)
        #expect(try await other.userRecordID() != phone)
        #expect(phone.zoneID == .default)
    }

    @Test(
        "A change of the account is posted with the container",
        // Over HTTP the account is the client's token, and the server does not report changes of
        // account.
        .disabled(if: Devices.areOnTheWeb))
    func notification() async throws {
        let devices = Devices()
        _ = try await devices.phone.accountStatus()
        let phone = devices.phone
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let observer = NotificationCenter.default.addObserver(
            forName: .CKAccountChanged, object: phone, queue: nil
        ) { _ in continuation.yield() }
        try devices.cloud.signOut()
        var posts = stream.makeAsyncIterator()
        await posts.next()
        NotificationCenter.default.removeObserver(observer)
        #expect(try await phone.accountStatus() == .noAccount)
    }

    @Test("Two users share nothing in the private database")
    func twoUsers() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a", "Secret"))
        try devices.cloud.signIn("other", device: devices.tablet.device)
        let zones = try await devices.otherDatabase.allRecordZones()
        #expect(zones.map(\.zoneID) == [.default])
        let code = await thrownCode {
            _ = try await devices.otherDatabase.record(for: devices.id("a"))
        }
        #expect(code == .zoneNotFound)
    }

    @Test("The current user's record can be fetched")
    func currentUserRecord() async throws {
        let devices = Devices()
        let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
        let journal = Journal<String?>()
        operation.perRecordResultBlock = { recordID, result in
            journal.note((try? result.get())?.recordType ?? "\(String(describing: code(result)))")
        }
        await devices.database.run(operation)
        #expect(journal.entries == [CKRecord.SystemType.userRecord])
    }
}
