import CloudKitService

extension CKError {
    /// Apple's key for the server's text.
    private static let serverDescriptionKey = "ServerErrorDescription"

    /// The domain of the more specific errors that Apple's client wraps.
    private static let internalDomain = "CKInternalErrorDomain"

    /// The error that an app sees when a whole request fails.
    init(_ error: CloudKitServiceError) {
        self.init(
            serverCode: error.code, reason: error.reason, retryAfter: error.retryAfter,
            uuid: error.uuid, internalErrorCode: error.internalErrorCode, details: [:])
    }

    /// The error that an app sees when one item of a request fails.
    ///
    /// - Parameter details: Entries to add to the user info.
    init(_ error: ErrorDictionary, details: [String: Any] = [:]) {
        var details = details
        if error.userDidResetEncryptedData == true {
            details[CKErrorUserDidResetEncryptedDataKey] = NSNumber(value: true)
        }
        self.init(
            serverCode: error.serverErrorCode, reason: error.reason,
            retryAfter: error.retryAfter, uuid: error.uuid,
            internalErrorCode: error.internalErrorCode, details: details)
    }

    private init(
        serverCode: ServerErrorCode, reason: String?, retryAfter: Double?, uuid: String?,
        internalErrorCode: Int?, details: [String: Any]
    ) {
        var userInfo = details
        if let reason {
            userInfo[Self.serverDescriptionKey] = reason
            userInfo[NSLocalizedDescriptionKey] = reason
        }
        if let retryAfter { userInfo[CKErrorRetryAfterKey] = NSNumber(value: retryAfter) }
        if let uuid { userInfo["RequestUUID"] = uuid }
        if let internalErrorCode {
            userInfo[NSUnderlyingErrorKey] = NSError(
                domain: Self.internalDomain, code: internalErrorCode,
                userInfo: reason.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
        }
        self.init(
            Code(rawValue: serverCode.ckErrorCode) ?? .serverRejectedRequest, userInfo: userInfo)
    }

    /// An error of this code with a text.
    init(_ code: Code, _ reason: String) {
        self.init(code, userInfo: [NSLocalizedDescriptionKey: reason])
    }

    /// The error of an operation with failed items, for the deprecated blocks; nil if none failed.
    static func partialFailure(_ errors: [AnyHashable: any Error]) -> CKError? {
        guard !errors.isEmpty else { return nil }
        return CKError(
            .partialFailure,
            userInfo: [
                CKPartialErrorsByItemIDKey: errors,
                NSLocalizedDescriptionKey: "Failed to modify some items",
            ])
    }

    /// Whether the error of a whole request concerns the request's zone, and therefore belongs to
    /// the zone's items and not to the operation.
    var concernsZone: Bool {
        switch code {
        case .zoneNotFound, .userDeletedZone, .changeTokenExpired: true
        default: false
        }
    }
}
