import CoreData

// Spells the signatures of Core Data's objects, contexts, stores and requests as they stand in
// Apple's documentation. Nothing here is called: if it compiles, code written for Apple's
// framework does.

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

// MARK: - NSManagedObjectContext

private func context(
    object: NSManagedObject, objectID: NSManagedObjectID, store: NSPersistentStore,
    request: NSPersistentStoreRequest, notification: Notification
) async throws {
    let context: NSManagedObjectContext = NSManagedObjectContext(
        concurrencyType: .privateQueueConcurrencyType)
    let main: NSManagedObjectContext = NSManagedObjectContext(.mainQueue)
    let other: NSManagedObjectContext = NSManagedObjectContext(.privateQueue)
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [context])
    let names: [Notification.Name] = [
        NSManagedObjectContext.didChangeObjectsNotification,
        NSManagedObjectContext.didMergeChangesObjectIDsNotification,
        NSManagedObjectContext.didSaveObjectIDsNotification,
        NSManagedObjectContext.didSaveObjectsNotification,
        NSManagedObjectContext.willSaveObjectsNotification,
    ]
    let later: (@escaping @Sendable () -> Void) -> Void = context.perform
    later {}
    let performed: Int = try await context.perform(schedule: .enqueued) {
        try context.save()
        return 1
    }
    let immediate: Int = await context.perform(schedule: .immediate) { 1 }
    let waited: Int = try context.performAndWait {
        try context.save()
        return 1
    }
    context.performAndWait {}
    context.assign(object as Any, to: store)
    let untyped: NSFetchRequest<any NSFetchRequestResult> = NSManagedObject.fetchRequest()
    let typed: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: "Entity")
    let counts: [Int] = [try context.count(for: untyped), try context.count(for: typed)]
    context.delete(object)
    context.detectConflicts(for: object)
    let result: NSPersistentStoreResult = try context.execute(request)
    let existing: NSManagedObject = try context.existingObject(with: objectID)
    let anything: [Any] = try context.fetch(untyped)
    let objects: [NSManagedObject] = try context.fetch(typed)
    context.insert(object)
    context.mergeChanges(fromContextDidSave: notification)
    let found: NSManagedObject = context.object(with: objectID)
    let registered: NSManagedObject? = context.registeredObject(for: objectID)
    try context.obtainPermanentIDs(for: [object])
    context.processPendingChanges()
    context.refresh(object, mergeChanges: true)
    context.refreshAllObjects()
    context.reset()
    context.rollback()
    try context.save()
    try context.setQueryGenerationFrom(NSQueryGenerationToken.current)
    let handles: Bool = context.shouldHandleInaccessibleFault(
        object, for: objectID, triggeredByProperty: nil)
    context.automaticallyMergesChangesFromParent = true
    let type: NSManagedObjectContextConcurrencyType = context.concurrencyType
    let sets: [Set<NSManagedObject>] = [
        context.deletedObjects, context.insertedObjects, context.updatedObjects,
        context.registeredObjects,
    ]
    let hasChanges: Bool = context.hasChanges
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.name = context.name as String?
    context.parent = context.parent as NSManagedObjectContext?
    context.persistentStoreCoordinator =
        context.persistentStoreCoordinator as NSPersistentStoreCoordinator?
    context.propagatesDeletesAtEndOfEvent = true
    let generation: NSQueryGenerationToken? = context.queryGenerationToken
    context.shouldDeleteInaccessibleFaults = true
    context.stalenessInterval = 0 as TimeInterval
    context.transactionAuthor = context.transactionAuthor as String?
    let userInfo: NSMutableDictionary = context.userInfo
    context.retainsRegisteredObjects = false
    let keys: [NSManagedObjectContext.NotificationKey] = [
        .deletedObjectIDs, .insertedObjectIDs, .invalidatedObjectIDs, .refreshedObjectIDs,
        .updatedObjectIDs, .deletedObjects, .insertedObjects, .updatedObjects,
        .invalidatedAllObjects, .invalidatedObjects, .refreshedObjects, .queryGeneration,
    ]
    _ = (main, other, names, performed, immediate, waited, counts, result, existing, anything)
    _ = (objects, found, registered, handles, type, sets, hasChanges, generation, userInfo, keys)
}

