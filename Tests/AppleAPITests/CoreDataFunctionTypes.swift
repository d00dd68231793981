import CoreData

// The initializers and methods of Core Data's other classes with their types as in Apple's
// documentation, and calls that omit arguments with defaults. It is compiled, not run.

private func managedObjectContext(_ members: Members<NSManagedObjectContext>) {
    members.function(
        type(of: NSManagedObjectContext.init(concurrencyType:)),
        (@Sendable (NSManagedObjectContextConcurrencyType) -> NSManagedObjectContext).self)
    members.function(
        type(of: NSManagedObjectContext.init(_:)),
        (@Sendable (NSManagedObjectContext.ConcurrencyType) -> NSManagedObjectContext).self)
    members.function(
        type(of: NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)),
        (@Sendable ([AnyHashable: Any], [NSManagedObjectContext]) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.assign(_:to:)),
        (@Sendable (Any, NSPersistentStore) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.count(for:)),
        (@Sendable (NSFetchRequest<any NSFetchRequestResult>) throws -> Int).self)
    members.method(
        type(of: NSManagedObjectContext.delete(_:)), (@Sendable (NSManagedObject) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.detectConflicts(for:)),
        (@Sendable (NSManagedObject) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.execute(_:)),
        (@Sendable (NSPersistentStoreRequest) throws -> NSPersistentStoreResult).self)
    members.method(
        type(of: NSManagedObjectContext.existingObject(with:)),
        (@Sendable (NSManagedObjectID) throws -> NSManagedObject).self)
    members.method(
        type(of: NSManagedObjectContext.fetch(_:)),
        (@Sendable (NSFetchRequest<any NSFetchRequestResult>) throws -> [Any]).self)
    members.method(
        type(of: NSManagedObjectContext.insert(_:)), (@Sendable (NSManagedObject) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.mergeChanges(fromContextDidSave:)),
        (@Sendable (Notification) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.object(with:)),
        (@Sendable (NSManagedObjectID) -> NSManagedObject).self)
    members.method(
        type(of: NSManagedObjectContext.obtainPermanentIDs(for:)),
        (@Sendable ([NSManagedObject]) throws -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.perform(_:)),
        (@Sendable (@escaping @Sendable () -> Void) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.performAndWait(_:)),
        (@Sendable (@Sendable () -> Void) -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.processPendingChanges), (@Sendable () -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.refresh(_:mergeChanges:)),
        (@Sendable (NSManagedObject, Bool) -> Void).self)
    members.method(type(of: NSManagedObjectContext.refreshAllObjects), (@Sendable () -> Void).self)
    members.method(type(of: NSManagedObjectContext.reset), (@Sendable () -> Void).self)
    members.method(type(of: NSManagedObjectContext.rollback), (@Sendable () -> Void).self)
    members.method(type(of: NSManagedObjectContext.save), (@Sendable () throws -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.setQueryGenerationFrom(_:)),
        (@Sendable (NSQueryGenerationToken?) throws -> Void).self)
    members.method(
        type(of: NSManagedObjectContext.shouldHandleInaccessibleFault(_:for:triggeredByProperty:)),
        (@Sendable (NSManagedObject, NSManagedObjectID, NSPropertyDescription?) -> Bool).self)
}

@available(*, deprecated)
private func deprecatedManagedObjectContext(_ members: Members<NSManagedObjectContext>) {
    members.function(
        type(of: NSManagedObjectContext.init), (@Sendable () -> NSManagedObjectContext).self)
}

#if canImport(ObjectiveC)
private typealias ValidatedValue = AutoreleasingUnsafeMutablePointer<AnyObject?>
#else
private typealias ValidatedValue = UnsafeMutablePointer<AnyObject?>
#endif

