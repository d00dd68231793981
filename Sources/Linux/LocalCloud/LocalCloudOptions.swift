import Foundation

/// The limits of a local cloud, its clock, and a choice for each behavior of CloudKit that nobody
/// has documented.
public struct LocalCloudOptions: Sendable {
    /// What time it is. Records get their dates from it.
    public var clock: @Sendable () -> Date = { Date() }
    /// Waits for some seconds where a fault makes a request slow.
    public var sleep: @Sendable (TimeInterval) async -> Void = { seconds in
        // Whoever cancels the wait does not want it any longer.
        try? await Task.sleep(nanoseconds: UInt64(min(max(seconds, 0), 86_400) * 1e9))
    }

    // MARK: - Limits

    /// How many operations a request may have.
    public var maximumOperations = 400
    /// How many bytes a request to modify records may have, without its assets.
    public var maximumRequestSize = 2_000_000
    /// How many bytes a record may have, without its assets.
    public var maximumRecordSize = 1_000_000
    /// How many bytes an asset may have. Nil: any number.
    public var maximumAssetSize: Int64?
    /// How many references with the action `deleteSelf` may refer to one record.
    public var maximumDeletingReferences = 750
    /// How many records or zones a page has if the request does not say, and at most.
    public var pageSize = 200
    /// How many bytes of fields, without assets, a page of a zone's changes has at most; one record
    /// is always sent. Nil: any number.
    public var maximumPageBytes: Int?
    /// How many bytes the records and assets of a user's private database may have together, and
    /// those of the public database. Nil: any number.
    public var quota: Int64?

    // MARK: - Undocumented behavior

    /// Whether saving a `deleteSelf` reference to a record that does not exist fails.
    public var validatesDeletingReferences = false
    /// Whether saving a child gives its parent a new change tag.
    public var childSaveTouchesParent = false
    /// Whether saving a reference in a field gives the record that it refers to a new change tag.
    public var referenceSaveTouchesTarget = false
    /// Whether an empty list is refused as the first value of a field.
    public var refusesEmptyListForNewField = true
    /// Whether a value that comes without a type is taken for one of its field's type where it can be: a
    /// number for a date, base64 for bytes. If not, it has the type that its form suggests and is
    /// refused where that is another.
    public var convertsValuesWithoutType = true
    /// Whether a record may occur twice in a request. Then its operations run in order.
    public var allowsRepeatedRecords = false
    /// Whether deleting a record that does not exist is `unknownItem` instead of a success.
    public var deletingMissingRecordFails = false
    /// Whether `==` on texts in a query ignores case.
    public var queriesIgnoreCase = false
    /// Whether queries may filter and sort by `recordName`.
    public var recordNameIsQueryable = true
    /// Whether the caller appears as `__defaultOwner__` in `created` and `modified` and as the owner of
    /// zones, as Apple's client shows it. Over HTTP, CloudKit gives the name of the user's record.
    public var showsCallerAsDefaultOwner = true
    /// Whether a subscription needs a notification info.
    public var requiresNotificationInfo = false
    /// Whether a query that names no zone searches all zones of a private database. If not, it
    /// searches the default zone.
    public var queriesWithoutZoneSearchAllZones = true
    /// Whether the records that a deletion takes with it are told to other devices as deletions.
    public var cascadesLeaveTombstones = true
    /// For how many seconds a sync token is good. Nil: tokens never expire by age.
    public var syncTokenLifetime: TimeInterval?

    // MARK: - What a developer sets in the console

    /// Whether a record of the public database can be changed and deleted by its creator only, as
    /// CloudKit's roles have it unless they are changed.
    public var onlyCreatorsChangePublicRecords = true

    /// The defaults.
    public init() {}
}