private func contextNotifications() {
    let names: [NSNotification.Name] = [
        .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
        .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSaveObjectIDs,
        .NSManagedObjectContextDidMergeChangesObjectIDs,
        .NSPersistentStoreCoordinatorStoresWillChange,
        .NSPersistentStoreCoordinatorStoresDidChange,
        .NSPersistentStoreCoordinatorWillRemoveStore, .NSPersistentStoreRemoteChange,
    ]
    let keys: [String] = [
        NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
        NSInvalidatedObjectsKey, NSInvalidatedAllObjectsKey, NSInsertedObjectIDsKey,
        NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey, NSRefreshedObjectIDsKey,
        NSInvalidatedObjectIDsKey, NSAddedPersistentStoresKey, NSRemovedPersistentStoresKey,
        NSUUIDChangedPersistentStoresKey,
    ]
    let constants: [String] = [
        NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType, NSStoreTypeKey,
        NSStoreUUIDKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey,
        NSReadOnlyPersistentStoreOption, NSMigratePersistentStoresAutomaticallyOption,
        NSInferMappingModelAutomaticallyOption, NSIgnorePersistentStoreVersioningOption,
        NSPersistentStoreTimeoutOption, NSSQLitePragmasOption, NSSQLiteAnalyzeOption,
        NSSQLiteManualVacuumOption, NSPersistentStoreForceDestroyOption,
        NSPersistentStoreConnectionPoolMaxSizeKey, NSPersistentHistoryTrackingKey,
        NSPersistentHistoryTokenKey, NSPersistentStoreURLKey,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey,
        NSPersistentStoreDeferredLightweightMigrationOptionKey,
        NSPersistentStoreStagedMigrationManagerOptionKey,
        NSPersistentStoreModelVersionChecksumKey,
    ]
    _ = (names, keys, constants)
}

// MARK: - NSManagedObject and NSManagedObjectID

private class SpelledObject: NSManagedObject {
    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
    }
    override class func entity() -> NSEntityDescription { super.entity() }
    override class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        super.fetchRequest()
    }
    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
    }
    override func awakeFromFetch() { super.awakeFromFetch() }
    override func awakeFromInsert() { super.awakeFromInsert() }
    override func didSave() { super.didSave() }
    override func willSave() { super.willSave() }
    override func didTurnIntoFault() { super.didTurnIntoFault() }
    override func willTurnIntoFault() { super.willTurnIntoFault() }
    override func prepareForDeletion() { super.prepareForDeletion() }
    override func validateForDelete() throws { try super.validateForDelete() }
    override func validateForInsert() throws { try super.validateForInsert() }
    override func validateForUpdate() throws { try super.validateForUpdate() }
    override func value(forKey key: String) -> Any? { super.value(forKey: key) }
    override func setValue(_ value: Any?, forKey key: String) {
        super.setValue(value, forKey: key)
    }
}

private final class GeneratedObject: SpelledObject {
    // As Xcode generates it, beside the inherited one.
    class func fetchRequest() -> NSFetchRequest<GeneratedObject> {
        NSFetchRequest<GeneratedObject>(entityName: "Generated")
    }
}

private func managedObject(entity: NSEntityDescription, context: NSManagedObjectContext) {
    let object: NSManagedObject = NSManagedObject(entity: entity, insertInto: context)
    let same: SpelledObject = SpelledObject(context: context)
    let request: NSFetchRequest<GeneratedObject> = GeneratedObject.fetchRequest()
    let dictionaries: [[String: Any]] = [
        object.changedValues(), object.changedValuesForCurrentEvent(),
        object.committedValues(forKeys: nil),
    ]
    object.willAccessValue(forKey: "key")
    object.didAccessValue(forKey: "key")
    object.willChangeValue(forKey: "key")
    object.didChangeValue(forKey: "key")
    object.willChangeValue(forKey: "key", withSetMutation: .union, using: [])
    object.didChangeValue(forKey: "key", withSetMutation: .minus, using: [])
    let isRelationshipFault: Bool = object.hasFault(forRelationshipNamed: "key")
    let objectIDs: [NSManagedObjectID] = object.objectIDs(forRelationshipNamed: "key")
    let value: Any? = object.primitiveValue(forKey: "key")
    object.setPrimitiveValue(value, forKey: "key")
    object.setValue(object.value(forKey: "key"), forKey: "key")
    let set: NSMutableSet = object.mutableSetValue(forKey: "key")
    let orderedSet: NSMutableOrderedSet = object.mutableOrderedSetValue(forKey: "key")
    let ownContext: NSManagedObjectContext? = object.managedObjectContext
    let ownEntity: NSEntityDescription = object.entity
    let state: Int = object.faultingState
    let flags: [Bool] = [
        object.hasChanges, object.hasPersistentChangedValues, object.isDeleted, object.isFault,
        object.isInserted, object.isUpdated,
    ]
    object["key"] = object["key"] as Any?
    let objectID: NSManagedObjectID = object.objectID
    let uri: URL = objectID.uriRepresentation()
    let idEntity: NSEntityDescription = objectID.entity
    let isTemporary: Bool = objectID.isTemporaryID
    let store: NSPersistentStore? = objectID.persistentStore
    let sendable: any Sendable = objectID
    let events: NSSnapshotEventType = [.refresh, .rollback, .mergePolicy]
    let described: NSEntityDescription? = NSEntityDescription.entity(
        forEntityName: "Entity", in: context)
    let inserted: NSManagedObject = NSEntityDescription.insertNewObject(
        forEntityName: "Entity", into: context)
    _ = (same, request, dictionaries, isRelationshipFault, objectIDs, set, orderedSet)
    _ = (ownContext, ownEntity, state, flags, uri, idEntity, isTemporary, store, sendable)
    _ = (events, described, inserted)
}

