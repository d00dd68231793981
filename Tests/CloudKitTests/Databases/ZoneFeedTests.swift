import CloudKit
import LocalCloud
import Testing

@Suite("Changes of zones")
struct ZoneFeedTests {
    @Test("Rule 5: since a token each record appears once, in its current state or as deleted")
    func latestStates() async throws {
        let devices = try await Devices.withZone()
        let database = devices.database
        try await database.save(devices.note("kept", "1"))
        try await database.save(devices.note("deleted", "1"))
        let start = try await database.recordZoneChanges(inZoneWith: devices.zoneID, since: nil)
        #expect(start.modificationResultsByID.count == 2)
        let kept = try await database.record(for: devices.id("kept"))
        for title in ["2", "3"] {
            kept["title"] = title
            try await database.save(kept)
        }
        try await database.deleteRecord(withID: devices.id("deleted"))
        let changes = try await devices.otherDatabase.recordZoneChanges(
            inZoneWith: devices.zoneID, since: start.changeToken)
        #expect(changes.modificationResultsByID.count == 1)
        let record = try changes.modificationResultsByID[devices.id("kept")]?.get().record
        #expect(record?["title"] == "3")
        #expect(changes.deletions.map(\.recordID) == [devices.id("deleted")])
        #expect(changes.deletions.map(\.recordType) == ["Note"])
        #expect(!changes.moreComing)
    }