private func managedObject(_ members: Members<NSManagedObject>) {
    members.function(
        type(of: NSManagedObject.init(entity:insertInto:)),
        (@Sendable (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject).self)
    members.function(
        type(of: NSManagedObject.init(context:)),
        (@Sendable (NSManagedObjectContext) -> NSManagedObject).self)
    members.function(
        type(of: NSManagedObject.fetchRequest),
        (@Sendable () -> NSFetchRequest<any NSFetchRequestResult>).self)
    members.function(type(of: NSManagedObject.entity), (@Sendable () -> NSEntityDescription).self)
    members.method(
        type(of: NSManagedObject.awake(fromSnapshotEvents:)), ((NSSnapshotEventType) -> Void).self)
    members.method(type(of: NSManagedObject.awakeFromFetch), (() -> Void).self)
    members.method(type(of: NSManagedObject.awakeFromInsert), (() -> Void).self)
    members.method(type(of: NSManagedObject.changedValues), (() -> [String: Any]).self)
    members.method(
        type(of: NSManagedObject.changedValuesForCurrentEvent), (() -> [String: Any]).self)
    members.method(
        type(of: NSManagedObject.committedValues(forKeys:)), (([String]?) -> [String: Any]).self)
    members.method(type(of: NSManagedObject.didAccessValue(forKey:)), ((String?) -> Void).self)
    members.method(
        type(of: NSManagedObject.didChangeValue(forKey:withSetMutation:using:)),
        ((String, NSKeyValueSetMutationKind, Set<AnyHashable>) -> Void).self)
    members.method(type(of: NSManagedObject.didChangeValue(forKey:)), ((String) -> Void).self)
    members.method(type(of: NSManagedObject.didSave), (() -> Void).self)
    members.method(type(of: NSManagedObject.didTurnIntoFault), (() -> Void).self)
    members.method(
        type(of: NSManagedObject.hasFault(forRelationshipNamed:)), ((String) -> Bool).self)
    members.method(
        type(of: NSManagedObject.objectIDs(forRelationshipNamed:)),
        ((String) -> [NSManagedObjectID]).self)
    members.method(type(of: NSManagedObject.prepareForDeletion), (() -> Void).self)
    members.method(type(of: NSManagedObject.primitiveValue(forKey:)), ((String) -> Any?).self)
    members.method(
        type(of: NSManagedObject.setPrimitiveValue(_:forKey:)), ((Any?, String) -> Void).self)
    members.method(type(of: NSManagedObject.setValue(_:forKey:)), ((Any?, String) -> Void).self)
    members.method(type(of: NSManagedObject.validateForDelete), (() throws -> Void).self)
    members.method(type(of: NSManagedObject.validateForInsert), (() throws -> Void).self)
    members.method(type(of: NSManagedObject.validateForUpdate), (() throws -> Void).self)
    members.method(
        type(of: NSManagedObject.validateValue(_:forKey:)),
        ((ValidatedValue, String) throws -> Void).self)
    members.method(type(of: NSManagedObject.value(forKey:)), ((String) -> Any?).self)
    members.method(type(of: NSManagedObject.willAccessValue(forKey:)), ((String?) -> Void).self)
    members.method(
        type(of: NSManagedObject.willChangeValue(forKey:withSetMutation:using:)),
        ((String, NSKeyValueSetMutationKind, Set<AnyHashable>) -> Void).self)
    members.method(type(of: NSManagedObject.willChangeValue(forKey:)), ((String) -> Void).self)
    members.method(
        type(of: NSManagedObject.willChange(_:valuesAt:forKey:)),
        ((NSKeyValueChange, IndexSet, String) -> Void).self)
    members.method(
        type(of: NSManagedObject.didChange(_:valuesAt:forKey:)),
        ((NSKeyValueChange, IndexSet, String) -> Void).self)
    members.method(type(of: NSManagedObject.willSave), (() -> Void).self)
    members.method(type(of: NSManagedObject.willTurnIntoFault), (() -> Void).self)
}

private func managedObjectID(_ members: Members<NSManagedObjectID>) {
    members.method(type(of: NSManagedObjectID.uriRepresentation), (@Sendable () -> URL).self)
}

private func fetchRequest(_ members: Members<NSFetchRequest<NSManagedObject>>) {
    members.function(
        type(of: NSFetchRequest<NSManagedObject>.init),
        (@Sendable () -> NSFetchRequest<NSManagedObject>).self)
    members.function(
        type(of: NSFetchRequest<NSManagedObject>.init(entityName:)),
        (@Sendable (String) -> NSFetchRequest<NSManagedObject>).self)
    members.method(
        type(of: NSFetchRequest<NSManagedObject>.execute), (() throws -> [NSManagedObject]).self)
}

private func asynchronousFetchRequest(
    _ members: Members<NSAsynchronousFetchRequest<NSManagedObject>>
) {
    members.function(
        type(of: NSAsynchronousFetchRequest<NSManagedObject>.init(fetchRequest:completionBlock:)),
        (@Sendable (
            NSFetchRequest<NSManagedObject>, ((NSAsynchronousFetchResult<NSManagedObject>) -> Void)?
        ) -> NSAsynchronousFetchRequest<NSManagedObject>).self)
    let _: (NSFetchRequest<NSManagedObject>) -> NSAsynchronousFetchRequest<NSManagedObject> = {
        NSAsynchronousFetchRequest<NSManagedObject>(fetchRequest: $0)
    }
}

private func saveChangesRequest(_ members: Members<NSSaveChangesRequest>) {
    members.function(
        type(of: NSSaveChangesRequest.init(inserted:updated:deleted:locked:)),
        (@Sendable (
            Set<NSManagedObject>?, Set<NSManagedObject>?, Set<NSManagedObject>?,
            Set<NSManagedObject>?
        ) -> NSSaveChangesRequest).self)
}

private func batchDeleteRequest(_ members: Members<NSBatchDeleteRequest>) {
    members.function(
        type(of: NSBatchDeleteRequest.init(fetchRequest:)),
        (@Sendable (NSFetchRequest<any NSFetchRequestResult>) -> NSBatchDeleteRequest).self)
    members.function(
        type(of: NSBatchDeleteRequest.init(objectIDs:)),
        (@Sendable ([NSManagedObjectID]) -> NSBatchDeleteRequest).self)
}

private func batchInsertRequest(_ members: Members<NSBatchInsertRequest>) {
    members.function(
        type(of: NSBatchInsertRequest.init(entity:objects:)),
        (@Sendable (NSEntityDescription, [[String: Any]]) -> NSBatchInsertRequest).self)
    members.function(
        type(of: NSBatchInsertRequest.init(entityName:objects:)),
        (@Sendable (String, [[String: Any]]) -> NSBatchInsertRequest).self)
    members.function(
        type(of: NSBatchInsertRequest.init(entity:dictionaryHandler:)),
        (@Sendable (NSEntityDescription, @escaping (NSMutableDictionary) -> Bool) ->
            NSBatchInsertRequest).self)
    members.function(
        type(of: NSBatchInsertRequest.init(entity:managedObjectHandler:)),
        (@Sendable (NSEntityDescription, @escaping (NSManagedObject) -> Bool) ->
            NSBatchInsertRequest).self)
    members.function(
        type(of: NSBatchInsertRequest.init(entityName:dictionaryHandler:)),
        (@Sendable (String, @escaping (NSMutableDictionary) -> Bool) -> NSBatchInsertRequest).self)
    members.function(
        type(of: NSBatchInsertRequest.init(entityName:managedObjectHandler:)),
        (@Sendable (String, @escaping (NSManagedObject) -> Bool) -> NSBatchInsertRequest).self)
}

@available(*, deprecated)
private func deprecatedBatchInsertRequest(_ members: Members<NSBatchInsertRequest>) {
    members.function(
        type(of: NSBatchInsertRequest.init), (@Sendable () -> NSBatchInsertRequest).self)
}

private func batchUpdateRequest(_ members: Members<NSBatchUpdateRequest>) {
    members.function(
        type(of: NSBatchUpdateRequest.init(entity:)),
        (@Sendable (NSEntityDescription) -> NSBatchUpdateRequest).self)
    members.function(
        type(of: NSBatchUpdateRequest.init(entityName:)),
        (@Sendable (String) -> NSBatchUpdateRequest).self)
}

private func managedObjectModel(_ members: Members<NSManagedObjectModel>) {
    members.function(
        type(of: NSManagedObjectModel.init), (@Sendable () -> NSManagedObjectModel).self)
    members.function(
        type(of: NSManagedObjectModel.init(byMerging:forStoreMetadata:)),
        (@Sendable ([NSManagedObjectModel], [String: Any]) -> NSManagedObjectModel?).self)
    members.function(
        type(of: NSManagedObjectModel.init(byMerging:)),
        (@Sendable ([NSManagedObjectModel]?) -> NSManagedObjectModel?).self)
    members.function(
        type(of: NSManagedObjectModel.init(contentsOf:)),
        (@Sendable (URL) -> NSManagedObjectModel?).self)
    members.function(
        type(of: NSManagedObjectModel.mergedModel(from:)),
        (@Sendable ([Bundle]?) -> NSManagedObjectModel?).self)
    members.function(
        type(of: NSManagedObjectModel.mergedModel(from:forStoreMetadata:)),
        (@Sendable ([Bundle]?, [String: Any]) -> NSManagedObjectModel?).self)
    members.method(
        type(of: NSManagedObjectModel.entities(forConfigurationName:)),
        ((String?) -> [NSEntityDescription]?).self)
    members.method(
        type(of: NSManagedObjectModel.fetchRequestFromTemplate(withName:substitutionVariables:)),
        ((String, [String: Any]) -> NSFetchRequest<any NSFetchRequestResult>?).self)
    members.method(
        type(of: NSManagedObjectModel.fetchRequestTemplate(forName:)),
        ((String) -> NSFetchRequest<any NSFetchRequestResult>?).self)
    members.method(
        type(of: NSManagedObjectModel.isConfiguration(withName:compatibleWithStoreMetadata:)),
        ((String?, [String: Any]) -> Bool).self)
    members.method(
        type(of: NSManagedObjectModel.setEntities(_:forConfigurationName:)),
        (([NSEntityDescription], String) -> Void).self)
    members.method(
        type(of: NSManagedObjectModel.setFetchRequestTemplate(_:forName:)),
        ((NSFetchRequest<any NSFetchRequestResult>?, String) -> Void).self)
}

private func entityDescription(_ members: Members<NSEntityDescription>) {
    members.function(
        type(of: NSEntityDescription.entity(forEntityName:in:)),
        (@Sendable (String, NSManagedObjectContext) -> NSEntityDescription?).self)
    members.function(
        type(of: NSEntityDescription.insertNewObject(forEntityName:into:)),
        (@Sendable (String, NSManagedObjectContext) -> NSManagedObject).self)
    members.method(
        type(of: NSEntityDescription.isKindOf(entity:)), ((NSEntityDescription) -> Bool).self)
    members.method(
        type(of: NSEntityDescription.relationships(forDestination:)),
        ((NSEntityDescription) -> [NSRelationshipDescription]).self)
}

private func propertyDescription(_ members: Members<NSPropertyDescription>) {
    members.method(
        type(of: NSPropertyDescription.setValidationPredicates(_:withValidationWarnings:)),
        (([NSPredicate]?, [String]?) -> Void).self)
}

private func mergePolicy(_ members: Members<NSMergePolicy>) {
    members.function(
        type(of: NSMergePolicy.init(merge:)), (@Sendable (NSMergePolicyType) -> NSMergePolicy).self)
    members.method(
        type(of: NSMergePolicy.resolve(constraintConflicts:)),
        (([NSConstraintConflict]) throws -> Void).self)
    members.method(type(of: NSMergePolicy.resolve(mergeConflicts:)), (([Any]) throws -> Void).self)
    members.method(
        type(of: NSMergePolicy.resolve(optimisticLockingConflicts:)),
        (([NSMergeConflict]) throws -> Void).self)
}

private func mergeConflict(_ members: Members<NSMergeConflict>) {
    members.function(
        type(
            of: NSMergeConflict.init(source:newVersion:oldVersion:cachedSnapshot:persistedSnapshot:)
        ),
        (@Sendable (NSManagedObject, Int, Int, [String: Any]?, [String: Any]?) -> NSMergeConflict)
            .self)
}

private func constraintConflict(_ members: Members<NSConstraintConflict>) {
    members.function(
        type(
            of: NSConstraintConflict.init(
                constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:)),
        (@Sendable ([String], NSManagedObject?, [AnyHashable: Any]?, [NSManagedObject], [Any]) ->
            NSConstraintConflict).self)
}

private func persistentHistoryChangeRequest(_ members: Members<NSPersistentHistoryChangeRequest>) {
    members.function(
        type(of: NSPersistentHistoryChangeRequest.deleteHistory(before:)),
        (@Sendable (Date) -> NSPersistentHistoryChangeRequest).self)
    members.function(
        type(of: NSPersistentHistoryChangeRequest.deleteHistory(before:)),
        (@Sendable (NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest).self)
    members.function(
        type(of: NSPersistentHistoryChangeRequest.deleteHistory(before:)),
        (@Sendable (NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest).self)
    members.function(
        type(of: NSPersistentHistoryChangeRequest.fetchHistory(after:)),
        (@Sendable (Date) -> NSPersistentHistoryChangeRequest).self)
    members.function(
        type(of: NSPersistentHistoryChangeRequest.fetchHistory(after:)),
        (@Sendable (NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest).self)
    members.function(
        type(of: NSPersistentHistoryChangeRequest.fetchHistory(after:)),
        (@Sendable (NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest).self)
    members.function(
        type(of: NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)),
        (@Sendable (NSFetchRequest<any NSFetchRequestResult>) -> NSPersistentHistoryChangeRequest)
            .self)
}

private func persistentHistoryTransaction(_ members: Members<NSPersistentHistoryTransaction>) {
    members.function(
        type(of: NSPersistentHistoryTransaction.entityDescription(with:)),
        (@Sendable (NSManagedObjectContext) -> NSEntityDescription?).self)
    members.method(
        type(of: NSPersistentHistoryTransaction.objectIDNotification), (() -> Notification).self)
}

private func persistentHistoryChange(_ members: Members<NSPersistentHistoryChange>) {
    members.function(
        type(of: NSPersistentHistoryChange.entityDescription(with:)),
        (@Sendable (NSManagedObjectContext) -> NSEntityDescription?).self)
}
