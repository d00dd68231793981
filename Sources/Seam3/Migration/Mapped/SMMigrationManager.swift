import CoreData

/// The migration manager of ``SMStore``: moves objects to a file of another model as a mapping model
/// says, and keeps what the server knows of them.
///
/// Core Data uses it by itself for every migration between two files of this store. Only an
/// application that has a manager of its own derives it from this class; with another one all objects
/// would be new to the server, and every device would send them once more.
///
/// What is kept: record names and change tags, changes that wait to be sent, and the state of
/// synchronisation. An object that several were made of keeps one of their records. A value that the
/// mapping changed waits to be sent, as does a new object; an object that the mapping leaves out is
/// deleted on the server, unless the new model has no entity of its record type: then the server keeps
/// the records, for the devices whose model has it. An object that is one of several made of the
/// same, or whose record type changed, gets a record whose name follows from the old one, so that all
/// devices that migrate make the same record.
open class SMMigrationManager: NSMigrationManager {
    private var stores = MigratedStores()

    /// Migrates a store to another URL.
    ///
    /// - Parameters:
    ///   - sourceURL: Where the source store keeps its data. It is opened for reading only.
    ///   - sStoreType: The type of the source store.
    ///   - sOptions: The options that the source store is opened with.
    ///   - mappings: How objects are migrated.
    ///   - dURL: Where the destination store keeps its data.
    ///   - dStoreType: The type of the destination store.
    ///   - dOptions: The options that the destination store is opened with. It does not synchronise
    ///     while it is migrated to.
    /// - Throws: What `NSMigrationManager` throws; 134110 of the domain `NSCocoaErrorDomain` if a
    ///   property would need a CloudKit field of another type than the field has, which cannot
    ///   change. A destination that was not there before is then removed.
    open override func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String,
        options sOptions: [AnyHashable: Any]? = nil, with mappings: NSMappingModel?,
        toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        let stores = MigratedStores()
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
            stores.release()
            if stores.isNew { try MigratedStores.removeFile(at: dURL) }
            throw error
        }
    }

    /// Notes that a destination object was made of a source object. Policies call this; who overrides
    /// it calls super.
    open override func associate(
        sourceInstance: NSManagedObject,
        withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        super.associate(
            sourceInstance: sourceInstance, withDestinationInstance: destinationInstance,
            for: entityMapping)
        stores.associate(sourceInstance, destinationInstance)
    }
}
