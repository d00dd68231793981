import Foundation
import FoundationGaps

/// Apple's CloudKit servers, or another server that speaks CloudKit Web Services, reached over HTTP.
///
/// A container on it behaves like one on the local cloud:
///
///     let service = CloudKitWebService(
///         container: "iCloud.com.example.clock", environment: .production,
///         credentials: .user(
///             apiToken: apiToken, webAuthToken: keychain.token,
///             tokenDidChange: { keychain.token = $0 },
///             signIn: { page in await askToSignIn(at: page) }))
///     let container = CKContainer(
///         identifier: "iCloud.com.example.clock", service: service, environment: .production)
///
/// What the web services lack, it lacks, too: nobody is pushed to. ``pushes(in:)`` asks the server's
/// web courier, where there is one. A request may have 200 items, not 400; one with more fails with
/// `limitExceeded` before it is sent.
public final class CloudKitWebService: CloudKitService {
    /// The container's identifier.
    public let container: String
    /// The container's environment.
    public let environment: RequestContext.Environment
    /// The limits, and what is known of the server.
    public let options: Options

    let baseURL: URL
    let credentials: Credentials
    let transport: HTTPTransport

    /// The address of Apple's servers.
    public static let appleURL: URL = {
        guard let url = URL(string: "https://api.apple-cloudkit.com") else {
            preconditionFailure("The address is a constant")
        }
        return url
    }()

    /// Creates a service for one environment of one container.
    ///
    /// - Parameters:
    ///   - container: The container's identifier.
    ///   - environment: The container's environment.
    ///   - credentials: By what the server knows the caller.
    ///   - baseURL: The server's address, without a slash at the end. It is Apple's unless given.
    ///   - options: Limits, and what is known of the server.
    public init(
        container: String, environment: RequestContext.Environment, credentials: Credentials,
        baseURL: URL = CloudKitWebService.appleURL, options: Options = Options()
    ) {
        self.container = container
        self.environment = environment
        self.credentials = credentials
        self.baseURL = baseURL
        self.options = options
        transport = HTTPTransport(timeout: options.timeout)
    }

    /// How a service behaves.
    public struct Options: Sendable {
        /// How many seconds the server may take between two signs of life.
        public var timeout: TimeInterval = 60
        /// How many operations, records or places for uploads a request may have.
        public var maximumItems = 200
        /// What time it is.
        public var clock: @Sendable () -> Date = { Date() }
        /// Whether the calling device is named to the server in a header that Apple's does not know.
        /// A server of this package then sends it no pushes for its own changes.
        public var namesDevice = true
        /// How many seconds to wait before the web courier is asked again after a failure.
        public var courierPause: TimeInterval = 5

        /// Creates options with the defaults.
        public init() {}
    }
}

extension CloudKitWebService: CustomStringConvertible, CustomReflectable {
    /// The container and the kind of credentials.
    public var description: String {
        "CloudKitWebService(\(container), \(environment.rawValue), \(credentials))"
    }

    /// Nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
