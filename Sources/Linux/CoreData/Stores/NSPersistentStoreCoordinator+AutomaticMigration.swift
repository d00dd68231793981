import FoundationGaps

/// Migrating a store that was written with another model, when it is added.
extension NSPersistentStoreCoordinator {
    /// Migrates a store to the coordinator's model, in a new file that then replaces the store's.
    ///
    /// - Parameters:
    ///   - location: The store.
    ///   - configuration: The configuration that the store is limited to; nil for all entities.
    ///   - metadata: The store's metadata.
    /// - Throws: `CocoaError.migrationMissingSourceModel` (134130) if no bundle has the model that
    ///   the store was written with, `.migrationMissingMappingModel` (134140) if there is no
    ///   mapping model and none is or can be inferred, and what the migration throws.
    func migrateStore(
        at location: MigrationStack.StoreLocation, configuration: String?,
        metadata: [String: Any]
    ) throws {
        guard
            let sourceModel = NSManagedObjectModel.mergedModel(
                from: nil, forStoreMetadata: metadata)
        else { throw CocoaError.missingSourceModel(metadata, at: location.url) }
        let mappings = try mappingModel(from: sourceModel, options: location.options)
        let manager = NSMigrationManager(
            sourceModel: sourceModel, destinationModel: managedObjectModel)
        manager.configuration = configuration
        let replacement = StoreReplacement(of: location.url)
        try replacement.recover()
        do {
            try manager.migrateStore(
                from: location.url, sourceType: location.type, options: location.options,
                with: mappings, toDestinationURL: replacement.url,
                destinationType: location.type, destinationOptions: location.options)
        } catch {
            try replacement.abandon()
            throw error
        }
        try replacement.commit()
    }

    private func mappingModel(
        from sourceModel: NSManagedObjectModel, options: [AnyHashable: Any]?
    ) throws -> NSMappingModel {
        let found = NSMappingModel(
            from: nil, forSourceModel: sourceModel, destinationModel: managedObjectModel)
        if let found { return found }
        let infers = options?[NSInferMappingModelAutomaticallyOption] as? NSNumber
        guard infers?.boolValue == true else {
            throw CocoaError.missingMappingModel(from: sourceModel, to: managedObjectModel)
        }
        do {
            return try NSMappingModel.inferredMappingModel(
                forSourceModel: sourceModel, destinationModel: managedObjectModel)
        } catch {
            throw CocoaError.missingMappingModel(
                from: sourceModel, to: managedObjectModel, because: error)
        }
    }
}
