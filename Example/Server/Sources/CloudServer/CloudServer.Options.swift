import CloudKitWebServices
import Foundation
import Logging

extension CloudServer {
    /// Where a server is, and what it allows.
    public struct Options: Sendable {
        /// The address under which clients reach the server, without a slash at the end.
        public var baseURL: URL
        /// Who may sign in.
        public var signIn = SignInRule.usersWithCode
        /// Whether the console is open to whoever comes from this machine by ``CloudServer/openURL``. It
        /// is never open to others without the administrator's token.
        public var opensConsoleOnLoopback = false
        /// For how many seconds a web-auth token is good.
        public var tokenLifetime: TimeInterval = 30 * 60
        /// How many seconds after a user has signed in the session ends, however often its tokens are
        /// renewed.
        public var sessionAge = WebServiceAccounts.defaultMaximumAge
        /// How many seconds a client may take for the header of a request, or be silent.
        public var headerTime: TimeInterval = 30
        /// How many seconds a client may take for the body of a request.
        public var bodyTime: TimeInterval = 60
        /// How many seconds a client may take for the bytes of an asset.
        public var uploadTime: TimeInterval = 10 * 60
        /// How many seconds a client may take to read an answer.
        public var answerTime: TimeInterval = 60
        /// How many seconds a client may take to read an answer of more than a megabyte.
        public var downloadTime: TimeInterval = 10 * 60
        /// How many connections there are at most. Others wait.
        public var maximumConnections = 512
        /// How many seconds the requests under way have when the server is to end.
        public var shutdownTime: TimeInterval = 10
        /// The limits of the web services.
        public var services = WebServiceRouterOptions()
        /// What time it is for tokens and addresses.
        public var clock: @Sendable () -> Date = { Date() }
        /// Where events go. There are no tokens in them.
        public var logger = Logger(label: "seam3-server")

        /// Creates options with the defaults.
        public init(baseURL: URL) {
            self.baseURL = baseURL
            services.allowance = WebServiceAllowance(requests: 6_000, bytes: 600_000_000)
        }
    }

    /// Who may sign in at the server's page.
    public enum SignInRule: Hashable, Sendable {
        /// Whoever comes from this machine by ``CloudServer/openURL``, with any name, and the users of the
        /// settings with their codes.
        case anybody
        /// The users of the settings, with their codes.
        case usersWithCode
    }
}

/// The context of a request to the cloud. Hummingbird has a protocol of the same name.
typealias CloudContext = RequestContext
