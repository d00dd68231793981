/// A `serverErrorCode` of CloudKit Web Services.
///
/// The set is open: a server may send a code that is not listed here.
public struct ServerErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    /// The code as it stands in the JSON.
    public let rawValue: String

    /// Creates a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the code's constant, for example `zoneBusy` for `ZONE_BUSY`.
    package var constantName: String {
        let words = rawValue.lowercased().split(separator: "_")
        return
            (words.prefix(1) + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() })
            .joined()
    }
}

// The codes that Apple documents.
extension ServerErrorCode {
    /// The user does not have permission.
    public static let accessDenied = Self(rawValue: "ACCESS_DENIED")
    /// The item was not processed because another of its atomic batch failed.
    public static let atomicError = Self(rawValue: "ATOMIC_ERROR")
    /// The credentials are wrong.
    public static let authenticationFailed = Self(rawValue: "AUTHENTICATION_FAILED")
    /// The request needs a signed-in user.
    public static let authenticationRequired = Self(rawValue: "AUTHENTICATION_REQUIRED")
    /// The request is not valid.
    public static let badRequest = Self(rawValue: "BAD_REQUEST")
    /// The record's change tag is not the current one.
    public static let conflict = Self(rawValue: "CONFLICT")
    /// The record to create exists.
    public static let exists = Self(rawValue: "EXISTS")
    /// The server has failed because of a defect.
    public static let internalError = Self(rawValue: "INTERNAL_ERROR")
    /// There is no such record or subscription.
    public static let notFound = Self(rawValue: "NOT_FOUND")
    /// The storage is used up.
    public static let quotaExceeded = Self(rawValue: "QUOTA_EXCEEDED")
    /// Too many requests; try again later.
    public static let throttled = Self(rawValue: "THROTTLED")
    /// The server is busy; try again later.
    public static let tryAgainLater = Self(rawValue: "TRY_AGAIN_LATER")
    /// A validated reference would be violated.
    public static let validatingReferenceError = Self(rawValue: "VALIDATING_REFERENCE_ERROR")
    /// A field's value must be unique and is not.
    public static let uniqueFieldError = Self(rawValue: "UNIQUE_FIELD_ERROR")
    /// There is no such zone.
    public static let zoneNotFound = Self(rawValue: "ZONE_NOT_FOUND")
}

// Extension: distinctions that the native API makes and the documented codes do not.
extension ServerErrorCode {
    /// The client has failed because of a defect.
    public static let clientError = Self(rawValue: "CLIENT_ERROR")
    /// The client is offline.
    public static let networkUnavailable = Self(rawValue: "NETWORK_UNAVAILABLE")
    /// The transport failed.
    public static let networkFailure = Self(rawValue: "NETWORK_FAILURE")
    /// The container is unknown.
    public static let badContainer = Self(rawValue: "BAD_CONTAINER")
    /// The app lacks an entitlement.
    public static let missingEntitlement = Self(rawValue: "MISSING_ENTITLEMENT")
    /// The app is older than the server allows.
    public static let incompatibleVersion = Self(rawValue: "INCOMPATIBLE_VERSION")
    /// The caller canceled the request.
    public static let cancelled = Self(rawValue: "CANCELLED")
    /// A sync token is too old, or belongs to another zone or database.
    public static let changeTokenExpired = Self(rawValue: "CHANGE_TOKEN_EXPIRED")
    /// The zone is temporarily locked.
    public static let zoneBusy = Self(rawValue: "ZONE_BUSY")
    /// The database does not support this.
    public static let badDatabase = Self(rawValue: "BAD_DATABASE")
    /// The request or a part of it is too large.
    public static let limitExceeded = Self(rawValue: "LIMIT_EXCEEDED")
    /// The user removed the zone's data in the settings.
    public static let userDeletedZone = Self(rawValue: "USER_DELETED_ZONE")
    /// A share has too many participants.
    public static let tooManyParticipants = Self(rawValue: "TOO_MANY_PARTICIPANTS")
    /// The record is shared already.
    public static let alreadyShared = Self(rawValue: "ALREADY_SHARED")
    /// The account is managed and may not do this.
    public static let managedAccountRestricted = Self(rawValue: "MANAGED_ACCOUNT_RESTRICTED")
    /// The participant may need to verify the account.
    public static let participantMayNeedVerification =
        Self(rawValue: "PARTICIPANT_MAY_NEED_VERIFICATION")
    /// The answer was lost; the request may have been carried out.
    public static let serverResponseLost = Self(rawValue: "SERVER_RESPONSE_LOST")
    /// The account is there and cannot be used at the moment.
    public static let accountTemporarilyUnavailable =
        Self(rawValue: "ACCOUNT_TEMPORARILY_UNAVAILABLE")
    /// The participant has been invited already.
    public static let participantAlreadyInvited = Self(rawValue: "PARTICIPANT_ALREADY_INVITED")
    /// There is no file to upload.
    public static let assetFileNotFound = Self(rawValue: "ASSET_FILE_NOT_FOUND")
    /// The file changed while it was uploaded.
    public static let assetFileModified = Self(rawValue: "ASSET_FILE_MODIFIED")
    /// The file cannot be read, or the asset's bytes are gone.
    public static let assetNotAvailable = Self(rawValue: "ASSET_NOT_AVAILABLE")
    /// The server does not accept the request and never will.
    public static let serverRejectedRequest = Self(rawValue: "SERVER_REJECTED_REQUEST")
}
