import CoreData

// Spells the signatures of Core Data's stores as in Apple's documentation. Nothing here is called:
// if it compiles, code written for Apple's framework does.

// MARK: - NSIncrementalStore

private final class SpelledStore: NSIncrementalStore {
    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?,
        configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        super.init(
            persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override var type: String { "Spelled" }
    override var metadata: [String: Any]! {
        get { super.metadata }
        set { super.metadata = newValue }
    }
    override var identifier: String! {
        get { super.identifier }
        set { super.identifier = newValue }
    }
    override var isReadOnly: Bool {
        get { super.isReadOnly }
        set { super.isReadOnly = newValue }
    }
    override var url: URL? {
        get { super.url }
        set { super.url = newValue }
    }
    override var configurationName: String { super.configurationName }
    override var options: [AnyHashable: Any]? { super.options }

    override class func identifierForNewStore(at storeURL: URL) -> Any {
        super.identifierForNewStore(at: storeURL)
    }
    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try super.metadataForPersistentStore(with: url)
    }
    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreAt url: URL
    ) throws {
        try super.setMetadata(metadata, forPersistentStoreAt: url)
    }
    override func loadMetadata() throws { try super.loadMetadata() }
    override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        super.didAdd(to: coordinator)
    }
    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        super.willRemove(from: coordinator)
    }
    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        try super.execute(request, with: context)
    }
    override func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        try super.newValuesForObject(with: objectID, with: context)
    }
    override func newValue(
        forRelationship relationship: NSRelationshipDescription,
        forObjectWith objectID: NSManagedObjectID, with context: NSManagedObjectContext?
    ) throws -> Any {
        try super.newValue(forRelationship: relationship, forObjectWith: objectID, with: context)
    }
    override func obtainPermanentIDs(
        for array: [NSManagedObject]
    ) throws -> [NSManagedObjectID] {
        try super.obtainPermanentIDs(for: array)
    }
    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        super.managedObjectContextDidRegisterObjects(with: objectIDs)
    }
    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        super.managedObjectContextDidUnregisterObjects(with: objectIDs)
    }
}

private func incrementalStore(
    store: SpelledStore, entity: NSEntityDescription, property: NSPropertyDescription
) {
    let objectID: NSManagedObjectID = store.newObjectID(for: entity, referenceObject: "1")
    let reference: Any = store.referenceObject(for: objectID)
    let coordinator: NSPersistentStoreCoordinator? = store.persistentStoreCoordinator
    let node: NSIncrementalStoreNode = NSIncrementalStoreNode(
        objectID: objectID, withValues: [:], version: 1)
    node.update(withValues: [:], version: 2)
    let value: Any? = node.value(for: property)
    let version: UInt64 = node.version
    let nodeID: NSManagedObjectID = node.objectID
    let types: [NSPersistentStore.StoreType] = [.binary, .inMemory, .sqlite, .xml]
    _ = (reference, coordinator, value, version, nodeID, types)
}

// MARK: - NSPersistentStoreCoordinator

