import CloudKit
import LocalCloud
import Testing

@testable import NestedCloudKitCodable

@Suite("The fetch of an object's records", .timeLimit(.minutes(1)))
struct RecordFetchTests {
    /// A record that refers to another, and a database with the other, whose client behaves as chosen.
    private func reference(
        _ choose: (inout CloudKitOptions) -> Void
    ) async throws -> (record: CKRecord, database: CKDatabase) {
        let cloud = LocalCloud.inMemory()
        var options = CloudKitOptions()
        choose(&options)
        let database = CKContainer(
            identifier: "iCloud.test", service: cloud, options: options
        ).privateCloudDatabase
        let ordinary = CKContainer(identifier: "iCloud.test", service: cloud).privateCloudDatabase
        let other = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "other"))
        _ = try await ordinary.save(other)
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "one"))
        record["other"] = CKRecord.Reference(recordID: other.recordID, action: .none)
        return (record, database)
    }

    @Test("ends if its task is canceled before an operation is added")
    func canceledEarly() async throws {
        for ends in [true, false] {
            let (record, database) = try await reference {
                $0.operationsCanceledEarlyEnd = ends
                $0.canceledOperationsAnswer = false
            }
            let fetch = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await RecordFetch(database: database, maximumDepth: 9)
                    .records(from: record)
            }
            fetch.cancel()
            let error = await #expect(throws: CKCodableError.self) { try await fetch.value }
            #expect((error?.underlyingError as? CKError)?.code == .operationCancelled)
        }
    }

    @Test("ends if its operation ends without an answer")
    func canceledLate() async throws {
        let cloud = LocalCloud.inMemory()
        var options = CloudKitOptions()
        options.canceledOperationsAnswer = false
        let database = CKContainer(
            identifier: "iCloud.test", service: cloud, options: options
        ).privateCloudDatabase
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "one"))
        record["other"] = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "other"), action: .none)
        let gate = FaultGate()
        cloud.faults.add(.wait(.beforeCommit, gate), for: .kind(.lookUpRecords))
        let fetch = Task {
            try await RecordFetch(database: database, maximumDepth: 9).records(from: record)
        }
        await gate.arrival()
        fetch.cancel()
        await #expect(throws: CKCodableError.self) { try await fetch.value }
        gate.open()
    }

    @Test("reads the errors of a partial failure, and does not miss a result")
    func lessThanPromised() async throws {
        for reports in [true, false] {
            let (record, database) = try await reference {
                $0.itemFailuresFailOperations = true
                $0.operationsReportItems = reports
            }
            record["none"] = CKRecord.Reference(
                recordID: CKRecord.ID(recordName: "none"), action: .none)
            let fetch = RecordFetch(database: database, maximumDepth: 9)
            if reports {
                #expect(try await fetch.records(from: record).count == 2)
            } else {
                let error = await #expect(throws: CKCodableError.self) {
                    try await fetch.records(from: record)
                }
                #expect(error?.errorType == .cloudkitInconsistence)
            }
        }
    }

    @Test("may take as long as a user waits, not a week")
    func configuration() {
        let configuration = RecordFetch.configuration
        #expect(configuration.qualityOfService == .userInitiated)
        #expect(configuration.timeoutIntervalForRequest == 60)
        #expect(configuration.timeoutIntervalForResource == 60 * 60)
    }
}