// MARK: - Requests

private func fetchRequest(
    entity: NSEntityDescription, store: NSPersistentStore, predicate: NSPredicate
) throws {
    let request: NSFetchRequest<NSManagedObject> = NSFetchRequest()
    let named: NSFetchRequest<NSManagedObject> = NSFetchRequest(entityName: "Entity")
    let results: [NSManagedObject] = try named.execute()
    request.affectedStores = [store]
    request.entity = entity as NSEntityDescription?
    let name: String? = request.entityName
    request.fetchBatchSize = 20
    request.fetchLimit = 1
    request.fetchOffset = 1
    request.havingPredicate = predicate as NSPredicate?
    request.includesPendingChanges = true
    request.includesPropertyValues = true
    request.includesSubentities = true
    request.predicate = predicate as NSPredicate?
    request.propertiesToFetch = request.propertiesToFetch as [Any]?
    request.propertiesToGroupBy = request.propertiesToGroupBy as [Any]?
    request.relationshipKeyPathsForPrefetching = ["path"] as [String]?
    request.resultType = [.managedObjectIDResultType]
    request.returnsDistinctResults = true
    request.returnsObjectsAsFaults = true
    request.shouldRefreshRefetchedObjects = true
    request.sortDescriptors = [] as [NSSortDescriptor]?
    let resultTypes: [NSFetchRequestResultType] = [
        .countResultType, .dictionaryResultType, .managedObjectIDResultType,
        .managedObjectResultType,
    ]
    let requestType: NSPersistentStoreRequestType = request.requestType
    let later = NSAsynchronousFetchRequest<NSManagedObject>(fetchRequest: request) {
        (result: NSAsynchronousFetchResult<NSManagedObject>) in
        let final: [NSManagedObject]? = result.finalResult
        let error: (any Error)? = result.operationError
        result.cancel()
        _ = (final, error)
    }
    later.estimatedResultCount = 5
    let inner: NSFetchRequest<NSManagedObject> = later.fetchRequest
    let block: NSPersistentStoreAsynchronousFetchResultCompletionBlock? = later.completionBlock
    _ = (results, name, resultTypes, requestType, inner, block)
}

