/// The body of `records/changes`, which is deprecated but still used. It is one zone of
/// `changes/zone`.
struct RecordChangesRequest: Codable {
    var zoneID: ZoneIDDictionary?
    var syncToken: String?
    var resultsLimit: Int?
    var desiredKeys: [String]?
    var desiredRecordTypes: [String]?
    var reverse: Bool?
    var numbersAsStrings: Bool?
}

/// The response to `records/changes`.
struct RecordChangesResponse: Codable {
    var records: [RecordDictionary]
    var syncToken: String
    var moreComing: Bool
}

/// The body of `zones/changes`, which is deprecated but still used. It ignores a `syncToken`.
struct ChangedZonesRequest: Codable {
    var metaSyncToken: String?
}

/// The response to `zones/changes`.
struct ChangedZonesResponse: Codable {
    var zones: [ZoneDictionary]
    var metaSyncToken: String
    var moreComing: Bool
}
