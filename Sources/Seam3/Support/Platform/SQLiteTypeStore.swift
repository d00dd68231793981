import CoreData

extension SMStore {
    /// Lets code that names Core Data's own SQLite store run on Linux, where Core Data has none: a
    /// store of the type `NSSQLiteStoreType`, such as the default store of a persistent container,
    /// is then a local ``SMStore``. Call it before a store is added; further calls have no effect.
    ///
    /// Such a store writes files in this store's format, and does not sync automatically. On
    /// Apple's systems the method does nothing.
    public static func registerForSQLiteStoreType() {
        #if !canImport(ObjectiveC)
        NSPersistentStoreCoordinator.registerStoreClass(
            SQLiteTypeStore.self, forStoreType: NSSQLiteStoreType)
        #endif
    }
}

#if !canImport(ObjectiveC)
/// A store with the type of Core Data's own SQLite store.
final class SQLiteTypeStore: SMStore, @unchecked Sendable {
    // Unchecked like its superclass; it adds no mutable state.

    override class var type: String { NSSQLiteStoreType }

    /// An app that uses an SQLite store does not expect CloudKit.
    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        super.init(
            persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        syncAutomatically = false
    }
}
#endif
