import CloudKit
import LocalCloud
import Testing

@Suite("Batches and their errors")
struct AtomicityTests {
    /// A database with a record that will conflict, and two saves, one of them of that record.
    private func conflictingBatch() async throws -> (Devices, [CKRecord]) {
        let devices = try await Devices.withZone()
        try await devices.otherDatabase.save(devices.note("taken", "Theirs"))
        return (devices, [devices.note("taken", "Mine"), devices.note("innocent", "Mine")])
    }

    @Test("Rule 3: in a custom zone a failure makes the whole batch of the zone fail")
    func atomicZone() async throws {
        let (devices, records) = try await conflictingBatch()
        let results = try await devices.database.modifyRecords(
            saving: records, deleting: [devices.id("x")])
        #expect(code(results.saveResults[devices.id("taken")]) == .serverRecordChanged)
        #expect(code(results.saveResults[devices.id("innocent")]) == .batchRequestFailed)
        #expect(code(results.deleteResults[devices.id("x")]) == .batchRequestFailed)
        let lookUp = try await devices.database.records(for: [devices.id("innocent")])
        #expect(code(lookUp[devices.id("innocent")]) == .unknownItem)
    }

    @Test("Rule 3: a failure in one zone does not touch another")
    func otherZone() async throws {
        let (devices, records) = try await conflictingBatch()
        let otherZone = CKRecordZone(zoneName: "Other")
        try await devices.database.save(otherZone)
        let other = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "o", zoneID: otherZone.zoneID))
        let results = try await devices.database.modifyRecords(
            saving: records + [other], deleting: [])
        #expect(code(results.saveResults[other.recordID]) == nil)
        #expect(other.recordChangeTag != nil)
    }

    @Test("Rule 3: without atomicity the other records are saved")
    func notAtomic() async throws {
        let (devices, records) = try await conflictingBatch()
        let results = try await devices.database.modifyRecords(
            saving: records, deleting: [], atomically: false)
        #expect(code(results.saveResults[devices.id("taken")]) == .serverRecordChanged)
        #expect(code(results.saveResults[devices.id("innocent")]) == nil)
    }

    @Test("Rule 3: the default zone is never atomic")
    func defaultZone() async throws {
        let devices = Devices()
        let taken = CKRecord.ID(recordName: "taken")
        try await devices.database.save(CKRecord(recordType: "Note", recordID: taken))
        let innocent = CKRecord(recordType: "Note")
        let results = try await devices.database.modifyRecords(
            saving: [CKRecord(recordType: "Note", recordID: taken), innocent], deleting: [])
        #expect(code(results.saveResults[taken]) == .serverRecordChanged)
        #expect(code(results.saveResults[innocent.recordID]) == nil)
    }

    @Test("Rule 4: only the deprecated block gets a partial failure")
    func partialFailure() async throws {
        let (devices, records) = try await conflictingBatch()
        let operation = CKModifyRecordsOperation(recordsToSave: records)
        let journal = Journal<String>()
        operation.modifyRecordsResultBlock = { result in
            journal.note("result \(code(result).map { "\($0)" } ?? "success")")
        }
        (self as any DeprecatedBlockSetting).set(operation) { _, _, error in
            let errors = (error as? CKError)?.partialErrorsByItemID ?? [:]
            let taken = errors[devices.id("taken")]
            journal.note("completion \(errors.count) \(code(taken) == .serverRecordChanged)")
            if code(error) == .partialFailure { journal.note("partialFailure") }
        }
        await devices.database.run(operation)
        #expect(journal.entries == ["result success", "completion 2 true", "partialFailure"])
    }

    @Test("More than 400 items exceed the limit, and nothing is saved")
    func limit() async throws {
        let devices = try await Devices.withZone()
        let records = (0...400).map { devices.note("n\($0)") }
        let code = await thrownCode {
            _ = try await devices.database.modifyRecords(saving: records, deleting: [])
        }
        #expect(code == .limitExceeded)
        let changes = try await devices.database.recordZoneChanges(
            inZoneWith: devices.zoneID, since: nil)
        #expect(changes.modificationResultsByID.isEmpty)
    }

    @Test("A record that occurs twice in a request is an invalid argument")
    func repeated() async throws {
        let devices = try await Devices.withZone()
        let record = devices.note()
        let code = await thrownCode {
            _ = try await devices.database.modifyRecords(
                saving: [record], deleting: [record.recordID])
        }
        #expect(code == .invalidArguments)
    }

    @Test("An operation without items succeeds")
    func empty() async throws {
        let devices = Devices()
        let results = try await devices.database.modifyRecords(saving: [], deleting: [])
        #expect(results.saveResults.isEmpty && results.deleteResults.isEmpty)
    }
}

/// Sets a deprecated block through a protocol, which avoids the warning.
private protocol DeprecatedBlockSetting {
    func set(
        _ operation: CKModifyRecordsOperation,
        _ block: @escaping ([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)
}

extension AtomicityTests: DeprecatedBlockSetting {
    @available(*, deprecated)
    fileprivate func set(
        _ operation: CKModifyRecordsOperation,
        _ block: @escaping ([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void
    ) {
        operation.modifyRecordsCompletionBlock = block
    }
}
