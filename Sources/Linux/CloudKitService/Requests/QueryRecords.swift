/// The body of `records/query`.
public struct QueryRecordsRequest: Hashable, Sendable, Codable {
    /// The zone. Absent: the default zone, unless `zoneWide` is true.
    public var zoneID: ZoneIDDictionary?
    /// Whether all zones of the database are searched.
    public var zoneWide: Bool?
    /// The query.
    public var query: QueryDictionary
    /// The maximum number of records in the page. If absent, the server decides.
    public var resultsLimit: Int?
    /// The marker at the end of the previous page.
    public var continuationMarker: String?
    /// The fields to fetch. Nil: all; empty: only system fields.
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
    /// The marker for the next page. Absent for the last page.
    public var continuationMarker: String?

    /// Creates a response.
    public init(records: [ItemResult<RecordDictionary>], continuationMarker: String? = nil) {
        self.records = records
        self.continuationMarker = continuationMarker
    }
}
