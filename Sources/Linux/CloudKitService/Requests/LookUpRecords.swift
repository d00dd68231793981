/// The body of `records/lookup`: the names of records of one zone.
public struct LookUpRecordsRequest: Hashable, Sendable, Codable {
    /// The zone. Absent: the default zone.
    public var zoneID: ZoneIDDictionary?
    /// The records.
    public var records: [RecordName]
    /// The fields to fetch. Nil: all; empty: only system fields.
    public var desiredKeys: [String]?
    /// Whether numbers in the response are in quotes.
    public var numbersAsStrings: Bool?

    /// Creates a request.
    public init(
        zoneID: ZoneIDDictionary? = nil,
        records: [RecordName],
        desiredKeys: [String]? = nil,
        numbersAsStrings: Bool? = nil
    ) {
        self.zoneID = zoneID
        self.records = records
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
    }

    /// Identifies a record.
    public struct RecordName: Hashable, Sendable, Codable {
        /// The record's name.
        public var recordName: String
        /// The fields to fetch, instead of the request's.
        public var desiredKeys: [String]?

        /// Creates a name.
        public init(_ recordName: String, desiredKeys: [String]? = nil) {
            self.recordName = recordName
            self.desiredKeys = desiredKeys
        }
    }
}

/// The answer to `records/lookup`.
public struct LookUpRecordsResponse: Hashable, Sendable, Codable {
    /// The records in the order of the request.
    public var records: [ItemResult<RecordDictionary>]
    /// Extension: why the answer is incomplete. The request has failed as a whole, but the reported
    /// results are valid.
    public var interruption: CloudKitServiceError?

    /// Creates a response.
    public init(
        records: [ItemResult<RecordDictionary>], interruption: CloudKitServiceError? = nil
    ) {
        self.records = records
        self.interruption = interruption
    }
}
