import Foundation

/// The limits and other options of a ``WebServiceRouter``.
public struct WebServiceRouterOptions: Sendable {
    /// Returns the current time.
    public var clock: @Sendable () -> Date = { Date() }
    /// The maximum number of operations, records or upload tokens in a request.
    public var maximumItems = 200
    /// The maximum size in bytes of a request's path and query.
    public var maximumTargetSize = 8_192
    /// The maximum size in bytes of a request's body, except for uploads of assets.
    public var maximumBodySize = 4_000_000
    /// The maximum number of elements of a list in a body, except for a field's value.
    public var maximumListElements = 1_000
    /// The maximum number of values in a body: numbers, texts, lists and dictionaries.
    public var maximumValues = 300_000
    /// How much a user may ask for; nil for no limit. Apps without a user have an allowance for each
    /// origin of requests.
    public var allowance: WebServiceAllowance?
    /// The maximum size of an asset in bytes.
    public var maximumAssetSize: Int64 = 50_000_000
    /// How many seconds an asset URL is valid.
    public var assetAddressLifetime: TimeInterval = 15 * 60
    /// How many seconds a push token is valid after its last use.
    public var pushTokenLifetime: TimeInterval = 12 * 60 * 60
    /// The maximum number of push tokens. The oldest one is removed if there are more.
    public var maximumPushTokens = 1_000
    /// The maximum number of push tokens of a user. The user's oldest one is removed if there are more.
    public var maximumPushTokensOfUser = 100
    /// How many seconds a request waits for a push.
    public var pushWait: TimeInterval = 50
    /// The origins of web pages that may use the server; nil allows all. Tokens are in the URL and
    /// not in cookies, so a page can only do what its tokens allow.
    public var allowedOrigins: Set<String>?
    /// The directory for temporary files.
    public var temporaryDirectory = FileManager.default.temporaryDirectory
    /// Finds a discoverable user. It is not needed to find the caller.
    public var discover: @Sendable (UserLookupInfo, RequestContext) async -> UserDictionary? = {
        _, _ in nil
    }

    /// Is told the errors that concern the server itself, with the ID of the response. The client is told
    /// the ID only: a reason may name the server's files.
    public var report: @Sendable (CloudKitServiceError, _ uuid: String) -> Void = { _, _ in }

    /// Creates options with the defaults, which are Apple's as far as they are known.
    public init() {}
}
