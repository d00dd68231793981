import Foundation

/// The body of `changes/zone`: the zones and the positions in their feeds.
public struct ZoneChangesRequest: Hashable, Sendable, Codable {
    /// The zones.
    public var zones: [Zone]
    /// The limit for zones without one of their own.
    public var resultsLimit: Int?
    /// The fields for zones without their own.
    public var desiredKeys: [String]?
    /// The record types for zones without their own.
    public var desiredRecordTypes: [String]?
    /// The order for zones without their own.
    public var reverse: Bool?
    /// Whether numbers in the response are in quotes.
    public var numbersAsStrings: Bool?

    /// Creates a request.
    public init(
        zones: [Zone],
        resultsLimit: Int? = nil,
        desiredKeys: [String]? = nil,
        desiredRecordTypes: [String]? = nil,
        reverse: Bool? = nil,
        numbersAsStrings: Bool? = nil
    ) {
        self.zones = zones
        self.resultsLimit = resultsLimit
        self.desiredKeys = desiredKeys
        self.desiredRecordTypes = desiredRecordTypes
        self.reverse = reverse
        self.numbersAsStrings = numbersAsStrings
    }

    /// The part of a request for one zone.
    public struct Zone: Hashable, Sendable, Codable {
        /// The zone.
        public var zoneID: ZoneIDDictionary
        /// The token at the end of the previous page. If absent, the changes start at the
        /// beginning, without deletions.
        public var syncToken: String?
        /// The maximum number of records in the page. If absent, the server decides.
        public var resultsLimit: Int?
        /// The fields to fetch. Nil: all; empty: only system fields.
        public var desiredKeys: [String]?
        /// The types of records to fetch. Nil: all.
        public var desiredRecordTypes: [String]?
        /// Whether the newest changes come first. It must be the same for all pages of a fetch.
        public var reverse: Bool?

        /// Creates the part of a request for one zone.
        public init(
            zoneID: ZoneIDDictionary,
            syncToken: String? = nil,
            resultsLimit: Int? = nil,
            desiredKeys: [String]? = nil,
            desiredRecordTypes: [String]? = nil,
            reverse: Bool? = nil
        ) {
            self.zoneID = zoneID
            self.syncToken = syncToken
            self.resultsLimit = resultsLimit
            self.desiredKeys = desiredKeys
            self.desiredRecordTypes = desiredRecordTypes
            self.reverse = reverse
        }
    }
}

/// The answer to `changes/zone`.
public struct ZoneChangesResponse: Hashable, Sendable, Codable {
    /// A page for each zone in the order of the request, or an error instead.
    public var zones: [ItemResult<Zone>]
    /// Extension: why the answer ends within the last page. The request has failed as a whole; that
    /// page's token is not valid.
    public var interruption: CloudKitServiceError?

    /// Creates a response.
    public init(zones: [ItemResult<Zone>], interruption: CloudKitServiceError? = nil) {
        self.zones = zones
        self.interruption = interruption
    }

    /// One page of a zone's changes.
    public struct Zone: Hashable, Sendable, Codable {
        /// The zone.
        public var zoneID: ZoneIDDictionary
        /// The current version of each record that changed; a deletion has `deleted` and the type.
        public var records: [RecordDictionary]
        /// The token at the end of the page.
        public var syncToken: String
        /// Whether there is another page.
        public var moreComing: Bool
        /// Extension: the data that a client last stored with `clientChangeToken`.
        public var clientChangeToken: Data?

        /// Creates a page.
        public init(
            zoneID: ZoneIDDictionary,
            records: [RecordDictionary],
            syncToken: String,
            moreComing: Bool,
            clientChangeToken: Data? = nil
        ) {
            self.zoneID = zoneID
            self.records = records
            self.syncToken = syncToken
            self.moreComing = moreComing
            self.clientChangeToken = clientChangeToken
        }
    }
}
