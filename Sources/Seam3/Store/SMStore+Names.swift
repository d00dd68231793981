import CloudKit
import CoreData

/// The names of store options, of keys in a model's user info, and of what is on the server.
extension SMStore {
    /// Store option: the policy for objects that both sides changed, as
    /// ``SMSyncConflictResolutionPolicy`` or its number.
    ///
    ///     description.setOption(
    ///         NSNumber(value: SMSyncConflictResolutionPolicy.keepBoth.rawValue),
    ///         forKey: SMStore.SMStoreSyncConflictResolutionPolicyOption)
    public static let SMStoreSyncConflictResolutionPolicyOption =
        "SMStoreSyncConflictResolutionPolicyOption"
    /// Store option: the CloudKit container, as its identifier, as a `CKContainer`, or as another
    /// ``SMCloudContainer``. Without it the app's default container is used.
    ///
    ///     description.setOption(
    ///         "iCloud.org.example.Clocks" as NSString, forKey: SMStore.SMStoreContainerOption)
    public static let SMStoreContainerOption = "SMStoreContainerOption"
    /// Store option: when the system lets the store's file, its log and its external data be read, as the
    /// name of a `FileProtectionType`. It is Core Data's `NSPersistentStoreFileProtectionKey` under a name
    /// that exists on every platform. It has no effect on macOS and Linux.
    public static let SMStoreFileProtectionOption = StoreFileProtection.option
    /// The domain of ``SMStoreError`` as an `NSError`, and the key under which the notification
    /// ``Foundation/NSNotification/Name/smSyncDidFinish`` carries an error.
    public static let SMStoreErrorDomain = SMStoreError.errorDomain

    /// Key in the user info of an entity or a property: "NO" keeps it on the device.
    ///
    ///     attribute.userInfo = [SMStore.SMSyncedUserInfoKey: "NO"]
    public static let SMSyncedUserInfoKey = UserInfoKey.synced
    /// Key in the user info of an entity: its record type, if it is not the entity's name.
    public static let SMRecordTypeUserInfoKey = UserInfoKey.recordType
    /// Key in the user info of an entity: the policy for its objects that both sides changed, as the name
    /// of an ``SMSyncConflictResolutionPolicy`` or its number. Subentities inherit it.
    public static let SMSyncConflictResolutionPolicyUserInfoKey =
        UserInfoKey.conflictPolicy
    /// Key in the user info of an entity: the attributes that identify its objects, separated by commas.
    /// Devices that create the same thing then create the same record.
    ///
    ///     tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
    public static let SMNaturalKeyUserInfoKey = UserInfoKey.naturalKey
    /// Key in the user info of a property: its field, if it is not the property's name.
    public static let SMFieldNameUserInfoKey = UserInfoKey.fieldName

    /// Resolves a conflict; see ``recordConflictResolutionBlock``. It is called on a queue of the store's, so it must not
    /// use the state of an actor.
    ///
    /// - Parameters:
    ///   - serverRecord: The server's version.
    ///   - clientRecord: The local version, with all its values.
    ///   - ancestorRecord: The version that both sides last agreed on; without fields if each side
    ///     created the record.
    /// - Returns: The version for both sides: `serverRecord` with any changes.
    @preconcurrency public typealias SMStoreConflictResolutionBlock =
        @Sendable (
            _ serverRecord: CKRecord, _ clientRecord: CKRecord, _ ancestorRecord: CKRecord
        ) -> CKRecord
}

/// The store type under the name that Seam 0.6 gave it.
public var SeamStoreType: String { SMStore.type }
