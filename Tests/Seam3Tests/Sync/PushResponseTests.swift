import CloudKit
import CoreData
import Testing

@testable import Seam3

@Suite("The answer to a request that failed as a whole") struct PushResponseTests {
    private let ids = ["one", "two", "three"].map { CKRecord.ID(recordName: $0) }

    private func succeeds(_ answer: Result<CKRecord?, any Error>?) -> Bool {
        if case .success? = answer { return true }
        return false
    }

    @Test("keeps the successes that were told before")
    func successes() {
        let response = PushResponse(
            [ids[0]: .success(nil)], .failure(CKError(.networkFailure)))
        #expect(succeeds(response.answers[ids[0]]))
        #expect((response.failure as? CKError)?.code == .networkFailure)
    }

    @Test("says nothing of a record for which its own error is repeated")
    func repeated() {
        let response = PushResponse(
            [
                ids[0]: .success(nil), ids[1]: .failure(CKError(.serverRejectedRequest)),
                ids[2]: .failure(CKError(.serverRecordChanged)),
            ], .failure(CKError(.serverRejectedRequest)))
        #expect(succeeds(response.answers[ids[0]]))
        #expect(response.answers[ids[1]] == nil)
        #expect(response.answers[ids[2]] != nil)
        #expect(response.failure != nil)
    }

    @Test("is that of the records, if it says that only these have failed")
    func partial() {
        let items: [AnyHashable: any Error] = [ids[1]: CKError(.invalidArguments)]
        let error = CKError(.partialFailure, userInfo: [CKPartialErrorsByItemIDKey: items])
        let response = PushResponse([ids[0]: .success(nil)], .failure(error))
        #expect(response.failure == nil)
        #expect(succeeds(response.answers[ids[0]]))
        #expect(response.answers[ids[1]] != nil && !succeeds(response.answers[ids[1]]))
    }
}
