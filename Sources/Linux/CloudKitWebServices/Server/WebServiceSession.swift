import Foundation

/// A user who has signed in to an app, for those who look after a server.
///
/// A session goes on from one web-auth token to the next. The tokens are not part of it.
public struct WebServiceSession: Hashable, Sendable, Identifiable {
    /// Names the session for ``WebServiceAccounts/endSession(_:)``.
    public let id: UUID
    /// The user's name.
    public let user: String
    /// The container that the app uses.
    public let container: String
    /// The environment that the app uses.
    public let environment: RequestContext.Environment
    /// The device by which the service knows the caller.
    public let device: String
    /// When a token of the session was first used since the server was started.
    public let began: Date
    /// When a token of the session was last used.
    public let lastUse: Date
    /// When the token that was given out last ends.
    public let expires: Date
}

/// A token for pushes, for those who look after a server.
public struct WebPushToken: Hashable, Sendable {
    /// Whom the pushes are for: the device, the container and the environment.
    public let context: RequestContext
    /// When the client last asked for a push, or got the token.
    public let lastUse: Date
    /// How many pushes wait to be fetched.
    public let waitingPushes: Int
    /// Whether a request is waiting for a push.
    public let isWaitedFor: Bool
}
