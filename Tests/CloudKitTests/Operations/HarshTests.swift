import CloudKit
import CloudKitService
import LocalCloud
import Testing

@Suite("A harsh cloud as an app sees it")
struct HarshTests {
    /// The results that an operation reported for its records.
    private struct Outcome {
        var saved: [String]
        var failed: [String]
        var end: CKError.Code?
    }

    private func save(
        _ records: [CKRecord], isAtomic: Bool = true, in devices: Devices
    ) async -> Outcome {
        let operation = CKModifyRecordsOperation(recordsToSave: records)
        operation.isAtomic = isAtomic
        let results = Journal<(String, Bool)>()
        let ends = Journal<CKError.Code?>()
        operation.perRecordSaveBlock = { recordID, result in
            results.note((recordID.recordName, code(result) == nil))
        }
        operation.modifyRecordsResultBlock = { ends.note(code($0)) }
        await devices.database.run(operation)
        return Outcome(
            saved: results.entries.filter(\.1).map(\.0),
            failed: results.entries.filter { !$0.1 }.map(\.0), end: ends.entries.first ?? nil)
    }

    @Test(
        "A save that breaks off reports what is done, and then fails", arguments: [true, false])
    func interruptedSave(isAtomic: Bool) async throws {
        let devices = try await Devices.withZone()
        devices.cloud.faults.add(
            .interrupt(after: 2, CloudKitServiceError(.networkFailure)),
            for: .kind(.modifyRecords))
        let notes = ["a", "b", "c", "d"].map { devices.note($0) }
        let outcome = await save(notes, isAtomic: isAtomic, in: devices)
        #expect(outcome.saved == ["a", "b"])
        #expect(outcome.failed.isEmpty)
        #expect(outcome.end == .networkFailure)
        #expect(notes.map { $0.recordChangeTag != nil } == [true, true, false, false])
        let fetched = try await devices.database.records(for: notes.map(\.recordID))
        let there = fetched.filter { code($0.value) == nil }.keys.map(\.recordName).sorted()
        #expect(there == (isAtomic ? ["a", "b", "c", "d"] : ["a", "b"]))
    }

    @Test("Deletions that an answer omits are not reported")
    func interruptedDeletion() async throws {
        let devices = try await Devices.withZone()
        devices.cloud.faults.add(
            .interrupt(after: 2, CloudKitServiceError(.networkFailure)),
            for: .kind(.modifyRecords))
        let operation = CKModifyRecordsOperation(
            recordsToSave: [devices.note("a")],
            recordIDsToDelete: [devices.id("x"), devices.id("y")])
        let deleted = Journal<String>()
        operation.perRecordDeleteBlock = { recordID, _ in deleted.note(recordID.recordName) }
        await devices.database.run(operation)
        #expect(deleted.entries == ["x"])
    }

    @Test("The convenience that saves several throws the failure of the whole")
    func interruptedConvenience() async throws {
        let devices = try await Devices.withZone()
        devices.cloud.faults.add(
            .interrupt(after: 1, CloudKitServiceError(.serverResponseLost)),
            for: .kind(.modifyRecords))
        let thrown = await thrownCode {
            _ = try await devices.database.modifyRecords(
                saving: [devices.note("a"), devices.note("b")], deleting: [])
        }
        #expect(thrown == .serverResponseLost)
    }

