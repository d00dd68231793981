import Foundation
import FoundationGaps

/// Apple's CloudKit servers, or another server that speaks CloudKit Web Services, over HTTP.
///
/// A container that uses it behaves like one on the local cloud:
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
/// The limits of the web services apply. There are no pushes from Apple's push service;
/// ``pushes(in:)`` polls the server's web courier, if there is one. A request may have 200 items,
/// not 400, and one with more fails with `limitExceeded` before it is sent.
public final class CloudKitWebService: CloudKitService {
    /// The container's identifier.
    public let container: String
    /// The container's environment.
    public let environment: RequestContext.Environment
    /// The limits and other options.
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
    ///   - credentials: Identifies the caller to the server.
    ///   - baseURL: The server's address, without a trailing slash; by default Apple's.
    ///   - options: The limits and other options.
    public init(
        container: String, environment: RequestContext.Environment, credentials: Credentials,
        baseURL: URL = CloudKitWebService.appleURL, options: Options = Options()
    ) {
        self.container = container
        self.environment = environment
        self.credentials = credentials
        self.baseURL = baseURL
        self.options = options
        transport = HTTPTransport(
            timeout: options.timeout, maximumAnswerSize: options.maximumAnswerSize)
    }

    /// Options of a service.
    public struct Options: Sendable {
        /// How many seconds the server may take without sending any data.
        public var timeout: TimeInterval = 60
        /// The maximum number of operations, records or upload tokens in a request.
        public var maximumItems = 200
        /// The maximum size of an answer in bytes, after it was decompressed.
        public var maximumAnswerSize: Int64 = 100_000_000
        /// The maximum size of an asset in bytes if the server has not stated its size. A stated size is
        /// the maximum itself.
        public var maximumAssetSize: Int64 = 1_000_000_000
        /// Returns the current time.
        public var clock: @Sendable () -> Date = { Date() }
        /// Whether requests name the calling device in a header of this package, so that a server
        /// of this package sends it no pushes for its own changes. Apple's servers never get the
        /// header.
        public var namesDevice = true
        /// How many seconds to wait before the web courier is polled again after a failure.
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

    /// An empty mirror, so that a dump shows only the description.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
