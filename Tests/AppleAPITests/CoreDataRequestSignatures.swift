import CoreData

// Spells the signatures of Core Data's requests and fetched results as in Apple's documentation.
// Nothing here is called: if it compiles, code written for Apple's framework does.

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
        let running: NSPersistentStoreAsynchronousResult = result
        running.cancel()
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