private func saveAndBatchRequests(
    entity: NSEntityDescription, objects: Set<NSManagedObject>, predicate: NSPredicate
) {
    let save: NSSaveChangesRequest = NSSaveChangesRequest(
        inserted: objects, updated: nil, deleted: objects, locked: nil)
    let sets: [Set<NSManagedObject>?] = [
        save.insertedObjects, save.updatedObjects, save.deletedObjects, save.lockedObjects,
    ]
    let fetch: NSFetchRequest<any NSFetchRequestResult> = NSManagedObject.fetchRequest()
    let delete: NSBatchDeleteRequest = NSBatchDeleteRequest(fetchRequest: fetch)
    let deleteByID: NSBatchDeleteRequest = NSBatchDeleteRequest(
        objectIDs: objects.map(\.objectID))
    delete.resultType = .resultTypeObjectIDs
    let deleteTypes: [NSBatchDeleteRequestResultType] = [
        .resultTypeCount, .resultTypeObjectIDs, .resultTypeStatusOnly,
    ]
    let copy: NSFetchRequest<any NSFetchRequestResult> = delete.fetchRequest
    let inserts: [NSBatchInsertRequest] = [
        NSBatchInsertRequest(entity: entity, objects: [[:]]),
        NSBatchInsertRequest(entityName: "Entity", objects: [[:]]),
        NSBatchInsertRequest(entity: entity) { (_: NSMutableDictionary) -> Bool in true },
        NSBatchInsertRequest(entity: entity) { (_: NSManagedObject) -> Bool in true },
        NSBatchInsertRequest(entityName: "Entity") { (_: NSMutableDictionary) -> Bool in true },
        NSBatchInsertRequest(entityName: "Entity") { (_: NSManagedObject) -> Bool in true },
    ]
    for insert in inserts {
        insert.dictionaryHandler = insert.dictionaryHandler as ((NSMutableDictionary) -> Bool)?
        insert.managedObjectHandler = insert.managedObjectHandler as ((NSManagedObject) -> Bool)?
        insert.objectsToInsert = insert.objectsToInsert as [[String: Any]]?
        insert.resultType = .objectIDs
        _ = (insert.entity as NSEntityDescription?, insert.entityName as String)
    }
    let insertTypes: [NSBatchInsertRequestResultType] = [.count, .objectIDs, .statusOnly]
    let update: NSBatchUpdateRequest = NSBatchUpdateRequest(entity: entity)
    let namedUpdate: NSBatchUpdateRequest = NSBatchUpdateRequest(entityName: "Entity")
    update.includesSubentities = true
    update.predicate = predicate as NSPredicate?
    update.propertiesToUpdate = ["key": "value"] as [AnyHashable: Any]?
    update.resultType = .updatedObjectIDsResultType
    let updateTypes: [NSBatchUpdateRequestResultType] = [
        .statusOnlyResultType, .updatedObjectIDsResultType, .updatedObjectsCountResultType,
    ]
    _ = (update.entity as NSEntityDescription, update.entityName as String)
    let requestTypes: [NSPersistentStoreRequestType] = [
        .batchDeleteRequestType, .batchInsertRequestType, .batchUpdateRequestType,
        .fetchRequestType, .saveRequestType,
    ]
    _ = (sets, deleteByID, deleteTypes, copy, insertTypes, namedUpdate, updateTypes, requestTypes)
}

private final class SpelledDeleteResult: NSBatchDeleteResult {
    override var result: Any? { nil }
    override var resultType: NSBatchDeleteRequestResultType { .resultTypeCount }
}

private final class SpelledInsertResult: NSBatchInsertResult {
    override var result: Any? { nil }
    override var resultType: NSBatchInsertRequestResultType { .count }
}

private final class SpelledUpdateResult: NSBatchUpdateResult {
    override var result: Any? { nil }
    override var resultType: NSBatchUpdateRequestResultType { .updatedObjectIDsResultType }
}

private func history(
    date: Date, token: NSPersistentHistoryToken?, transaction: NSPersistentHistoryTransaction?,
    fetch: NSFetchRequest<any NSFetchRequestResult>, change: NSPersistentHistoryChange,
    result: NSPersistentHistoryResult
) {
    typealias Request = NSPersistentHistoryChangeRequest
    let requests: [Request] = [
        Request.deleteHistory(before: date), Request.deleteHistory(before: token),
        Request.deleteHistory(before: transaction), Request.fetchHistory(after: date),
        Request.fetchHistory(after: token), Request.fetchHistory(after: transaction),
        Request.fetchHistory(withFetch: fetch),
    ]
    for request in requests {
        request.resultType = .transactionsAndChanges
        request.fetchRequest = fetch as NSFetchRequest<any NSFetchRequestResult>?
        _ = request.token as NSPersistentHistoryToken?
    }
    let types: [NSPersistentHistoryResultType] = [
        .changesOnly, .count, .objectIDs, .statusOnly, .transactionsAndChanges, .transactionsOnly,
    ]
    let changeTypes: [NSPersistentHistoryChangeType] = [.delete, .insert, .update]
    if let transaction {
        let notification: Notification = transaction.objectIDNotification()
        let texts: [String] = [
            transaction.bundleID, transaction.processID, transaction.storeID,
        ]
        let optionals: [String?] = [transaction.author, transaction.contextName]
        let changes: [NSPersistentHistoryChange]? = transaction.changes
        let timestamp: Date = transaction.timestamp
        let ownToken: NSPersistentHistoryToken = transaction.token
        let number: Int64 = transaction.transactionNumber
        _ = (notification, texts, optionals, changes, timestamp, ownToken, number)
    }
    let objectID: NSManagedObjectID = change.changedObjectID
    let changeID: Int64 = change.changeID
    let type: NSPersistentHistoryChangeType = change.changeType
    let tombstone: [AnyHashable: Any]? = change.tombstone
    let owner: NSPersistentHistoryTransaction? = change.transaction
    let properties: Set<NSPropertyDescription>? = change.updatedProperties
    let value: Any? = result.result
    let resultType: NSPersistentHistoryResultType = result.resultType
    _ = (types, changeTypes, objectID, changeID, type, tombstone, owner, properties)
    _ = (value, resultType)
}

