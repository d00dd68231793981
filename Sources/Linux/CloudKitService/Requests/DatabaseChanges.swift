/// The body of `changes/database`.
public struct DatabaseChangesRequest: Hashable, Sendable, Codable {
    /// The token at the end of the previous page. If absent, the changes start at the beginning,
    /// without deletions.
    public var syncToken: String?
    /// The maximum number of zones in the page. If absent, the server decides.
    public var resultsLimit: Int?

    /// Creates a request.
    public init(syncToken: String? = nil, resultsLimit: Int? = nil) {
        self.syncToken = syncToken
        self.resultsLimit = resultsLimit
    }
}

/// The answer to `changes/database`.
public struct DatabaseChangesResponse: Hashable, Sendable, Codable {
    /// The zones that changed, or have changed records; a deletion has `deleted` and the reason.
    public var zones: [ZoneDictionary]
    /// The token at the end of the page.
    public var syncToken: String
    /// Whether there is another page.
    public var moreComing: Bool

    /// Creates a response.
    public init(zones: [ZoneDictionary], syncToken: String, moreComing: Bool) {
        self.zones = zones
        self.syncToken = syncToken
        self.moreComing = moreComing
    }
}
