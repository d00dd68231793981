import CoreData

extension SMStore {
    /// Lets code that names Core Data's own SQLite store run on Linux, where Core Data has none: a
    /// store of the type `NSSQLiteStoreType`, such as the default store of a persistent container,
    /// is then a local ``SMStore``. Call it before a store is added; further calls have no effect.
    ///
    /// Such a store writes files in this store's format, and does not sync automatically. A file that
    /// Core Data wrote on one of Apple's systems is adopted when it is added, unless
    /// ``SMStoreAdoptionOption`` is false; see ``adoptFile(at:model:configuration:user:isDryRun:)``. A
    /// read-only one must be copied and adopted first. On Apple's systems the method does nothing.
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

    /// A file of Core Data's own store is one of this type, and opens as such.
    override var adoptsFiles: Bool {
        options?[SMStore.SMStoreAdoptionOption] == nil || super.adoptsFiles
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        guard !url.isNullDevice, try FileKind(at: url) == .coreData else {
            return try super.metadataForPersistentStore(with: url)
        }
        return try CoreDataFile.metadata(ofFileAt: url)
    }
}
#endif
