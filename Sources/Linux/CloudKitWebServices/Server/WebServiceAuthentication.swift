import Foundation

/// The credentials in a request, unchecked.
public enum WebServiceCredentials: Hashable, Sendable {
    /// No credentials, or both kinds at once.
    case none
    /// An API token, and the token of the user who has signed in.
    case tokens(api: String, webAuthentication: String?)
    /// The signature of a server-to-server key.
    case key(RequestSignature)
}

extension WebServiceCredentials: CustomStringConvertible, CustomReflectable {
    /// The kind of the credentials, without tokens, so that they do not appear in a log.
    public var description: String {
        switch self {
        case .none: "none"
        case .tokens(_, let user): user == nil ? "API token" : "API token and web-auth token"
        case .key: "server-to-server key"
        }
    }

    /// An empty mirror, so that a dump shows only the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The authenticated caller of a request.
public struct WebServiceCaller: Hashable, Sendable {
    /// The kinds of callers.
    public enum Kind: Hashable, Sendable {
        /// An app without a user, which may read the public database.
        case app
        /// A user.
        case user
        /// The owner of a server-to-server key, who may use the public database only, and no
        /// operations on users.
        case key
    }

    /// The kind of the caller, which determines its permissions.
    public var kind: Kind
    /// The device that represents the caller in the service.
    public var device: String
    /// Whose allowance the caller's requests use: the same for all devices of a user.
    public var account: String
    /// The web-auth token for the next request, if there is a new one.
    public var nextToken: String?
    /// The session in which a user signed in, if the user has one.
    public var session: UUID?

    /// Creates a caller.
    public init(
        _ kind: Kind, device: String, account: String? = nil, nextToken: String? = nil,
        session: UUID? = nil
    ) {
        self.kind = kind
        self.device = device
        self.account = account ?? device
        self.nextToken = nextToken
        self.session = session
    }
}

/// Authenticates the requests to a ``WebServiceRouter``.
public protocol WebServiceAuthentication: Sendable {
    /// Authenticates a request.
    ///
    /// - Parameters:
    ///   - credentials: The credentials in the request.
    ///   - deviceName: The device that a client of this package names, so that it gets no pushes
    ///     for its own changes. The name is not authenticated: it must not give access to another
    ///     user's device.
    ///   - container: The container of the request.
    ///   - environment: The environment of the request.
    /// - Throws: `AUTHENTICATION_FAILED` for a wrong API token or signature,
    ///   `AUTHENTICATION_REQUIRED` for an invalid web-auth token.
    func caller(
        _ credentials: WebServiceCredentials, deviceName: String?, container: String,
        environment: RequestContext.Environment
    ) async throws(CloudKitServiceError) -> WebServiceCaller

    /// Whether the body of a signed request may be read: its key is known, and its date is good. The
    /// signature is checked when the body is there.
    func expects(
        _ signature: RequestSignature, container: String, environment: RequestContext.Environment
    ) async -> Bool

    /// The device that gets the pushes for a caller: the caller's own device if the client has
    /// named it, otherwise a separate device of the same user, so that one browser page gets pushes
    /// for the changes of another.
    func pushDevice(
        of caller: WebServiceCaller, container: String
    ) async throws(CloudKitServiceError) -> String

    /// The page where users sign in, for the response to a request that requires a user.
    ///
    /// - Parameter credentials: The credentials of the request. The API token identifies the app.
    func signInURL(for credentials: WebServiceCredentials) async -> URL?
}
