import CoreData

/// The migration manager of ``SMStore``. It moves objects to a file with another model according to a
/// mapping model, and keeps what the store knows about the server.
///
/// Core Data uses it automatically for each migration between two files of this store. An app that has a
/// migration manager of its own must derive it from this class. With any other manager all objects would be
/// new to the server, and every device would send them again.
///
/// Record names, change tags, pending changes and the state of sync are kept. If several objects become one,
/// it keeps one of their records. Values that the mapping changed and new objects are sent. Such a value does
/// not count as an edit: an edit of another device prevails, and so does a deletion. An object that
/// the mapping leaves out is deleted on the server, unless the new model has no entity with its record type:
/// then the server keeps the records for devices whose model has it. If one object becomes several, or its
/// record type changes, the names of the new records are derived from the old one, so that all devices that
/// migrate create the same records. The record of a new object with a natural key is named after the key.
open class SMMigrationManager: NSMigrationManager {
    // What Apple's frameworks do here is an assumption: CD-57 and SM-16.

    private var stores: MigratedStores?

    /// Migrates a store to another URL.
    ///
    /// - Parameters:
    ///   - sourceURL: Where the source store keeps its data. It is opened for reading only.
    ///   - sStoreType: The type of the source store.
    ///   - sOptions: The options that the source store is opened with.
    ///   - mappings: How objects are migrated.
    ///   - dURL: Where the destination store keeps its data.
    ///   - dStoreType: The type of the destination store.
    ///   - dOptions: The options that the destination store is opened with. It does not sync during the
    ///     migration.
    /// - Throws: What `NSMigrationManager` throws; 134110 of the domain `NSCocoaErrorDomain` if a
    ///   property would need another type for its CloudKit field, which cannot change. A destination that
    ///   did not exist before is then removed.
    open override func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String,
        options sOptions: [AnyHashable: Any]? = nil, with mappings: NSMappingModel?,
        toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        let stores = MigratedStores(mappings, from: sourceModel, to: destinationModel)
        self.stores = stores
        stores.isNew = !FileManager.default.fileExists(atPath: dURL.path)
        defer { stores.release() }
        var sourceOptions = sOptions ?? [:]
        sourceOptions[MigratedStores.sourceOption] = stores
        var destinationOptions = dOptions ?? [:]
        destinationOptions[MigratedStores.destinationOption] = stores
        usesStoreSpecificMigrationManager = false
        try super.migrateStore(
            from: sourceURL, sourceType: sStoreType, options: sourceOptions, with: mappings,
            toDestinationURL: dURL, destinationType: dStoreType,
            destinationOptions: destinationOptions)
        do {
            try stores.transfer()
        } catch {
            try stores.abandon(dURL)
            throw error
        }
    }

    /// Records that a destination object was created from a source object. Called by policies. An override
    /// must call super.
    open override func associate(
        sourceInstance: NSManagedObject,
        withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        super.associate(
            sourceInstance: sourceInstance, withDestinationInstance: destinationInstance,
            for: entityMapping)
        stores?.associate(sourceInstance, destinationInstance)
    }
}
