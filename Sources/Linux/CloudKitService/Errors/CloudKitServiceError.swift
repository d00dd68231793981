import Foundation

/// The failure of a whole request: the error dictionary at the top level of a response.
public struct CloudKitServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong. In JSON, a code that Apple does not document has the key `extendedErrorCode`,
    /// and `serverErrorCode` contains the most similar documented code.
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
}

extension CloudKitServiceError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

extension CloudKitServiceError: Codable {
    private enum CodingKeys: String, CodingKey {
        case reason, retryAfter, uuid, redirectURL, internalErrorCode
    }

    /// Decodes an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try ServerErrorCode(ofDictionary: decoder),
            reason: try container.decodeIfPresent(String.self, forKey: .reason),
            retryAfter: try container.decodeIfPresent(Double.self, forKey: .retryAfter),
            uuid: try container.decodeIfPresent(String.self, forKey: .uuid),
            redirectURL: try container.decodeIfPresent(String.self, forKey: .redirectURL),
            internalErrorCode: try container.decodeIfPresent(Int.self, forKey: .internalErrorCode))
    }

    /// Encodes the error.
    public func encode(to encoder: any Encoder) throws {
        try code.encode(intoDictionary: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(reason, forKey: .reason)
        try container.encodeIfPresent(retryAfter, forKey: .retryAfter)
        try container.encodeIfPresent(uuid, forKey: .uuid)
        try container.encodeIfPresent(redirectURL, forKey: .redirectURL)
        try container.encodeIfPresent(internalErrorCode, forKey: .internalErrorCode)
    }
}
