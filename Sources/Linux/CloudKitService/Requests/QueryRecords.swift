/// The body of `records/query`.
public struct QueryRecordsRequest: Hashable, Sendable, Codable {
    /// The zone. Absent: the default zone, unless `zoneWide` is true.
    public var zoneID: ZoneIDDictionary?
    /// Whether all zones of the database are searched.
    public var zoneWide: Bool?
    /// What to look for.
    public var query: QueryDictionary
    /// How many records the page may have. Absent: the server decides.
    public var resultsLimit: Int?
    /// Where the previous page ended.
    public var continuationMarker: String?
    /// The fields to fetch. Nil: all; none: only system fields.
    public var desiredKeys: [String]?
    /// Whether numbers in the response are in quotes.
    public var numbersAsStrings: Bool?

    /// Creates a request.
    public init(
        zoneID: ZoneIDDictionary? = nil,
        zoneWide: Bool? = nil,
        query: QueryDictionary,
        resultsLimit: Int? = nil,
        continuationMarker: String? = nil,
        desiredKeys: [String]? = nil,
        numbersAsStrings: Bool? = nil
    ) {
        self.zoneID = zoneID
        self.zoneWide = zoneWide
        self.query = query
        self.resultsLimit = resultsLimit
        self.continuationMarker = continuationMarker
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }
}

/// The answer to `records/query`.
public struct QueryRecordsResponse: Hashable, Sendable, Codable {
    /// The records of the page in the query's order.
    public var records: [ItemResult<RecordDictionary>]
    /// Where the next page begins. Absent: this is the last.
    public var continuationMarker: String?

    /// Creates a response.
    public init(records: [ItemResult<RecordDictionary>], continuationMarker: String? = nil) {
        self.records = records
        self.continuationMarker = continuationMarker
    }
}
