import CloudKit
import CoreData
import Testing

@testable import Seam3

@Suite("The answer to a request that failed as a whole") struct PushResponseTests {
    private let ids = ["one", "two", "three"].map { CKRecord.ID(recordName: $0) }

    private func succeeds(_ answer: Result<Void, any Error>?) -> Bool {
        if case .success? = answer { return true }
        return false
    }

    /// The results for deleted records after a failure.
    private func answer(
        _ deleted: [CKRecord.ID: Result<Void, any Error>], _ error: any Error
    ) -> SMCloudModifications {
        var answer = SMCloudModifications()
        answer.deleted = deleted
        answer.noteFailure(error, ofSaving: [])
        return answer
    }

    @Test("keeps the successes that were reported before")
    func successes() {
        let response = answer([ids[0]: .success(())], CKError(.networkFailure))
        #expect(succeeds(response.deleted[ids[0]]))
        #expect((response.failure as? CKError)?.code == .networkFailure)
    }

    @Test("ignores the request's own error repeated for a record")
    func repeated() {
        let response = answer(
            [
                ids[0]: .success(()), ids[1]: .failure(CKError(.serverRejectedRequest)),
                ids[2]: .failure(CKError(.serverRecordChanged)),
            ], CKError(.serverRejectedRequest))
        #expect(succeeds(response.deleted[ids[0]]))
        #expect(response.deleted[ids[1]] == nil)
        #expect(response.deleted[ids[2]] != nil)
        #expect(response.failure != nil)
    }

    @Test("is that of the records if it says that only these have failed")
    func partial() {
        let items: [AnyHashable: any Error] = [ids[1]: CKError(.invalidArguments)]
        let error = CKError(.partialFailure, userInfo: [CKPartialErrorsByItemIDKey: items])
        let response = answer([ids[0]: .success(())], error)
        #expect(response.failure == nil)
        #expect(succeeds(response.deleted[ids[0]]))
        #expect(response.deleted[ids[1]] != nil && !succeeds(response.deleted[ids[1]]))
    }

    @Test("is that of the records to save, if these have failed")
    func partialSave() {
        let items: [AnyHashable: any Error] = [ids[1]: CKError(.invalidArguments)]
        var answer = SMCloudModifications()
        answer.noteFailure(
            CKError(.partialFailure, userInfo: [CKPartialErrorsByItemIDKey: items]),
            ofSaving: [ids[1]])
        #expect(answer.saved[ids[1]] != nil)
        #expect(answer.deleted.isEmpty && answer.failure == nil)
    }
}
