import CloudKit
import CloudKitService
import LocalCloud
import Testing

@Suite("Options for undocumented behavior of the client")
struct ClientOptionTests {
    private func database(
        _ devices: Devices, _ choose: (inout CloudKitOptions) -> Void
    ) -> CKDatabase {
        var options = CloudKitOptions()
        choose(&options)
        return CKContainer(
            identifier: "iCloud.test", service: devices.cloud, options: options
        ).privateCloudDatabase
    }

    @Test(
        "An atomic modification with a failure returns results, or throws",
        arguments: [false, true])
    func atomicModification(throwsError: Bool) async throws {
        #expect(!CloudKitOptions().atomicModificationsThrow)
        let devices = try await Devices.withZone()
        let database = database(devices) { $0.atomicModificationsThrow = throwsError }
        let child = devices.note("b")
        child.setParent(devices.id("x"))
        let code = await thrownCode {
            _ = try await database.modifyRecords(saving: [devices.note("a"), child], deleting: [])
        }
        #expect(code == (throwsError ? .referenceViolation : nil))
    }

    @Test(
        "The record passed to a save is updated and returned, or left unchanged",
        arguments: [true, false])
    func savedRecord(isUpdated: Bool) async throws {
        #expect(CloudKitOptions().savedRecordsAreUpdated)
        let devices = try await Devices.withZone()
        let database = database(devices) { $0.savedRecordsAreUpdated = isUpdated }
        let record = devices.note("a", "Lunch")
        let saved = try await database.save(record)
        #expect((saved === record) == isUpdated)
        #expect((record.recordChangeTag != nil) == isUpdated)
        #expect(saved.recordChangeTag != nil && saved["title"] == "Lunch")
        #expect(saved.changedKeys().isEmpty)
    }

    @Test("A modification of nothing succeeds, or fails", arguments: [false, true])
    func emptyModification(isRefused: Bool) async throws {
        #expect(!CloudKitOptions().refusesEmptyModifications)
        let devices = try await Devices.withZone()
        let database = database(devices) { $0.refusesEmptyModifications = isRefused }
        let code = await thrownCode {
            _ = try await database.modifyRecords(saving: [], deleting: [])
        }
        #expect(code == (isRefused ? .invalidArguments : nil))
    }

    @Test("A record may occur twice in a request if both sides allow it")
    func repeatedRecords() async throws {
        #expect(!CloudKitOptions().allowsRepeatedRecords)
        var options = LocalCloudOptions()
        options.allowsRepeatedRecords = true
        let devices = try await Devices.withZone(options: options)
        let database = database(devices) { $0.allowsRepeatedRecords = true }
        _ = try await database.modifyRecords(
            saving: [devices.note("a")], deleting: [devices.id("a")])
        let code = await thrownCode { _ = try await database.record(for: devices.id("a")) }
        #expect(code == .unknownItem)
    }

    @Test("Records follow the options of the process")
    func records() async {
        await #expect(processExitsWith: .success) {
            let record = CKRecord(recordType: "Note")
            record["a"] = 1
            record.encryptedValues["b"] = 2
            let defaults = CloudKitOptions()
            try #require(defaults.equalValuesAreChanges && !defaults.recordKeysIncludeEncrypted)
            try #require(record.allKeys() == ["a"] && record.changedKeys() == ["a"])
            CloudKitOptions.current.recordKeysIncludeEncrypted = true
            try #require(record.allKeys().sorted() == ["a", "b"])
            try #require(record.changedKeys().sorted() == ["a", "b"])

            let devices = try await Devices.withZone()
            let saved = try await devices.database.save(devices.note("n", "Lunch"))
            saved["title"] = "Lunch"
            try #require(saved.changedKeys() == ["title"])
            CloudKitOptions.current.equalValuesAreChanges = false
            let fetched = try await devices.database.record(for: saved.recordID)
            fetched["title"] = "Lunch"
            try #require(fetched.changedKeys().isEmpty)
            fetched["title"] = "Tea"
            try #require(fetched.changedKeys() == ["title"])

            CloudKitOptions.current.showsOwnUserAsDefaultOwner = false
            var options = LocalCloudOptions()
            options.showsCallerAsDefaultOwner = false
            let named = try await Devices.withZone(options: options)
            let own = try await named.database.save(named.note())
            let user = try await named.phone.userRecordID()
            try #require(own.creatorUserRecordID == user)
        }
    }

    @Test(
        "A zone's request that is refused without a reason reports the token, or does not",
        arguments: [true, false])
    func refusedToken(isExpired: Bool) async throws {
        #expect(CloudKitOptions().refusedTokensAreExpired)
        let devices = try await Devices.withZone()
        let database = database(devices) { $0.refusedTokensAreExpired = isExpired }
        let token = try await database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil
        ).changeToken
        devices.cloud.faults.add(
            .failItems(["Notes"], .badRequest), for: .kind(.fetchZoneChanges))
        let code = await thrownCode {
            _ = try await database.recordZoneChanges(inZoneWith: devices.zoneID, since: token)
        }
        #expect(code == (isExpired ? .changeTokenExpired : .invalidArguments))
    }

    @Test(
        "The type of a deleted record that the service does not report is remembered, or empty",
        arguments: [false, true])
    func typeOfDeletedRecord(isRemembered: Bool) async throws {
        #expect(!CloudKitOptions().remembersRecordTypes)
        let devices = try await Devices.withZone()
        var options = CloudKitOptions()
        options.remembersRecordTypes = isRemembered
        let database = CKContainer(
            identifier: "iCloud.test", service: CloudWithoutDeletedTypes(cloud: devices.cloud),
            options: options
        ).privateCloudDatabase
        try await devices.database.save(devices.note("fetched"))
        let token = try await database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil
        ).changeToken
        try await database.save(devices.note("saved"))
        try await devices.database.save(devices.note("unseen"))
        _ = try await devices.database.modifyRecords(
            saving: [], deleting: ["fetched", "saved", "unseen"].map(devices.id))
        let deletions = try await database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: token
        ).deletions
        let types = Dictionary(
            uniqueKeysWithValues: deletions.map { ($0.recordID.recordName, $0.recordType) })
        let known = isRemembered ? "Note" : ""
        #expect(types == ["fetched": known, "saved": known, "unseen": ""])
    }
}
