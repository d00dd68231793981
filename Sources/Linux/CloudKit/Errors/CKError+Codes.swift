// Each code as a member of the error itself, for `CKError(.zoneNotFound)`, `catch
// CKError.zoneNotFound` and `error.code == CKError.zoneNotFound`.
extension CKError {
    /// CloudKit itself failed; nothing can be done.
    public static var internalError: CKError.Code { .internalError }

    /// Some items failed; see ``CKError/partialErrorsByItemID``.
    public static var partialFailure: CKError.Code { .partialFailure }

    /// The network is unavailable.
    public static var networkUnavailable: CKError.Code { .networkUnavailable }

    /// The network is available, but failed.
    public static var networkFailure: CKError.Code { .networkFailure }

    /// The container is unknown or not the app's.
    public static var badContainer: CKError.Code { .badContainer }

    /// The service is down; see ``CKError/retryAfterSeconds``.
    public static var serviceUnavailable: CKError.Code { .serviceUnavailable }

    /// Too many requests; see ``CKError/retryAfterSeconds``.
    public static var requestRateLimited: CKError.Code { .requestRateLimited }

    /// The app lacks an entitlement.
    public static var missingEntitlement: CKError.Code { .missingEntitlement }

    /// Nobody is signed in, or the account is restricted.
    public static var notAuthenticated: CKError.Code { .notAuthenticated }

    /// The user does not have permission.
    public static var permissionFailure: CKError.Code { .permissionFailure }

    /// The record, subscription or record type does not exist.
    public static var unknownItem: CKError.Code { .unknownItem }

    /// The request is invalid.
    public static var invalidArguments: CKError.Code { .invalidArguments }

    /// No longer reported.
    public static var resultsTruncated: CKError.Code { .resultsTruncated }

    /// The record was saved by another client since it was fetched.
    public static var serverRecordChanged: CKError.Code { .serverRecordChanged }

    /// The server refused the request permanently.
    public static var serverRejectedRequest: CKError.Code { .serverRejectedRequest }

    /// An asset's file does not exist.
    public static var assetFileNotFound: CKError.Code { .assetFileNotFound }

    /// An asset's file changed while it was sent.
    public static var assetFileModified: CKError.Code { .assetFileModified }

    /// The app is older than the server allows.
    public static var incompatibleVersion: CKError.Code { .incompatibleVersion }

    /// A field that must be unique is not.
    public static var constraintViolation: CKError.Code { .constraintViolation }

    /// The operation was canceled.
    public static var operationCancelled: CKError.Code { .operationCancelled }

    /// The change token is too old, or belongs to another zone: fetch everything again.
    public static var changeTokenExpired: CKError.Code { .changeTokenExpired }

    /// Another item of an atomic request failed; this one is not at fault.
    public static var batchRequestFailed: CKError.Code { .batchRequestFailed }

    /// The zone is busy; see ``CKError/retryAfterSeconds``.
    public static var zoneBusy: CKError.Code { .zoneBusy }

    /// The database does not support this.
    public static var badDatabase: CKError.Code { .badDatabase }

    /// The owner has no storage left.
    public static var quotaExceeded: CKError.Code { .quotaExceeded }

    /// The zone does not exist.
    public static var zoneNotFound: CKError.Code { .zoneNotFound }

    /// The request has too many items or bytes: split it.
    public static var limitExceeded: CKError.Code { .limitExceeded }

    /// The user deleted the zone in the settings.
    public static var userDeletedZone: CKError.Code { .userDeletedZone }

    /// A share has too many participants.
    public static var tooManyParticipants: CKError.Code { .tooManyParticipants }

    /// The record or one of its relatives is in another share.
    public static var alreadyShared: CKError.Code { .alreadyShared }

    /// The target of a parent or share reference is missing.
    public static var referenceViolation: CKError.Code { .referenceViolation }

    /// The account's administrator forbids it.
    public static var managedAccountRestricted: CKError.Code { .managedAccountRestricted }

    /// The user must prove to be a participant of the share.
    public static var participantMayNeedVerification: CKError.Code {
        .participantMayNeedVerification
    }

    /// The answer was lost; it is unknown whether the request was carried out.
    public static var serverResponseLost: CKError.Code { .serverResponseLost }

    /// An asset's file cannot be read.
    public static var assetNotAvailable: CKError.Code { .assetNotAvailable }

    /// The account needs attention; wait for ``Foundation/NSNotification/Name/CKAccountChanged``.
    public static var accountTemporarilyUnavailable: CKError.Code { .accountTemporarilyUnavailable }

    /// The participant has been invited before.
    public static var participantAlreadyInvited: CKError.Code { .participantAlreadyInvited }
}