    @Test("A fetch of changes that breaks off reports records, but no token after them")
    func interruptedFeed() async throws {
        let devices = try await Devices.withZone()
        _ = try await devices.database.modifyRecords(
            saving: (1...4).map { devices.note("n\($0)") }, deleting: [])
        devices.cloud.faults.add(
            .interrupt(after: 3, CloudKitServiceError(.zoneNotFound)),
            for: .kind(.fetchZoneChanges))
        let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [devices.zoneID])
        let names = Journal<String>()
        let tokens = Journal<Bool>()
        let ends = Journal<CKError.Code?>()
        operation.recordWasChangedBlock = { recordID, _ in names.note(recordID.recordName) }
        operation.recordZoneChangeTokensUpdatedBlock = { _, _, _ in tokens.note(true) }
        operation.recordZoneFetchResultBlock = { _, _ in tokens.note(true) }
        operation.fetchRecordZoneChangesResultBlock = { ends.note(code($0)) }
        await devices.database.run(operation)
        #expect(names.entries == ["n1", "n2", "n3"])
        #expect(tokens.entries.isEmpty)
        #expect(ends.entries == [.zoneNotFound])
    }

    @Test("A fetch of records that breaks off reports those that arrived")
    func interruptedFetch() async throws {
        let devices = try await Devices.withZone()
        _ = try await devices.database.modifyRecords(
            saving: (1...4).map { devices.note("n\($0)") }, deleting: [])
        devices.cloud.faults.add(
            .interrupt(after: 1, CloudKitServiceError(.zoneNotFound)),
            for: .kind(.lookUpRecords))
        let operation = CKFetchRecordsOperation(recordIDs: [devices.id("n1"), devices.id("n2")])
        let names = Journal<String>()
        let ends = Journal<CKError.Code?>()
        operation.perRecordResultBlock = { recordID, _ in names.note(recordID.recordName) }
        operation.fetchRecordsResultBlock = { ends.note(code($0)) }
        await devices.database.run(operation)
        #expect(names.entries == ["n1"])
        #expect(ends.entries == [.zoneNotFound])
    }

    @Test(
        "A conflict may lack its ancestor, its server record or parts of that",
        arguments: Fault.ConflictPart.allCases)
    func poorConflict(part: Fault.ConflictPart) async throws {
        let devices = try await Devices.withZone()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("a".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let note = devices.note("a", "Lunch")
        note["file"] = CKAsset(fileURL: file)
        note.encryptedValues["secret"] = "s"
        try await devices.otherDatabase.save(note)
        let lookUps = devices.cloud.faults.add(
            .delay(.beforeCommit, seconds: 0), for: .kind(.lookUpRecords), occurrences: .always)
        devices.cloud.faults.add(.omitFromConflicts([part]), for: .kind(.modifyRecords))
        let error = try #require(
            await #expect(throws: CKError.self) {
                try await devices.database.save(devices.note("a", "Tea"))
            })
        #expect(error.code == .serverRecordChanged)
        #expect(error.clientRecord?["title"] == "Tea")
        #expect((error.ancestorRecord == nil) == (part == .ancestorRecord))
        #expect((error.serverRecord == nil) == (part == .serverRecord))
        #expect(devices.cloud.faults.matchCount(of: lookUps) == 0)
        guard let server = error.serverRecord else { return }
        #expect(server["title"] == "Lunch")
        #expect((server.encryptedValues["secret"] as String? == nil) == (part == .encryptedValues))
        #expect((server["file"] as CKAsset? == nil) == (part == .assets))
    }

    @Test("One asset that fails is the failure of its record, and the others arrive")
    func poisonousAsset() async throws {
        let devices = try await Devices.withZone()
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data("a".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for name in ["a", "b", "c"] {
            let note = devices.note(name)
            note["file"] = CKAsset(fileURL: file)
            try await devices.database.save(note)
        }
        var temper = LocalCloud.Temper.harsh(seed: 1, only: [.failingAssets], chance: 0)
        temper.poisonousRecords = ["b"]
        devices.cloud.temper = temper
        let changes = try await devices.otherDatabase.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        let failed = changes.modificationResultsByID.filter { code($0.value) != nil }
        #expect(failed.keys.map(\.recordName) == ["b"])
        #expect(changes.modificationResultsByID.count == 3)
    }

    @Test("A request that is refused because of one record succeeds without it")
    func rejectedRequest() async throws {
        let devices = try await Devices.withZone()
        var temper = LocalCloud.Temper.harsh(seed: 2, only: [.rejectedRequests], chance: 0)
        temper.poisonousRecords = ["b"]
        devices.cloud.temper = temper
        let refused = await save(["a", "b", "c"].map { devices.note($0) }, in: devices)
        #expect(refused.saved.isEmpty && refused.failed.isEmpty)
        #expect(refused.end != nil)
        let passed = await save(["a", "c"].map { devices.note($0) }, in: devices)
        #expect(passed.saved == ["a", "c"])
        #expect(passed.end == nil)
    }
}
