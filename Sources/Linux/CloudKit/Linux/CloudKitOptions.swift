// Linux only. Apple's client has no such options.

/// Choices for undocumented behavior of Apple's client. `LocalCloudOptions` has those for the
/// service.
///
/// The defaults are what seems most likely. A container uses ``current`` unless it is given other
/// options; a record has no container and always uses ``current``.
public struct CloudKitOptions: Sendable {
    /// Whether `modifyRecords(saving:deleting:savePolicy:atomically:)` throws the error of an item,
    /// if it is atomic, instead of returning it.
    public var atomicModificationsThrow = false
    /// Whether setting a key to its present value marks it as changed.
    public var equalValuesAreChanges = true
    /// Whether the record that is passed to a save is itself updated and returned. Otherwise the
    /// saved record is another instance.
    public var savedRecordsAreUpdated = true
    /// Whether a record may occur twice in a request. The service must allow it, too.
    public var allowsRepeatedRecords = false
    /// Whether a modification without records fails with `invalidArguments`.
    public var refusesEmptyModifications = false
    /// Whether the signed-in user is `__defaultOwner__` in the creators of private records.
    public var showsOwnUserAsDefaultOwner = true
    /// Whether setting a key that is the name of a property of `CKRecord`, such as `recordID`,
    /// raises an exception. Otherwise the save fails, because the service refuses the field.
    public var reservedKeysAreExceptions = true
    /// Whether an operation that is canceled calls its result block. Otherwise it just ends.
    public var canceledOperationsAnswer = true
    /// Whether an operation that is canceled before it starts ends at all. Otherwise it calls no block, not even
    /// `completionBlock`.
    public var operationsCanceledEarlyEnd = true
    /// Whether an operation lives until its `completionBlock` has returned. Otherwise the block is called when the
    /// operation is deallocated.
    public var operationsOutliveTheirCompletion = true
    /// Whether an operation reports the result of each item, and of each zone whose changes it fetches. Otherwise it
    /// reports only that it has succeeded.
    public var operationsReportItems = true
    /// Whether an operation whose items have failed fails, too, with a partial failure. Otherwise it succeeds.
    public var itemFailuresFailOperations = false
    /// Whether `allKeys()` and `changedKeys()` of a record include its encrypted keys.
    public var recordKeysIncludeEncrypted = false
    /// Whether a request for a zone's changes that is refused without a clear reason means that its
    /// token has expired.
    public var refusedTokensAreExpired = true
    /// Whether the types of known records are kept in memory, for deletions that a service reports
    /// without a type. `LocalCloud` always reports the type.
    public var remembersRecordTypes = false

    /// The defaults.
    public init() {}

    private static let storage = Locked(CloudKitOptions())

    /// The options in this process for containers without their own.
    public static var current: CloudKitOptions {
        get { storage.value }
        set { storage.withLock { $0 = newValue } }
    }
}
