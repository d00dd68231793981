import CloudKit
import Testing

@Suite("CKError")
struct ErrorTests {
    private func thrown(_ code: CKError.Code) -> any Error {
        CKError(code, userInfo: [CKErrorRetryAfterKey: 2.5])
    }

    @Test("An error casts from any Error and keeps its code")
    func casting() {
        let error = thrown(.zoneBusy)
        #expect((error as? CKError)?.code == .zoneBusy)
        #expect((error as? CKError)?.retryAfterSeconds == 2.5)
    }

    @Test("An error bridges to an NSError of CloudKit's domain")
    func bridging() {
        let error = thrown(.unknownItem) as NSError
        #expect(error.domain == CKErrorDomain)
        #expect(error.code == 11)
    }

    @Test("An NSError of CloudKit's domain casts to CKError, and one of another domain does not")
    func castingBack() {
        let error: any Error = NSError(
            domain: CKErrorDomain, code: CKError.Code.zoneBusy.rawValue,
            userInfo: [CKErrorRetryAfterKey: 2.5])
        #expect((error as? CKError)?.code == .zoneBusy)
        #expect((error as? CKError)?.retryAfterSeconds == 2.5)
        let other: any Error = NSError(domain: "Other", code: 23)
        #expect((other as? CKError) == nil)
    }

    @Test("The errors of a partial failure cast to NSError by the items' IDs")
    func partialErrorsAsObjects() throws {
        let recordID = CKRecord.ID(recordName: "a")
        let error: any Error = CKError(
            .partialFailure,
            userInfo: [CKPartialErrorsByItemIDKey: [recordID: CKError(.batchRequestFailed)]])
        let errors = (error as NSError).userInfo[CKPartialErrorsByItemIDKey]
        let inner = try #require(errors as? [CKRecord.ID: NSError])[recordID]
        #expect(inner?.domain == CKErrorDomain)
        #expect(inner?.code == CKError.Code.batchRequestFailed.rawValue)
    }

    @Test("A code can be caught by name")
    func catching() {
        do {
            throw thrown(.zoneNotFound)
        } catch CKError.zoneNotFound {
        } catch {
            Issue.record("caught \(error)")
        }
    }

    @Test("Partial errors are found by the item's ID")
    func partialErrors() {
        let recordID = CKRecord.ID(recordName: "a")
        let error = CKError(
            .partialFailure,
            userInfo: [CKPartialErrorsByItemIDKey: [recordID: CKError(.batchRequestFailed)]])
        let inner = error.partialErrorsByItemID?[CKRecord.ID(recordName: "a")] as? CKError
        #expect(inner?.code == .batchRequestFailed)
    }

    @Test("The records of a conflict are found")
    func records() {
        let record = CKRecord(recordType: "T")
        let error = CKError(
            .serverRecordChanged, userInfo: [CKRecordChangedErrorServerRecordKey: record])
        #expect(error.serverRecord === record)
        #expect(error.clientRecord == nil)
        #expect(error.ancestorRecord == nil)
    }
}
