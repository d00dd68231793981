/// The start and the extent of a fetch of a zone's changes.
///
/// It is spelled `CKFetchRecordZoneChangesOperation.ZoneConfiguration`.
open class CKFetchRecordZoneChangesConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because its properties can be set: like Apple's, it must not be changed by two
    // threads at once.

    /// The token to start from; nil to start from the beginning, without deletions.
    public var previousServerChangeToken: CKServerChangeToken?

    /// The maximum number of records that one request to the server may return; the server decides if it is 0.
    public var resultsLimit: Int

    /// The fields to fetch: all if nil, none if empty.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Creates a configuration.
    public init(
        previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil
    ) {
        self.previousServerChangeToken = previousServerChangeToken
        self.resultsLimit = resultsLimit ?? 0
        self.desiredKeys = desiredKeys
    }

    /// Returns an independent copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }
}

/// The former form of ``CKFetchRecordZoneChangesConfiguration``, spelled
/// `CKFetchRecordZoneChangesOperation.ZoneOptions`.
open class CKFetchRecordZoneChangesOptions: NSObject, NSCopying {
    /// The token to start from; nil to start from the beginning, without deletions.
    public var previousServerChangeToken: CKServerChangeToken?

    /// The maximum number of records that one request to the server may return; the server decides if it is 0.
    public var resultsLimit: Int = 0

    /// The fields to fetch: all if nil, none if empty.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Creates options that fetch everything.
    public override init() {}

    /// Returns an independent copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKFetchRecordZoneChangesOptions()
        copy.previousServerChangeToken = previousServerChangeToken
        copy.resultsLimit = resultsLimit
        copy.desiredKeys = desiredKeys
        return copy
    }

    /// The same settings in the current form.
    var configuration: CKFetchRecordZoneChangesConfiguration {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }
}