    @Test("Without a token there are no deletions")
    func noTombstonesAtFirst() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a"))
        try await devices.database.deleteRecord(withID: devices.id("a"))
        let changes = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        #expect(changes.modificationResultsByID.isEmpty && changes.deletions.isEmpty)
    }

    @Test("Rule 6: a client gets its own saves back")
    func ownChanges() async throws {
        let devices = try await Devices.withZone()
        let start = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        let record = try await devices.database.save(devices.note("a"))
        let changes = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: start.changeToken)
        let echo = try changes.modificationResultsByID[record.recordID]?.get().record
        #expect(echo?.recordChangeTag == record.recordChangeTag)
    }

    @Test("With the current token nothing is left, and there is a token again")
    func nothingNew() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a"))
        let first = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        let second = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: first.changeToken)
        #expect(second.modificationResultsByID.isEmpty && second.deletions.isEmpty)
    }

    @Test("Rule 8: a token of another zone has expired")
    func foreignToken() async throws {
        let devices = try await Devices.withZone()
        let other = CKRecordZone(zoneName: "Other")
        try await devices.database.save(other)
        let token = try await devices.database.recordZoneChanges(
            inZoneWith: other.zoneID, since: nil
        ).changeToken
        let code = await thrownCode {
            _ = try await devices.database.recordZoneChanges(
                inZoneWith: devices.zoneID, since: token)
        }
        #expect(code == .changeTokenExpired)
    }

    @Test("Rule 8: a token of an earlier zone of the same name has expired")
    func incarnations() async throws {
        let devices = try await Devices.withZone()
        let token = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil
        ).changeToken
        try await devices.database.deleteRecordZone(withID: devices.zoneID)
        try await devices.database.save(CKRecordZone(zoneID: devices.zoneID))
        let code = await thrownCode {
            _ = try await devices.database.recordZoneChanges(
                inZoneWith: devices.zoneID, since: token)
        }
        #expect(code == .changeTokenExpired)
    }

    @Test("A token survives an archive")
    func archivedToken() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a"))
        let token = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil
        ).changeToken
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let restored = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: data))
        #expect(restored == token)
        let changes = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: restored)
        #expect(changes.modificationResultsByID.isEmpty)
    }

    @Test("Between pages the tokens block is called, at the end the result block")
    func pages() async throws {
        let devices = try await Devices.withZone()
        _ = try await devices.database.modifyRecords(
            saving: (1...5).map { devices.note("n\($0)") }, deleting: [])
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [devices.zoneID],
            configurationsByRecordZoneID: [devices.zoneID: .init(resultsLimit: 2)])
        let journal = Journal<String>()
        operation.recordWasChangedBlock = { _, _ in journal.note("record") }
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in
            journal.note(token == nil ? "no token" : "token")
        }
        operation.recordZoneFetchResultBlock = { _, result in
            let more = (try? result.get())?.moreComing
            journal.note("zone \(more == false)")
        }
        operation.fetchRecordZoneChangesResultBlock = { _ in journal.note("end") }
        await devices.database.run(operation)
        #expect(
            journal.entries == [
                "record", "record", "token", "record", "record", "token", "record", "zone true",
                "end",
            ])
    }

    @Test("Without fetchAllChanges there is one page, no tokens block, and the right flag for more")
    func onePage() async throws {
        let devices = try await Devices.withZone()
        _ = try await devices.database.modifyRecords(
            saving: (1...5).map { devices.note("n\($0)") }, deleting: [])
        let page = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil, resultsLimit: 2)
        #expect(page.modificationResultsByID.count == 2)
        #expect(page.moreComing)
    }

    @Test("The error of a zone affects only that zone")
    func zoneError() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a"))
        let missing = CKRecordZone.ID(zoneName: "Missing")
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [missing, devices.zoneID])
        let journal = Journal<String>()
        operation.recordWasChangedBlock = { recordID, _ in journal.note(recordID.recordName) }
        operation.recordZoneFetchResultBlock = { zoneID, result in
            journal.note("\(zoneID.zoneName) \(code(result) == .zoneNotFound)")
        }
        operation.fetchRecordZoneChangesResultBlock = { result in
            journal.note(code(result) == nil ? "success" : "failure")
        }
        await devices.database.run(operation)
        #expect(journal.entries == ["Missing true", "a", "Notes false", "success"])
    }

    @Test("Desired keys restrict the values: none means system fields only")
    func desiredKeys() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a", "Lunch"))
        let changes = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil, desiredKeys: [])
        let record = try changes.modificationResultsByID[devices.id("a")]?.get().record
        #expect(record?.allKeys() == [])
        #expect(record?.recordChangeTag != nil)
    }

    @Test("The client's token data comes back with the next fetch")
    func clientChangeTokenData() async throws {
        let devices = try await Devices.withZone()
        let save = CKModifyRecordsOperation(recordsToSave: [devices.note("a")])
        save.clientChangeTokenData = Data([7])
        await devices.database.run(save)
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [devices.zoneID])
        let journal = Journal<Data?>()
        operation.recordZoneFetchResultBlock = { _, result in
            journal.note((try? result.get())?.clientChangeTokenData)
        }
        await devices.database.run(operation)
        #expect(journal.entries == [Data([7])])
    }

    @Test("The database reports which zones changed, and which are gone and why")
    func databaseChanges() async throws {
        let devices = try await Devices.withZone()
        let other = CKRecordZone(zoneName: "Other")
        let purged = CKRecordZone(zoneName: "Purged")
        _ = try await devices.database.modifyRecordZones(saving: [other, purged], deleting: [])
        let start = try await devices.otherDatabase.databaseChanges(since: nil)
        #expect(Set(start.modifications.map(\.zoneID.zoneName)) == ["Notes", "Other", "Purged"])
        try await devices.database.save(devices.note("a"))
        try await devices.database.deleteRecordZone(withID: other.zoneID)
        try await devices.cloud.purgeZone("Purged", in: devices.phone.requestContext())
        let changes = try await devices.otherDatabase.databaseChanges(since: start.changeToken)
        #expect(changes.modifications.map(\.zoneID) == [devices.zoneID])
        let reasons = Dictionary(
            uniqueKeysWithValues: changes.deletions.map { ($0.zoneID.zoneName, $0.reason) })
        #expect(reasons == ["Other": .deleted, "Purged": .purged])
    }
}
