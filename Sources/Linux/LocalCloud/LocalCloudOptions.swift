import Foundation

/// The limits of a local cloud, its clock, and a choice for each undocumented behavior of CloudKit.
public struct LocalCloudOptions: Sendable {
    /// The current time, which determines the dates of records.
    public var clock: @Sendable () -> Date = { Date() }
    /// Waits for some seconds when a fault delays a request.
    public var sleep: @Sendable (TimeInterval) async -> Void = { seconds in
        // A canceled wait simply ends.
        try? await Task.sleep(nanoseconds: UInt64(min(max(seconds, 0), 86_400) * 1e9))
    }

    // MARK: - Limits

    /// The maximum number of operations in a request.
    public var maximumOperations = 400
    /// The maximum size of a request to modify records in bytes, without its assets.
    public var maximumRequestSize = 2_000_000
    /// The maximum size of a record in bytes, without its assets.
    public var maximumRecordSize = 1_000_000
    /// The maximum size of an asset in bytes; nil for no limit.
    public var maximumAssetSize: Int64?
    /// The maximum number of conditions of a query. Apple's limit is not known.
    public var maximumFilters = 32
    /// The maximum number of values in the conditions of a query: the elements of lists, and the words
    /// of texts whose words are searched. Apple's servers allow a condition 250.
    public var maximumFilterValues = 250
    /// The maximum number of sort keys of a query. Apple's limit is not known.
    public var maximumSortKeys = 16
    /// The maximum number of references with the action `deleteSelf` to one record.
    public var maximumDeletingReferences = 750
    /// The number of records or zones in a page if the request does not specify it, and the
    /// maximum.
    public var pageSize = 200
    /// The maximum size of the fields in an answer with the changes of zones, or the results of a
    /// query, in bytes without assets; each page contains at least one record. Nil for no limit.
    public var maximumPageBytes: Int?
    /// The maximum total size of the records and assets of a user's private database in bytes, and
    /// of the public database. Nil for no limit.
    public var quota: Int64?

    // MARK: - Undocumented behavior

    /// Whether saving a `deleteSelf` reference to a missing record fails.
    public var validatesDeletingReferences = false
    /// Whether saving a child gives its parent a new change tag.
    public var childSaveTouchesParent = false
    /// Whether saving a reference in a field gives its target a new change tag.
    public var referenceSaveTouchesTarget = false
    /// Whether an empty list is refused as the first value of a field.
    public var refusesEmptyListForNewField = true
    /// Whether a value without a type is converted to its field's type if possible: a number to a date,
    /// base64 to bytes. Otherwise it has the type that its form suggests, and is refused if the field
    /// has another.
    public var convertsValuesWithoutType = true
    /// Whether a record may occur twice in a request. Its operations are then carried out in order.
    public var allowsRepeatedRecords = false
    /// Whether deleting a missing record is the error `unknownItem` instead of a success.
    public var deletingMissingRecordFails = false
    /// Whether `==` on strings in a query ignores case.
    public var queriesIgnoreCase = false
    /// Whether queries may filter and sort by `recordName`.
    public var recordNameIsQueryable = true
    /// Whether the caller appears as `__defaultOwner__` in `created` and `modified` and as the owner of
    /// zones, as in Apple's client. Over HTTP, CloudKit sends the name of the user's record.
    public var showsCallerAsDefaultOwner = true
    /// Whether a subscription needs a notification info.
    public var requiresNotificationInfo = false
    /// Whether a query without a zone searches all zones of a private database. Otherwise it
    /// searches the default zone.
    public var queriesWithoutZoneSearchAllZones = true
    /// Whether other devices are told the deletions of records that a deletion cascades to.
    public var cascadesLeaveTombstones = true
    /// Whether a sync token is valid only in the zone that issued it. Otherwise another user's zone
    /// of the same name accepts it, too, as a position in its own feed.
    public var tokensBelongToTheirFeed = true
    /// The number of seconds after which a sync token expires; nil for no limit.
    public var syncTokenLifetime: TimeInterval?

    // MARK: - What a developer sets in the console

    /// Whether only its creator can change and delete a record of the public database, as with
    /// CloudKit's default roles.
    public var onlyCreatorsChangePublicRecords = true

    /// Creates options with the defaults.
    public init() {}
}
