extension ServerErrorCode {
    /// The most similar code that Apple documents. Other clients understand only those.
    public var documented: ServerErrorCode {
        if Self.httpStatuses[self] != nil { return self }
        return Self.documentedCodes[self] ?? .internalError
    }

    /// The status of an HTTP response with this error: that of the ``documented`` code.
    public var httpStatus: Int { Self.httpStatuses[documented] ?? 500 }

    private static let httpStatuses: [ServerErrorCode: Int] = [
        .accessDenied: 403, .atomicError: 400, .authenticationFailed: 401,
        .authenticationRequired: 421, .badRequest: 400, .conflict: 409, .exists: 409,
        .internalError: 500, .notFound: 404, .quotaExceeded: 413, .throttled: 429,
        .tryAgainLater: 503, .validatingReferenceError: 412, .zoneNotFound: 404,
    ]

    private static let documentedCodes: [ServerErrorCode: ServerErrorCode] = [
        .alreadyShared: .badRequest, .assetFileModified: .badRequest,
        .assetFileNotFound: .badRequest, .badContainer: .badRequest, .badDatabase: .badRequest,
        .changeTokenExpired: .badRequest, .limitExceeded: .badRequest,
        .serverRejectedRequest: .badRequest, .tooManyParticipants: .badRequest,
        .uniqueFieldError: .badRequest,
        .accountTemporarilyUnavailable: .tryAgainLater, .zoneBusy: .tryAgainLater,
        .userDeletedZone: .zoneNotFound, .assetNotAvailable: .notFound,
        .managedAccountRestricted: .accessDenied, .missingEntitlement: .accessDenied,
        .participantAlreadyInvited: .accessDenied,
        .participantMayNeedVerification: .accessDenied,
    ]
}

/// The two keys for the code of an error dictionary: Apple's key for a documented code, and our own
/// key for a code that is more specific.
enum ErrorCodeKeys: String, CodingKey {
    case serverErrorCode, extendedErrorCode
}

extension ServerErrorCode {
    /// Decodes the code of an error dictionary.
    init(ofDictionary decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ErrorCodeKeys.self)
        self =
            try container.decodeIfPresent(ServerErrorCode.self, forKey: .extendedErrorCode)
            ?? container.decode(ServerErrorCode.self, forKey: .serverErrorCode)
    }

    /// Encodes the code into an error dictionary.
    func encode(intoDictionary encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: ErrorCodeKeys.self)
        try container.encode(documented, forKey: .serverErrorCode)
        if documented != self { try container.encode(self, forKey: .extendedErrorCode) }
    }
}
