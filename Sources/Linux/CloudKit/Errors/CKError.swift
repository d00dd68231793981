/// The domain of CloudKit's errors.
public let CKErrorDomain = "CKErrorDomain"

/// The key of the number of seconds to wait before trying again.
public let CKErrorRetryAfterKey = "CKRetryAfter"

/// The key of the dictionary of items' errors, by record ID, zone ID or subscription ID.
public let CKPartialErrorsByItemIDKey = "CKPartialErrors"

/// The key of the record as the client had it before its changes.
public let CKRecordChangedErrorAncestorRecordKey = "AncestorRecord"

/// The key of the record as the server has it.
public let CKRecordChangedErrorServerRecordKey = "ServerRecord"

/// The key of the record that the client tried to save.
public let CKRecordChangedErrorClientRecordKey = "ClientRecord"

/// The key of a Boolean: the zone is gone because the user reset the encrypted data.
public let CKErrorUserDidResetEncryptedDataKey = "CKErrorUserDidResetEncryptedDataKey"

/// An error of CloudKit.
///
/// It bridges to an `NSError` of the domain ``CKErrorDomain`` with its code and user info, and such an
/// `NSError` casts back.
public struct CKError: CustomNSError, _BridgedStoredNSError {
    /// The wrapped Foundation error.
    public let _nsError: NSError

    /// Wraps an error of CloudKit's domain.
    public init(_nsError error: NSError) {
        precondition(error.domain == CKErrorDomain, "CKError can only wrap errors of its domain")
        _nsError = error
    }

    /// The domain of CloudKit's errors.
    public static var errorDomain: String { CKErrorDomain }

    /// The domain, for the bridge to Foundation.
    public static var _nsErrorDomain: String { CKErrorDomain }

    /// What went wrong.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error type of these codes.
        public typealias _ErrorType = CKError

        /// CloudKit itself failed; nothing can be done.
        case internalError = 1

        /// Some items failed; see ``CKError/partialErrorsByItemID``.
        case partialFailure = 2

        /// The network is unavailable.
        case networkUnavailable = 3

        /// The network is available, but failed.
        case networkFailure = 4

        /// The container is unknown or not the app's.
        case badContainer = 5

        /// The service is down; see ``CKError/retryAfterSeconds``.
        case serviceUnavailable = 6

        /// Too many requests; see ``CKError/retryAfterSeconds``.
        case requestRateLimited = 7

        /// The app lacks an entitlement.
        case missingEntitlement = 8

        /// Nobody is signed in, or the account is restricted.
        case notAuthenticated = 9

        /// The user does not have permission.
        case permissionFailure = 10

        /// The record, subscription or record type does not exist.
        case unknownItem = 11

        /// The request is invalid.
        case invalidArguments = 12

        /// No longer reported.
        case resultsTruncated = 13

        /// The record was saved by another client since it was fetched.
        case serverRecordChanged = 14

        /// The server refused the request permanently.
        case serverRejectedRequest = 15

        /// An asset's file does not exist.
        case assetFileNotFound = 16

        /// An asset's file changed while it was sent.
        case assetFileModified = 17

        /// The app is older than the server allows.
        case incompatibleVersion = 18

        /// A field that must be unique is not.
        case constraintViolation = 19

        /// The operation was canceled.
        case operationCancelled = 20

        /// The change token is too old, or belongs to another zone: fetch everything again.
        case changeTokenExpired = 21

        /// Another item of an atomic request failed; this one is not at fault.
        case batchRequestFailed = 22

        /// The zone is busy; see ``CKError/retryAfterSeconds``.
        case zoneBusy = 23

        /// The database does not support this.
        case badDatabase = 24

        /// The owner has no storage left.
        case quotaExceeded = 25

        /// The zone does not exist.
        case zoneNotFound = 26

        /// The request has too many items or bytes: split it.
        case limitExceeded = 27

        /// The user deleted the zone in the settings.
        case userDeletedZone = 28

        /// A share has too many participants.
        case tooManyParticipants = 29

        /// The record or one of its relatives is in another share.
        case alreadyShared = 30

        /// The target of a parent or share reference is missing.
        case referenceViolation = 31

        /// The account's administrator forbids it.
        case managedAccountRestricted = 32

        /// The user must prove to be a participant of the share.
        case participantMayNeedVerification = 33

        /// The answer was lost; it is unknown whether the request was carried out.
        case serverResponseLost = 34

        /// An asset's file cannot be read.
        case assetNotAvailable = 35

        /// The account needs attention; wait for ``Foundation/NSNotification/Name/CKAccountChanged``.
        case accountTemporarilyUnavailable = 36

        /// The participant has been invited before.
        case participantAlreadyInvited = 37
    }
}
