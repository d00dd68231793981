/// The body of `records/changes`, which is deprecated and still used: one zone of `changes/zone`.
struct RecordChangesRequest: Codable {
    var zoneID: ZoneIDDictionary?
    var syncToken: String?
    var resultsLimit: Int?
    var desiredKeys: [String]?
    var desiredRecordTypes: [String]?
    var reverse: Bool?
    var numbersAsStrings: Bool?
}

/// The answer to `records/changes`.
struct RecordChangesResponse: Codable {
    var records: [RecordDictionary]
    var syncToken: String
    var moreComing: Bool
}

/// The body of `zones/changes`, which is deprecated and still used. A `syncToken` means nothing in it.
struct ChangedZonesRequest: Codable {
    var metaSyncToken: String?
}

/// The answer to `zones/changes`.
struct ChangedZonesResponse: Codable {
    var zones: [ZoneDictionary]
    var metaSyncToken: String
    var moreComing: Bool
}
