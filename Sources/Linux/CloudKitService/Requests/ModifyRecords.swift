import Foundation

/// The body of `records/modify`: changes to records of one zone.
public struct ModifyRecordsRequest: Hashable, Sendable, Codable {
    /// The zone. Absent: the default zone.
    public var zoneID: ZoneIDDictionary?
    /// Whether all operations are carried out or none. False if absent; has no effect in the
    /// default zone.
    public var atomic: Bool?
    /// The operations. A record may occur only once.
    public var operations: [RecordOperation]
    /// The fields to include in the response. Nil: all; empty: only system fields.
    public var desiredKeys: [String]?
    /// Whether numbers in the response are in quotes.
    public var numbersAsStrings: Bool?
    /// Extension: stored with the zone and returned by the next fetch of its changes
    /// (`clientChangeTokenData`).
    public var clientChangeToken: Data?

    /// Creates a request.
    public init(
        zoneID: ZoneIDDictionary? = nil,
        atomic: Bool? = nil,
        operations: [RecordOperation],
        desiredKeys: [String]? = nil,
        numbersAsStrings: Bool? = nil,
        clientChangeToken: Data? = nil
    ) {
        self.zoneID = zoneID
        self.atomic = atomic
        self.operations = operations
        self.desiredKeys = desiredKeys
        self.numbersAsStrings = numbersAsStrings
        self.clientChangeToken = clientChangeToken
    }
}

/// A change to one record.
public struct RecordOperation: Hashable, Sendable, Codable {
    /// What to do with the record.
    public var operationType: OperationType
    /// The record. Only its name and tag matter to a deletion.
    public var record: RecordDictionary
    /// The fields to include in the response, instead of the request's.
    public var desiredKeys: [String]?

    /// Creates an operation.
    public init(
        _ operationType: OperationType, _ record: RecordDictionary, desiredKeys: [String]? = nil
    ) {
        self.operationType = operationType
        self.record = record
        self.desiredKeys = desiredKeys
    }

    /// What to do with a record.
    ///
    /// The native save policies are `create` (unchanged policy, no tag), `update` (unchanged policy
    /// with a tag) and `forceUpdate` (changed keys, all keys); native deletions are `forceDelete`.
    public enum OperationType: String, Hashable, Sendable, Codable, CaseIterable {
        /// Fails with `EXISTS` if there is such a record.
        case create
        /// Writes the given fields if the tag is the current one.
        case update
        /// Writes the given fields whatever the tag; creates the record if there is none.
        case forceUpdate
        /// Writes the given fields and clears all others if the tag is the current one.
        case replace
        /// Writes the given fields and clears all others whatever the tag; creates the record if there
        /// is none.
        case forceReplace
        /// Deletes the record if the tag is the current one.
        case delete
        /// Deletes the record whatever the tag. A missing record is not an error.
        case forceDelete
    }
}

/// The answer to `records/modify`.
public struct ModifyRecordsResponse: Hashable, Sendable, Codable {
    /// The result for each operation, in their order. Deleted records are marked as such. Records
    /// that a deletion cascaded to are not listed.
    public var records: [ItemResult<RecordDictionary>]
    /// The zone's sync token after the changes.
    public var syncToken: String?
    /// Extension: why the answer is incomplete. The request has failed as a whole, but the reported
    /// results are valid.
    public var interruption: CloudKitServiceError?

    /// Creates a response.
    public init(
        records: [ItemResult<RecordDictionary>], syncToken: String? = nil,
        interruption: CloudKitServiceError? = nil
    ) {
        self.records = records
        self.syncToken = syncToken
        self.interruption = interruption
    }
}
