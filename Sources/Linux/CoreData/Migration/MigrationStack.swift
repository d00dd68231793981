import FoundationGaps

/// The two stores of a migration and the contexts that read and write them.
struct MigrationStack {
    let source: NSManagedObjectContext
    let destination: NSManagedObjectContext

    /// One of the two stores, as the caller of a migration describes it.
    struct StoreLocation {
        let url: URL
        let type: String
        let options: [AnyHashable: Any]?
    }

    /// Opens both stores, the source for reading only.
    ///
    /// - Throws: `CocoaError.migrationManagerSourceStore` or `.migrationManagerDestinationStore`,
    ///   with the store's error as the underlying error.
    init(
        from source: StoreLocation, model sourceModel: NSManagedObjectModel,
        to destination: StoreLocation, model destinationModel: NSManagedObjectModel,
        configuration: String?
    ) throws {
        var readOnly = source.options ?? [:]
        readOnly[NSReadOnlyPersistentStoreOption] = NSNumber(value: true)
        self.source = try Self.context(
            source, options: readOnly, model: sourceModel, configuration: configuration,
            failure: .migrationManagerSourceStore)
        self.destination = try Self.context(
            destination, options: destination.options, model: destinationModel,
            configuration: configuration, failure: .migrationManagerDestinationStore)
    }

    private static func context(
        _ location: StoreLocation, options: [AnyHashable: Any]?, model: NSManagedObjectModel,
        configuration: String?, failure: CocoaError.Code
    ) throws -> NSManagedObjectContext {
        var options = options
        options?[NSMigratePersistentStoresAutomaticallyOption] = nil
        options?[NSInferMappingModelAutomaticallyOption] = nil
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: plain(model))
        do {
            try coordinator.addPersistentStore(
                ofType: location.type, configurationName: configuration, at: location.url,
                options: options)
        } catch {
            throw CocoaError(
                failure,
                userInfo: [
                    NSLocalizedDescriptionKey: "A store of a migration could not be opened.",
                    NSURLErrorKey: location.url,
                    NSUnderlyingErrorKey: error,
                ])
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A copy of a model without classes: the objects of a migration are plain managed objects.
    private static func plain(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
        guard let copy = model.copy() as? NSManagedObjectModel else { return model }
        for entity in copy.entities { entity.managedObjectClassName = nil }
        return copy
    }

    /// Runs a block on both contexts' queues.
    func runAndWait<T>(_ block: () throws -> T) rethrows -> T {
        try source.runAndWait { try destination.runAndWait(block) }
    }

    /// Closes both stores.
    func close() throws {
        for context in [source, destination] {
            context.runAndWait { context.reset() }
            guard let coordinator = context.persistentStoreCoordinator else { continue }
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
    }
}
