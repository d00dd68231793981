import CloudKit
import CoreData

/// The names of options, of what a model's user info says, and of what the server has.
extension SMStore {
    /// Store option: what to do with an object that both sides changed, as
    /// ``SMSyncConflictResolutionPolicy`` or its number.
    public static let SMStoreSyncConflictResolutionPolicyOption =
        "SMStoreSyncConflictResolutionPolicyOption"
    /// Store option: the CloudKit container, as its identifier, as a `CKContainer`, or as another
    /// ``SMCloudContainer``. Without it the application's default container is used.
    public static let SMStoreContainerOption = "SMStoreContainerOption"
    /// Store option: when the system lets the files be read, as the name of a `FileProtectionType`, for the
    /// file, its log and its external data. Core Data's `NSPersistentStoreFileProtectionKey`, by a name
    /// that exists on every system; nothing on macOS and Linux.
    public static let SMStoreFileProtectionOption = StoreFileProtection.option
    /// The domain of ``SMStoreError`` as an `NSError`, and the key under which the notification
    /// ``Foundation/NSNotification/Name/smSyncDidFinish`` carries an error.
    public static let SMStoreErrorDomain = SMStoreError.errorDomain

    /// Key of an entity's or property's user info in the model: "NO" leaves it out of sync.
    public static let SMSyncedUserInfoKey = UserInfoKey.synced
    /// Key of an entity's user info in the model: its record type, if not the entity's name.
    public static let SMRecordTypeUserInfoKey = UserInfoKey.recordType
    /// Key of an entity's user info in the model: what to do with an object of it that both sides
    /// changed, as the name of a ``SMSyncConflictResolutionPolicy`` or its number. Sub-entities
    /// inherit it.
    public static let SMSyncConflictResolutionPolicyUserInfoKey =
        UserInfoKey.conflictPolicy
    /// Key of an entity's user info in the model: the attributes, separated by commas, whose values
    /// tell its objects apart. Devices that create the same thing create the same record then.
    public static let SMNaturalKeyUserInfoKey = UserInfoKey.naturalKey
    /// Key of a property's user info in the model: its field, if not the property's name.
    public static let SMFieldNameUserInfoKey = UserInfoKey.fieldName

    /// Decides a conflict under the policy `clientTellsWhichWins`.
    ///
    /// - Parameters:
    ///   - serverRecord: The record as the server has it.
    ///   - clientRecord: The record as it is here, with all its values.
    ///   - ancestorRecord: The record as both sides last agreed; without fields if each side
    ///     created it.
    /// - Returns: The record that both sides take over: `serverRecord`, changed at will.
    public typealias SMStoreConflictResolutionBlock = (
        _ serverRecord: CKRecord, _ clientRecord: CKRecord, _ ancestorRecord: CKRecord
    ) -> CKRecord
}

/// The store type under the name that Seam 0.6 gave it.
public var SeamStoreType: String { SMStore.type }
