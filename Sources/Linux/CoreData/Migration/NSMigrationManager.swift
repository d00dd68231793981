import FoundationGaps

/// Migrates the objects of a store to another store with another model, according to a mapping
/// model.
///
/// It creates all destination objects, sets their relationships, validates everything, and saves.
/// All objects are in memory during the migration, as plain `NSManagedObject`s of both models.
///
/// A store class that can do better returns a subclass from
/// `NSPersistentStore.migrationManagerClass()`. A subclass that only needs the pairs of source and
/// destination objects overrides `associate(sourceInstance:withDestinationInstance:for:)`, which is
/// called for all of them.
///
/// Value expressions can call these methods on Linux: the manager's
/// `destinationInstancesForEntityMappingNamed:sourceInstances:`,
/// `destinationInstancesForSourceRelationshipNamed:sourceInstances:`,
/// `sourceInstancesForEntityMappingNamed:destinationInstances:`,
/// `fetchRequestForSourceEntityNamed:predicateString:` (also with `includesSubentities:`),
/// `sourceEntityForEntityMapping:` and `destinationEntityForEntityMapping:`; every method of the
/// policy, through `NSEntityMigrationPolicy.performMethod(_:with:)`; `valueForKey:` and
/// `valueForKeyPath:` of objects.
///
/// A manager is used by one thread; any thread may read the progress and cancel.
open class NSMigrationManager: NSObject {
    /// The model of the source store.
    public final let sourceModel: NSManagedObjectModel

    /// The model of the destination store.
    public final let destinationModel: NSManagedObjectModel

    /// Whether a store class's own migration manager does the work, if it has one.
    open var usesStoreSpecificMigrationManager: Bool = true

    /// Information of the app for its migration policies.
    open var userInfo: [AnyHashable: Any]?

    /// Limits the migration to the entities of a configuration.
    final var configuration: String?

    private struct Status {
        var progress: Float = 0
        var cancellation: (any Error)?
        /// The store class's manager, which does the work.
        var delegate: NSMigrationManager?
    }

    private let status = Locked(Status())
    private var storedMappingModel = NSMappingModel()
    private var stack: MigrationStack?
    private var associations: [String: MigrationAssociations] = [:]
    private var entityMapping: NSEntityMapping?

    /// The property mapping whose value is being computed.
    final var propertyMapping: NSPropertyMapping?