// MARK: - Merge policies

private final class SpelledPolicy: NSMergePolicy {
    override func resolve(mergeConflicts list: [Any]) throws {
        try super.resolve(mergeConflicts: list)
    }
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        try super.resolve(optimisticLockingConflicts: list)
    }
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        try super.resolve(constraintConflicts: list)
    }
}

private func mergePolicies(object: NSManagedObject) {
    let policies: [NSMergePolicy] = [
        .error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback,
        NSMergePolicy(merge: .errorMergePolicyType),
    ]
    let globals: [AnyObject] = [
        NSErrorMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy,
        NSMergeByPropertyStoreTrumpMergePolicy, NSOverwriteMergePolicy, NSRollbackMergePolicy,
    ]
    let types: [NSMergePolicyType] = [
        .errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
        .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType,
        .rollbackMergePolicyType, policies[0].mergeType,
    ]
    let conflict: NSMergeConflict = NSMergeConflict(
        source: object, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)
    let snapshots: [[String: Any]?] = [
        conflict.cachedSnapshot, conflict.objectSnapshot, conflict.persistedSnapshot,
    ]
    let versions: [Int] = [conflict.newVersionNumber, conflict.oldVersionNumber]
    let source: NSManagedObject = conflict.sourceObject
    let constraint: NSConstraintConflict = NSConstraintConflict(
        constraint: ["key"], database: object, databaseSnapshot: nil, conflicting: [object],
        conflictingSnapshots: [])
    let objects: [NSManagedObject] = constraint.conflictingObjects
    let conflicting: [[AnyHashable: Any]] = constraint.conflictingSnapshots
    let names: [String] = constraint.constraint
    let values: [String: Any] = constraint.constraintValues
    let stored: NSManagedObject? = constraint.databaseObject
    let storedSnapshot: [String: Any]? = constraint.databaseSnapshot
    _ = (globals, types, snapshots, versions, source, objects, conflicting, names, values)
    _ = (stored, storedSnapshot)
}

// MARK: - NSFetchedResultsController

private final class SpelledDelegate: NSObject, NSFetchedResultsControllerDelegate {
    func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}
    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {}
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? { nil }
    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {}
}

private func fetchedResultsController(
    request: NSFetchRequest<GeneratedObject>, context: NSManagedObjectContext, path: IndexPath
) throws {
    let controller: NSFetchedResultsController<GeneratedObject> = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
        cacheName: nil)
    NSFetchedResultsController<GeneratedObject>.deleteCache(withName: nil)
    let delegate = SpelledDelegate()
    controller.delegate = delegate as (any NSFetchedResultsControllerDelegate)?
    try controller.performFetch()
    let objects: [GeneratedObject]? = controller.fetchedObjects
    let object: GeneratedObject = controller.object(at: path)
    let place: IndexPath? = controller.indexPath(forObject: object)
    let sections: [any NSFetchedResultsSectionInfo]? = controller.sections
    if let section = sections?.first {
        let name: String = section.name
        let title: String? = section.indexTitle
        let count: Int = section.numberOfObjects
        let members: [Any]? = section.objects
        _ = (name, title, count, members)
    }
    let titles: [String] = controller.sectionIndexTitles
    let title: String? = controller.sectionIndexTitle(forSectionName: "name")
    let index: Int = controller.section(forSectionIndexTitle: "N", at: 0)
    let fetch: NSFetchRequest<GeneratedObject> = controller.fetchRequest
    let own: NSManagedObjectContext = controller.managedObjectContext
    let names: [String?] = [controller.sectionNameKeyPath, controller.cacheName]
    let types: [NSFetchedResultsChangeType] = [.insert, .delete, .move, .update]
    _ = (objects, place, titles, title, index, fetch, own, names, types)
}
