/// The failure of a whole request: the error dictionary at the top level of a response.
public struct CloudKitServiceError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// What went wrong.
    public var code: ServerErrorCode
    /// The same as a text for developers.
    public var reason: String?
    /// How many seconds to wait before the request is sent again. Without it, it is no use.
    public var retryAfter: Double?
    /// Identifies the request in the server's log.
    public var uuid: String?
    /// Where a user can sign in.
    public var redirectURL: String?
    /// Extension: the four-digit code of `CKInternalErrorDomain` that Apple's client shows beside its
    /// own.
    public var internalErrorCode: Int?

    /// Creates an error.
    public init(
        _ code: ServerErrorCode,
        reason: String? = nil,
        retryAfter: Double? = nil,
        uuid: String? = nil,
        redirectURL: String? = nil,
        internalErrorCode: Int? = nil
    ) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
        self.uuid = uuid
        self.redirectURL = redirectURL
        self.internalErrorCode = internalErrorCode
    }

    /// The code and the reason.
    public var description: String {
        reason.map { "\(code.rawValue): \($0)" } ?? code.rawValue
    }

    private enum CodingKeys: String, CodingKey {
        case code = "serverErrorCode"
        case reason, retryAfter, uuid, redirectURL, internalErrorCode
    }
}
