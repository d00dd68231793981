/// From where on the changes of a zone are fetched, and how much of them.
///
/// It is spelled `CKFetchRecordZoneChangesOperation.ZoneConfiguration`.
open class CKFetchRecordZoneChangesConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because its properties can be set: like Apple's, it must not be changed by two
    // threads at once.

    /// From where on; from the beginning, and then without deletions, if nil.
    public var previousServerChangeToken: CKServerChangeToken?

    /// The most records that one request to the server may return; the server decides if 0.
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
    /// From where on; from the beginning, and then without deletions, if nil.
    public var previousServerChangeToken: CKServerChangeToken?

    /// The most records that one request to the server may return; the server decides if 0.
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

    /// The same in the current form.
    var configuration: CKFetchRecordZoneChangesConfiguration {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }
}