private func coordinator(
    model: NSManagedObjectModel, url: URL, store: NSPersistentStore,
    request: NSPersistentStoreRequest, context: NSManagedObjectContext,
    description: NSPersistentStoreDescription
) async throws {
    typealias Coordinator = NSPersistentStoreCoordinator
    let coordinator: Coordinator = Coordinator(managedObjectModel: model)
    Coordinator.registerStoreClass(SpelledStore.self, forStoreType: "Spelled")
    Coordinator.registerStoreClass(SpelledStore.self, type: .sqlite)
    let types: [String: NSValue] = Coordinator.registeredStoreTypes
    var metadata: [String: Any] = try Coordinator.metadataForPersistentStore(
        ofType: "Spelled", at: url, options: nil)
    metadata = try Coordinator.metadataForPersistentStore(type: .sqlite, at: url, options: nil)
    try Coordinator.setMetadata(
        metadata, forPersistentStoreOfType: "Spelled", at: url, options: nil)
    try Coordinator.setMetadata(metadata, type: .sqlite, at: url, options: nil)
    var added: NSPersistentStore = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    added = try coordinator.addPersistentStore(
        type: .sqlite, configuration: nil, at: url, options: nil)
    coordinator.addPersistentStore(with: description) {
        (_: NSPersistentStoreDescription, _: (any Error)?) in
    }
    try coordinator.remove(added)
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
    try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: nil)
    try coordinator.replacePersistentStore(
        at: url, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
        ofType: NSSQLiteStoreType)
    try coordinator.replacePersistentStore(
        at: url, destinationOptions: nil, withPersistentStoreFrom: url, sourceOptions: nil,
        type: .sqlite)
    added = try coordinator.migratePersistentStore(
        store, to: url, options: nil, withType: NSSQLiteStoreType)
    added = try coordinator.migratePersistentStore(store, to: url, options: nil, type: .sqlite)
    let result: Any = try coordinator.execute(request, with: context)
    let objectID: NSManagedObjectID? = coordinator.managedObjectID(forURIRepresentation: url)
    let sameID: NSManagedObjectID? = coordinator.managedObjectID(for: url.absoluteString)
    let storeMetadata: [String: Any] = coordinator.metadata(for: store)
    coordinator.setMetadata(storeMetadata, for: store)
    let found: NSPersistentStore? = coordinator.persistentStore(for: url)
    let isSet: Bool = coordinator.setURL(url, for: store)
    let storeURL: URL = coordinator.url(for: store)
    let token: NSPersistentHistoryToken? = coordinator.currentPersistentHistoryToken(
        fromStores: nil)
    let later: (@escaping @Sendable () -> Void) -> Void = coordinator.perform
    later {}
    let number: Int = await coordinator.perform { 1 }
    coordinator.performAndWait {}
    let same: Int = coordinator.performAndWait { 1 }
    let used: NSManagedObjectModel = coordinator.managedObjectModel
    coordinator.name = coordinator.name as String?
    let stores: [NSPersistentStore] = coordinator.persistentStores
    _ = (
        types, result, objectID, sameID, found, isSet, storeURL, token, number, same, used, stores
    )
}

// MARK: - NSPersistentContainer and NSPersistentStoreDescription

private func container(model: NSManagedObjectModel, url: URL) async throws {
    let container: NSPersistentContainer = NSPersistentContainer(
        name: "Model", managedObjectModel: model)
    let named: NSPersistentContainer = NSPersistentContainer(name: "Model")
    let directory: URL = NSPersistentContainer.defaultDirectoryURL()
    container.loadPersistentStores { (_: NSPersistentStoreDescription, _: (any Error)?) in }
    let context: NSManagedObjectContext = container.newBackgroundContext()
    let run: (@escaping @Sendable (NSManagedObjectContext) -> Void) -> Void =
        container.performBackgroundTask
    run { _ in }
    let number: Int = try await container.performBackgroundTask { context in
        try context.save()
        return 1
    }
    let used: NSManagedObjectModel = container.managedObjectModel
    let name: String = container.name
    let coordinator: NSPersistentStoreCoordinator = container.persistentStoreCoordinator
    let view: NSManagedObjectContext = container.viewContext
    let description: NSPersistentStoreDescription = NSPersistentStoreDescription(url: url)
    container.persistentStoreDescriptions = [description] as [NSPersistentStoreDescription]
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setValue("WAL" as NSString, forPragmaNamed: "journal_mode")
    description.configuration = description.configuration as String?
    description.isReadOnly = description.isReadOnly as Bool
    let options: [String: NSObject] = description.options
    let pragmas: [String: NSObject] = description.sqlitePragmas
    description.shouldAddStoreAsynchronously = false
    description.shouldInferMappingModelAutomatically = true
    description.shouldMigrateStoreAutomatically = true
    description.timeout = 5 as TimeInterval
    description.type = NSSQLiteStoreType
    description.url = url as URL?
    _ = (named, directory, context, number, used, name, coordinator, view, options, pragmas)
}
