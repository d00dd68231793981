/// The failure of a whole request: the error dictionary at the top level of a response.
public struct CloudKitServiceError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// What went wrong.
    public var code: ServerErrorCode
    /// A description for developers.
    public var reason: String?
    /// The seconds to wait before sending the request again. If absent, repeating it does not help.
    public var retryAfter: Double?
    /// Identifies the request in the server's log.
    public var uuid: String?
    /// The URL where a user can sign in.
    public var redirectURL: String?
    /// Extension: the four-digit code of `CKInternalErrorDomain` that Apple's client reports
    /// together with its own.
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
