// Linux only. Apple's client is as it is.

/// Choices for what Apple has not documented about its client. What it has not documented about its
/// service is chosen in `LocalCloudOptions`.
///
/// The defaults are what is thought most likely. A container takes those of ``current`` unless it
/// is given others; a record has no container and always takes those of ``current``.
public struct CloudKitOptions: Sendable {
    /// Whether `modifyRecords(saving:deleting:savePolicy:atomically:)` throws the error of an item
    /// instead of returning it, if it is atomic.
    public var atomicModificationsThrow = false
    /// Whether setting a key to the value that it has marks it as changed.
    public var equalValuesAreChanges = true
    /// Whether the record that is passed to a save is itself updated, and returned. If not, the
    /// saved record is another instance.
    public var savedRecordsAreUpdated = true
    /// Whether a record may occur twice in a request. The service must allow it, too.
    public var allowsRepeatedRecords = false
    /// Whether a modification of no records fails with `invalidArguments`.
    public var refusesEmptyModifications = false
    /// Whether the own user is `__defaultOwner__` in the creators of private records.
    public var showsOwnUserAsDefaultOwner = true
    /// Whether setting a key that is the name of a property of `CKRecord`, such as `recordID`, is an
    /// exception. If not, the save fails: the service refuses the field.
    public var reservedKeysAreExceptions = true
    /// Whether an operation that is canceled calls its result block. If not, it just ends.
    public var canceledOperationsAnswer = true
    /// Whether `allKeys()` and `changedKeys()` of a record list its encrypted keys, too.
    public var recordKeysIncludeEncrypted = false
    /// Whether a request for a zone's changes that is refused without a clear reason means that its
    /// token has expired.
    public var refusedTokensAreExpired = true
    /// Whether the types of the records that were seen are kept in memory, for deletions that a
    /// service tells without a type. `LocalCloud` always tells the type.
    public var remembersRecordTypes = false

    /// The defaults.
    public init() {}

    private static let storage = Locked(CloudKitOptions())

    /// What holds in this process unless a container is given something else.
    public static var current: CloudKitOptions {
        get { storage.value }
        set { storage.withLock { $0 = newValue } }
    }
}
