import FoundationGaps

/// The type of Core Data's own SQLite store. There is no such store on Linux: register a store class for the type.
public let NSSQLiteStoreType: String = "SQLite"
/// The type of the store that keeps its objects in memory.
public let NSInMemoryStoreType: String = "InMemory"
/// The type of Core Data's binary store. There is no such store on Linux: register a store class for the type.
public let NSBinaryStoreType: String = "Binary"
/// The type of Core Data's XML store. There is no such store on Linux: register a store class for the type.
public let NSXMLStoreType: String = "XML"

/// The type of a store, in its metadata.
public let NSStoreTypeKey: String = "NSStoreType"
/// The UUID of a store, in its metadata.
public let NSStoreUUIDKey: String = "NSStoreUUID"
/// The version hashes of the entities that a store was written with, in its metadata.
public let NSStoreModelVersionHashesKey: String = "NSStoreModelVersionHashes"
/// The version identifiers of the model that a store was written with, in its metadata.
public let NSStoreModelVersionIdentifiersKey: String = "NSStoreModelVersionIdentifiers"
/// The checksum of the model that a store was written with, in its metadata.
public let NSPersistentStoreModelVersionChecksumKey: String =
    "NSPersistentStoreModelVersionChecksumKey"

/// Whether a store is read-only.
public let NSReadOnlyPersistentStoreOption: String = "NSReadOnlyPersistentStoreOption"
/// Whether a store of an older model is migrated when it is added.
public let NSMigratePersistentStoresAutomaticallyOption: String =
    "NSMigratePersistentStoresAutomaticallyOption"
/// Whether a migration may infer the mapping between the models.
public let NSInferMappingModelAutomaticallyOption: String =
    "NSInferMappingModelAutomaticallyOption"
/// Whether a store is added without checking the model that it was written with.
public let NSIgnorePersistentStoreVersioningOption: String =
    "NSIgnorePersistentStoreVersioningOption"
/// How long, in seconds, to wait for a store.
public let NSPersistentStoreTimeoutOption: String = "NSPersistentStoreTimeoutOption"
/// SQLite pragmas by name.
public let NSSQLitePragmasOption: String = "NSSQLitePragmasOption"
/// Whether SQLite analyzes its tables when a store is added.
public let NSSQLiteAnalyzeOption: String = "NSSQLiteAnalyzeOption"
/// Whether SQLite vacuums its file when a store is added.
public let NSSQLiteManualVacuumOption: String = "NSSQLiteManualVacuumOption"
/// Whether a store is destroyed even if it cannot be opened.
public let NSPersistentStoreForceDestroyOption: String = "NSPersistentStoreForceDestroyOption"
/// The maximum number of a store's connections.
public let NSPersistentStoreConnectionPoolMaxSizeKey: String =
    "NSPersistentStoreConnectionPoolMaxSize"
/// Whether a store keeps a history of changes.
public let NSPersistentHistoryTrackingKey: String = "NSPersistentHistoryTrackingKey"
/// The history token in a remote change notification.
public let NSPersistentHistoryTokenKey: String = "historyToken"
/// The URL of the store in a remote change notification.
public let NSPersistentStoreURLKey: String = "storeURL"
/// Whether a store posts `NSPersistentStoreRemoteChange`.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey: String =
    "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Whether parts of a lightweight migration may be deferred.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey: String =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// The manager of a staged migration.
public let NSPersistentStoreStagedMigrationManagerOptionKey: String =
    "NSPersistentStoreStagedMigrationManagerOptionKey"

/// The added stores in `NSPersistentStoreCoordinatorStoresDidChange`.
public let NSAddedPersistentStoresKey: String = "added"
/// The removed stores in `NSPersistentStoreCoordinatorStoresDidChange`.
public let NSRemovedPersistentStoresKey: String = "removed"
/// The old and the new store, if a store's UUID changed.
public let NSUUIDChangedPersistentStoresKey: String = "changedUUID"

extension NSNotification.Name {
    /// Posted before stores are added or removed.
    public static let NSPersistentStoreCoordinatorStoresWillChange = NSNotification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")

    /// Posted after stores were added or removed.
    public static let NSPersistentStoreCoordinatorStoresDidChange = NSNotification.Name(
        "_NSPersistentStoreCoordinatorStoresDidChange")

    /// Posted before a store is removed.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = NSNotification.Name(
        "_NSPersistentStoreCoordinatorWillRemoveStore")

    /// Posted by a coordinator, on a queue of its own, after any process has written to a store
    /// that was added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    public static let NSPersistentStoreRemoteChange = NSNotification.Name(
        "NSPersistentStoreRemoteChangeNotification")
}
