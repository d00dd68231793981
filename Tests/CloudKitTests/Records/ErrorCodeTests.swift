import CloudKit
import CloudKitService
import Testing

@Suite("Codes and keys of CKError")
struct ErrorCodeTests {
    private static let codes: [CKError.Code] = [
        .internalError, .partialFailure, .networkUnavailable, .networkFailure, .badContainer,
        .serviceUnavailable, .requestRateLimited, .missingEntitlement, .notAuthenticated,
        .permissionFailure, .unknownItem, .invalidArguments, .resultsTruncated,
        .serverRecordChanged, .serverRejectedRequest, .assetFileNotFound, .assetFileModified,
        .incompatibleVersion, .constraintViolation, .operationCancelled, .changeTokenExpired,
        .batchRequestFailed, .zoneBusy, .badDatabase, .quotaExceeded, .zoneNotFound,
        .limitExceeded, .userDeletedZone, .tooManyParticipants, .alreadyShared,
        .referenceViolation, .managedAccountRestricted, .participantMayNeedVerification,
        .serverResponseLost, .assetNotAvailable, .accountTemporarilyUnavailable,
    ]

    @Test("The codes count from 1 without a gap")
    func rawValues() {
        #expect(Self.codes.map(\.rawValue) == Array(1...36))
        #expect(CKError.Code(rawValue: 37) != nil)
    }

    @Test("The domain and the keys are those in errors of Apple's client")
    func keys() {
        #expect(CKErrorDomain == "CKErrorDomain" && CKError.errorDomain == CKErrorDomain)
        #expect(CKErrorRetryAfterKey == "CKRetryAfter")
        #expect(CKPartialErrorsByItemIDKey == "CKPartialErrors")
    }

    @Test("An error of the server has its text, and the internal code as the underlying error")
    func serverText() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a", "Lunch"))
        let record = devices.note("b")
        record["title"] = 7
        let error = await #expect(throws: CKError.self) {
            try await devices.database.save(record)
        }
        #expect(
            error?.userInfo["ServerErrorDescription"] as? String
                == "invalid attempt to set value type NUMBER for field 'title' for type 'Note', "
                + "defined to be: STRING")
        let beneath = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(beneath?.domain == "CKInternalErrorDomain" && beneath?.code == 2006)
    }

    @Test("A zone that was lost with the encrypted data says so")
    func encryptedDataReset() async throws {
        let devices = try await Devices.withZone()
        try await devices.cloud.resetEncryptedData(
            ofZone: "Notes", in: devices.phone.requestContext())
        let error = await #expect(throws: CKError.self) {
            try await devices.database.save(devices.note())
        }
        #expect(error?.code == .zoneNotFound)
        #expect(error?.userInfo[CKErrorUserDidResetEncryptedDataKey] as? Bool == true)
    }
}
