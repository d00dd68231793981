import CoreData

extension SMStore {
    /// Lets code that names Core Data's own SQLite store run on Linux, where Core Data has none: a store
    /// of the type `NSSQLiteStoreType`, such as the one that a persistent container describes by itself,
    /// is a local ``SMStore`` then. To be called before a store is added; further calls change nothing.
    ///
    /// Such a store keeps its file in this store's format, and does not sync by itself. On Apple's
    /// systems the call does nothing.
    public static func registerForSQLiteStoreType() {
        #if !canImport(ObjectiveC)
        NSPersistentStoreCoordinator.registerStoreClass(
            SQLiteTypeStore.self, forStoreType: NSSQLiteStoreType)
        #endif
    }
}

#if !canImport(ObjectiveC)
/// A store under the name of Core Data's own SQLite store.
final class SQLiteTypeStore: SMStore, @unchecked Sendable {
    // Unchecked as its superclass is; it adds nothing that changes.

    override class var type: String { NSSQLiteStoreType }

    /// An app that asks for a SQLite store does not ask for CloudKit.
    override func loadMetadata() throws {
        syncAutomatically = false
        try super.loadMetadata()
    }
}
#endif