    /// Creates a manager for stores of two models.
    public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
        self.sourceModel = sourceModel
        self.destinationModel = destinationModel
        super.init()
    }

    /// Creates a manager of a class that is only known at run time. Called by the framework.
    ///
    /// It calls Apple's initializer; a Linux-only declaration.
    public required convenience init(_managerArguments arguments: _ManagerArguments) {
        self.init(sourceModel: arguments.source, destinationModel: arguments.destination)
    }

    // MARK: - State

    /// The mapping model of the migration; an empty one before the migration.
    open var mappingModel: NSMappingModel { storedMappingModel }

    /// The context that reads the source store. Empty and without a store outside a migration.
    open var sourceContext: NSManagedObjectContext { stack?.source ?? Self.emptyContext() }

    /// The context that writes the destination store. Empty and without a store outside a
    /// migration.
    open var destinationContext: NSManagedObjectContext {
        stack?.destination ?? Self.emptyContext()
    }

    private static func emptyContext() -> NSManagedObjectContext {
        NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    }

    /// The current entity mapping; an empty one outside a migration.
    open var currentEntityMapping: NSEntityMapping { entityMapping ?? NSEntityMapping() }

    /// The completed fraction, from 0 to 1. There is no key-value observing on Linux.
    open var migrationProgress: Float {
        let (progress, delegate) = status.withLock { ($0.progress, $0.delegate) }
        return delegate?.migrationProgress ?? progress
    }

    /// Ends the migration with an error before the next object. May be called from any thread.
    open func cancelMigrationWithError(_ error: any Error) {
        let delegate = status.withLock { status in
            status.cancellation = error
            return status.delegate
        }
        delegate?.cancelMigrationWithError(error)
    }

    /// Forgets the pairs of objects. The contexts do not change.
    open func reset() {
        associations = [:]
        entityMapping = nil
    }

    /// The source entity of a mapping; nil if it has none.
    open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        let model = stack?.source.persistentStoreCoordinator?.managedObjectModel ?? sourceModel
        return mEntity.sourceEntityName.flatMap { model.entitiesByName[$0] }
    }

    /// The destination entity of a mapping; nil if it has none.
    open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
        let model =
            stack?.destination.persistentStoreCoordinator?.managedObjectModel ?? destinationModel
        return mEntity.destinationEntityName.flatMap { model.entitiesByName[$0] }
    }

    // MARK: - Objects that belong together

    /// Notes that a destination object was created from a source object.
    open func associate(
        sourceInstance: NSManagedObject,
        withDestinationInstance destinationInstance: NSManagedObject,
        for entityMapping: NSEntityMapping
    ) {
        associations[entityMapping.name, default: MigrationAssociations()]
            .associate(sourceInstance, destinationInstance)
    }

    /// The destination objects that a mapping created from source objects.
    ///
    /// - Parameters:
    ///   - mappingName: The name of an entity mapping.
    ///   - sourceInstances: The source objects; nil for all.
    open func destinationInstances(
        forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let associated = associations[mappingName] else { return [] }
        return sourceInstances?.flatMap(associated.destinations) ?? associated.allDestinations
    }

    /// The source objects from which a mapping created destination objects.
    ///
    /// - Parameters:
    ///   - mappingName: The name of an entity mapping.
    ///   - destinationInstances: The destination objects; nil for all.
    open func sourceInstances(
        forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
    ) -> [NSManagedObject] {
        guard let associated = associations[mappingName] else { return [] }
        return destinationInstances?.flatMap(associated.sources) ?? associated.allSources
    }

    /// The destination objects of an entity that any mapping created from source objects.
    final func destinationInstances(
        of sources: [NSManagedObject], kindOf entity: NSEntityDescription?
    ) -> [NSManagedObject] {
        sources.flatMap { source in
            storedMappingModel.entityMappings.flatMap { mapping in
                (associations[mapping.name]?.destinations(of: source) ?? []).filter { object in
                    entity.map(object.entity.isKindOf) ?? true
                }
            }
        }
    }

    // MARK: - Migrating

    /// Migrates a store to another URL.
    ///
    /// - Parameters:
    ///   - sourceURL: Where the source store keeps its data. It is opened for reading only.
    ///   - sStoreType: The type of the source store.
    ///   - sOptions: The options that the source store is opened with.
    ///   - mappings: How objects are migrated.
    ///   - dURL: Where the destination store keeps its data. A store that is there already gets
    ///     the objects in addition to its own.
    ///   - dStoreType: The type of the destination store.
    ///   - dOptions: The options that the destination store is opened with.
    /// - Throws: `CocoaError.migrationMissingMappingModel` (134140) without mappings,
    ///   `.migrationManagerSourceStore` (134150) and `.migrationManagerDestinationStore` (134160)
    ///   if a store cannot be opened, `.migration` (134110) if the migrated objects are not
    ///   valid, what a policy throws, and the error that the migration was canceled with. A
    ///   destination that was not there before is then removed.
    open func migrateStore(
        from sourceURL: URL, sourceType sStoreType: String,
        options sOptions: [AnyHashable: Any]? = nil, with mappings: NSMappingModel?,
        toDestinationURL dURL: URL, destinationType dStoreType: String,
        destinationOptions dOptions: [AnyHashable: Any]? = nil
    ) throws {
        guard let mappings else {
            throw CocoaError.missingMappingModel(from: sourceModel, to: destinationModel)
        }
        if let manager = try storeSpecificManager(from: sStoreType, to: dStoreType) {
            return try delegate(to: manager) {
                try manager.migrateStore(
                    from: sourceURL, sourceType: sStoreType, options: sOptions, with: mappings,
                    toDestinationURL: dURL, destinationType: dStoreType,
                    destinationOptions: dOptions)
            }
        }
        let files = StoreFiles(at: dURL)
        let isNew = files.existing.isEmpty
        do {
            let stack = try MigrationStack(
                from: .init(url: sourceURL, type: sStoreType, options: sOptions),
                model: sourceModel,
                to: .init(url: dURL, type: dStoreType, options: dOptions),
                model: destinationModel, configuration: configuration)
            try migrate(with: mappings, between: stack)
            try stack.close()
        } catch {
            if isNew { try files.remove() }
            throw error
        }
    }

    /// Migrates a store to another URL.
    public final func migrateStore(
        from sourceURL: URL, type sourceType: NSPersistentStore.StoreType,
        options sourceOptions: [AnyHashable: Any]? = nil, mapping: NSMappingModel,
        to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
        options destinationOptions: [AnyHashable: Any]? = nil
    ) throws {
        try migrateStore(
            from: sourceURL, sourceType: sourceType.rawValue, options: sourceOptions,
            with: mapping, toDestinationURL: destinationURL,
            destinationType: destinationType.rawValue, destinationOptions: destinationOptions)
    }

    private func migrate(with model: NSMappingModel, between stack: MigrationStack) throws {
        storedMappingModel = model
        self.stack = stack
        defer {
            self.stack = nil
            entityMapping = nil
        }
        try MigrationRun(manager: self, model: model, stack: stack).perform()
        status.withLock { $0.progress = 1 }
    }

    /// Notes the current mapping and the progress.
    final func note(_ mapping: NSEntityMapping, progress: Float) {
        entityMapping = mapping
        status.withLock { $0.progress = progress }
    }

    /// Throws if the migration was canceled.
    final func checkCancellation() throws {
        if let error = status.withLock({ $0.cancellation }) { throw error }
    }

    // MARK: - Store classes with a manager of their own

    private func storeSpecificManager(
        from source: String, to destination: String
    ) throws -> NSMigrationManager? {
        guard usesStoreSpecificMigrationManager, source == destination,
            type(of: self) == NSMigrationManager.self
        else { return nil }
        let storeClass = try StoreRegistry.shared.storeClass(for: source)
        guard let type = storeClass.migrationManagerClass() as? NSMigrationManager.Type,
            type != NSMigrationManager.self
        else { return nil }
        return type.init(
            _managerArguments: _ManagerArguments(source: sourceModel, destination: destinationModel)
        )
    }

    private func delegate(to manager: NSMigrationManager, _ work: () throws -> Void) throws {
        manager.userInfo = userInfo
        manager.configuration = configuration
        try checkCancellation()
        status.withLock { $0.delegate = manager }
        defer {
            status.withLock { status in
                status.progress = manager.migrationProgress
                status.delegate = nil
            }
        }
        try work()
    }
}

/// The arguments for creating a manager; a Linux-only type that only the framework creates.
public struct _ManagerArguments {
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel
}
