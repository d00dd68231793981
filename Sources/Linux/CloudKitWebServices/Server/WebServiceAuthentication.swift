import Foundation

/// Who a request says that it comes from. Nothing of it is checked.
public enum WebServiceCredentials: Hashable, Sendable {
    /// Nothing, or both kinds at once.
    case none
    /// An API token, and the token of the user who has signed in.
    case tokens(api: String, webAuthentication: String?)
    /// The signature of a server-to-server key.
    case key(RequestSignature)
}

extension WebServiceCredentials: CustomStringConvertible, CustomReflectable {
    /// The kind of the credentials. The tokens stay out of every log.
    public var description: String {
        switch self {
        case .none: "none"
        case .tokens(_, let user): user == nil ? "API token" : "API token and web-auth token"
        case .key: "server-to-server key"
        }
    }

    /// Nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Who makes a request, once it is known.
public struct WebServiceCaller: Hashable, Sendable {
    /// The kinds of caller.
    public enum Kind: Hashable, Sendable {
        /// An app without a user: it may read the public database.
        case app
        /// A user.
        case user
        /// The owner of a server-to-server key: the public database only, and no users.
        case key
    }

    /// What the caller may do.
    public var kind: Kind
    /// The device by which the service knows the caller.
    public var device: String
    /// The web-auth token for the next request, if there is a new one.
    public var nextToken: String?

    /// Creates a caller.
    public init(_ kind: Kind, device: String, nextToken: String? = nil) {
        self.kind = kind
        self.device = device
        self.nextToken = nextToken
    }
}

/// Tells a ``WebServiceRouter`` who makes a request.
public protocol WebServiceAuthentication: Sendable {
    /// Finds out who makes a request.
    ///
    /// - Parameters:
    ///   - credentials: What the request says of it.
    ///   - deviceName: The device that a client of this package names, so that its own changes cause it
    ///     no pushes. It is the client's word: another user's device must not be found by it.
    ///   - container: The container that the request is for.
    ///   - environment: The environment that the request is for.
    /// - Throws: `AUTHENTICATION_FAILED` for a wrong API token or signature,
    ///   `AUTHENTICATION_REQUIRED` for a web-auth token that is not valid.
    func caller(
        _ credentials: WebServiceCredentials, deviceName: String?, container: String,
        environment: RequestContext.Environment
    ) async throws(CloudKitServiceError) -> WebServiceCaller

    /// The device to which the pushes for a caller are addressed: the caller's own if the client has named
    /// it, otherwise another one of the same user, so that one page in a browser learns of the changes of
    /// another.
    func pushDevice(
        of caller: WebServiceCaller, container: String
    ) async throws(CloudKitServiceError) -> String

    /// Where a user signs in, for the answer to a request that needs one.
    func signInURL(container: String, environment: RequestContext.Environment) async -> URL?
}
