import Foundation

/// The limits of a local cloud, its clock, and a choice for each behaviour of CloudKit that nobody
/// has documented.
public struct LocalCloudOptions: Sendable {
    /// What time it is. Records get their dates from it.
    public var clock: @Sendable () -> Date = { Date() }

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
    /// How many bytes the records and assets of a user's private database may have together, and
    /// those of the public database. Nil: any number.
    public var quota: Int64?

    // MARK: - Undocumented behaviour

    /// Whether saving a `deleteSelf` reference to a record that does not exist fails.
    public var validatesDeletingReferences = false
    /// Whether saving a child gives its parent a new change tag.
    public var childSaveTouchesParent = false
    /// Whether an empty list is refused as the first value of a field.
    public var refusesEmptyListForNewField = true
    /// Whether a record may occur twice in a request. Then its operations run in order.
    public var allowsRepeatedRecords = false
    /// Whether deleting a record that does not exist is `unknownItem` instead of a success.
    public var deletingMissingRecordFails = false
    /// Whether `==` on texts in a query ignores case.
    public var queriesIgnoreCase = false
    /// Whether queries may filter and sort by `recordName`.
    public var recordNameIsQueryable = true
    /// Whether the caller appears as `__defaultOwner__` in `created` and `modified`.
    public var showsCallerAsDefaultOwner = true
    /// Whether a subscription needs a notification info.
    public var requiresNotificationInfo = false

    /// The defaults.
    public init() {}
}
