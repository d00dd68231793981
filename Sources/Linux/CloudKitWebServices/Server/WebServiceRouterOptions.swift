import Foundation

/// The limits of a ``WebServiceRouter``, and what a server allows.
public struct WebServiceRouterOptions: Sendable {
    /// What time it is.
    public var clock: @Sendable () -> Date = { Date() }
    /// How many operations, records or places for uploads a request may have.
    public var maximumItems = 200
    /// How many bytes the body of a request may have, except for the bytes of an asset.
    public var maximumBodySize = 4_000_000
    /// How many bytes an asset may have.
    public var maximumAssetSize: Int64 = 50_000_000
    /// For how many seconds an address for the bytes of an asset is good.
    public var assetAddressLifetime: TimeInterval = 15 * 60
    /// For how many seconds a token for pushes is good after the last request for one.
    public var pushTokenLifetime: TimeInterval = 12 * 60 * 60
    /// How many tokens for pushes there are at most. The oldest makes room.
    public var maximumPushTokens = 1_000
    /// How many seconds a request waits for a push.
    public var pushWait: TimeInterval = 50
    /// The origins of pages that may use the server; nil: all. The tokens are in the address and not in
    /// cookies, so a page can do no more than whoever has the tokens.
    public var allowedOrigins: Set<String>?
    /// Where temporary files go.
    public var temporaryDirectory = FileManager.default.temporaryDirectory
    /// Finds a user who can be discovered. The caller is found without it.
    public var discover: @Sendable (UserLookupInfo, RequestContext) async -> UserDictionary? = {
        _, _ in nil
    }

    /// Creates options with the defaults, which are Apple's as far as they are known.
    public init() {}
}
