import CloudKit
import CoreData
import Testing

@testable import Seam3

@Suite("An error in words") struct ErrorTextTests {
    private static let reasons = [NSLocalizedDescriptionKey: "no such field"]

    /// Errors, and what messages say of them.
    static let errors: [(error: any Error, text: String)] = [
        (CKError(.zoneBusy), "zoneBusy"),
        (CKError(.invalidArguments, userInfo: reasons), "invalidArguments (no such field)"),
        (
            CKError(
                .partialFailure,
                userInfo: [
                    CKPartialErrorsByItemIDKey: [
                        CKRecord.ID(recordName: "a"): CKError(.quotaExceeded),
                        CKRecord.ID(recordName: "b"): CKError(.invalidArguments, userInfo: reasons),
                    ]
                ]), "partialFailure (invalidArguments (no such field); quotaExceeded)"
        ),
        (
            SMStoreError.accountUnavailable("nobody is signed in"),
            "The iCloud account cannot be used: nobody is signed in."
        ),
        (CocoaError(.persistentStoreSave, userInfo: reasons), "no such field"),
        (CancellationError(), "CancellationError()"),
    ]

    @Test("has the name of the code, and no user info", arguments: errors)
    func text(error: any Error, text: String) {
        #expect(ErrorText.of(error) == text)
    }
}
