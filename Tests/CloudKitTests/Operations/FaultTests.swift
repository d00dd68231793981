import CloudKit
import CloudKitService
import LocalCloud
import Testing

@Suite("Faults as an app sees them")
struct FaultTests {
    @Test("A refusal has its code, and the retry delay")
    func retryAfter() async throws {
        let devices = try await Devices.withZone()
        devices.cloud.faults.add(.fail(.zoneBusy, retryAfter: 3), for: .kind(.modifyRecords))
        let error = await #expect(throws: CKError.self) {
            try await devices.database.save(devices.note())
        }
        #expect(error?.code == .zoneBusy)
        #expect(error?.retryAfterSeconds == 3)
    }

    @Test(
        "Every code of CKError is possible",
        arguments: (1...37).filter { $0 != 2 && $0 != 13 }.compactMap(CKError.Code.init))
    func everyCode(expected: CKError.Code) async throws {
        let devices = try await Devices.withZone()
        devices.cloud.faults.add(
            .fail(ServerErrorCode(ckErrorCode: expected.rawValue)), for: .kind(.modifyRecords))
        let code = await thrownCode { try await devices.database.save(devices.note()) }
        #expect(code == expected)
    }

    @Test("A save whose answer is lost has happened, and saving again conflicts with itself")
    func lostAnswer() async throws {
        let devices = try await Devices.withZone()
        devices.cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        let record = devices.note("n1", "Lunch")
        #expect(
            await thrownCode { try await devices.database.save(record) } == .serverResponseLost)
        #expect(record.recordChangeTag == nil)
        let error = await #expect(throws: CKError.self) {
            try await devices.database.save(record)
        }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.serverRecord?["title"] == "Lunch")
    }

    @Test("An item that fails makes its atomic neighbors fail")
    func itemFails() async throws {
        let devices = try await Devices.withZone()
        devices.cloud.faults.add(.failItems(["a"], .quotaExceeded), for: .kind(.modifyRecords))
        let results = try await devices.database.modifyRecords(
            saving: [devices.note("a"), devices.note("b")], deleting: [])
        #expect(code(results.saveResults[devices.id("a")]) == .quotaExceeded)
        #expect(code(results.saveResults[devices.id("b")]) == .batchRequestFailed)
    }

    @Test("Tokens handed out before a failure stay valid")
    func failureBetweenPages() async throws {
        let devices = try await Devices.withZone()
        _ = try await devices.database.modifyRecords(
            saving: (1...4).map { devices.note("n\($0)") }, deleting: [])
        devices.cloud.faults.add(
            .fail(.networkFailure), for: .kind(.fetchZoneChanges), occurrences: .nth(2))
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [devices.zoneID],
            configurationsByRecordZoneID: [devices.zoneID: .init(resultsLimit: 2)])
        let names = Journal<String>()
        let tokens = Journal<CKServerChangeToken?>()
        let ends = Journal<CKError.Code?>()
        operation.recordWasChangedBlock = { recordID, _ in names.note(recordID.recordName) }
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in tokens.note(token) }
        operation.fetchRecordZoneChangesResultBlock = { ends.note(code($0)) }
        await devices.database.run(operation)
        #expect(ends.entries == [.networkFailure])
        let token = try #require(tokens.entries.first ?? nil)
        let rest = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: token)
        let all = names.entries + rest.modificationResultsByID.keys.map(\.recordName)
        #expect(all.sorted() == ["n1", "n2", "n3", "n4"])
    }

    @Test("Expired tokens are an error of the zone")
    func expiredToken() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note())
        let token = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil
        ).changeToken
        try await devices.cloud.expireTokens(
            ofZone: devices.zoneID.zoneName, in: devices.phone.requestContext())
        let code = await thrownCode {
            _ = try await devices.database.recordZoneChanges(
                inZoneWith: devices.zoneID, since: token)
        }
        #expect(code == .changeTokenExpired)
    }

    @Test("A purged zone is userDeletedZone until it is saved again")
    func purgedZone() async throws {
        let devices = try await Devices.withZone()
        try await devices.cloud.purgeZone(
            devices.zoneID.zoneName, in: devices.phone.requestContext())
        let record = devices.note()
        #expect(
            await thrownCode { try await devices.database.save(record) } == .userDeletedZone)
        try await devices.database.save(CKRecordZone(zoneID: devices.zoneID))
        try await devices.database.save(record)
    }
}
