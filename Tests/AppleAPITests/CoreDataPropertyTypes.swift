import CoreData

// The properties of Core Data's classes with their types, and whether they are settable, as in
// Apple's documentation. It is compiled, not run.

private func incrementalStoreNode(_ members: Members<NSIncrementalStoreNode>) {
    members.readOnly(\.objectID, NSManagedObjectID.self)
    members.readOnly(\.version, UInt64.self)
}

private func persistentStore(_ members: Members<NSPersistentStore>) {
    members.readOnly(\.configurationName, String.self)
    members.settable(\.identifier, String?.self)
    members.settable(\.isReadOnly, Bool.self)
    members.settable(\.metadata, [String: Any]?.self)
    members.readOnly(\.options, [AnyHashable: Any]?.self)
    members.readOnly(\.type, String.self)
    members.settable(\.url, URL?.self)
    members.readOnly(\.persistentStoreCoordinator, NSPersistentStoreCoordinator?.self)
}

private func persistentStoreCoordinator(_ members: Members<NSPersistentStoreCoordinator>) {
    members.shared(\.registeredStoreTypes, [String: NSValue].self)
    members.readOnly(\.managedObjectModel, NSManagedObjectModel.self)
    members.settable(\.name, String?.self)
    members.readOnly(\.persistentStores, [NSPersistentStore].self)
}

private func persistentContainer(_ members: Members<NSPersistentContainer>) {
    members.shared(\.defaultDirectoryURL, URL.self)
    members.readOnly(\.managedObjectModel, NSManagedObjectModel.self)
    members.readOnly(\.name, String.self)
    members.readOnly(\.persistentStoreCoordinator, NSPersistentStoreCoordinator.self)
    members.settable(\.persistentStoreDescriptions, [NSPersistentStoreDescription].self)
    members.readOnly(\.viewContext, NSManagedObjectContext.self)
}

private func persistentStoreDescription(_ members: Members<NSPersistentStoreDescription>) {
    members.settable(\.configuration, String?.self)
    members.settable(\.isReadOnly, Bool.self)
    members.readOnly(\.options, [String: NSObject].self)
    members.settable(\.shouldAddStoreAsynchronously, Bool.self)
    members.settable(\.shouldInferMappingModelAutomatically, Bool.self)
    members.settable(\.shouldMigrateStoreAutomatically, Bool.self)
    members.readOnly(\.sqlitePragmas, [String: NSObject].self)
    members.settable(\.timeout, TimeInterval.self)
    members.settable(\.type, String.self)
    members.settable(\.url, URL?.self)
}

private func managedObjectContext(_ members: Members<NSManagedObjectContext>) {
    members.shared(\.didChangeObjectsNotification, Notification.Name.self)
    members.shared(\.didMergeChangesObjectIDsNotification, Notification.Name.self)
    members.shared(\.didSaveObjectIDsNotification, Notification.Name.self)
    members.shared(\.didSaveObjectsNotification, Notification.Name.self)
    members.shared(\.willSaveObjectsNotification, Notification.Name.self)
    members.settable(\.automaticallyMergesChangesFromParent, Bool.self)
    members.readOnly(\.concurrencyType, NSManagedObjectContextConcurrencyType.self)
    members.readOnly(\.deletedObjects, Set<NSManagedObject>.self)
    members.readOnly(\.hasChanges, Bool.self)
    members.readOnly(\.insertedObjects, Set<NSManagedObject>.self)
    members.settable(\.mergePolicy, Any.self)
    members.settable(\.name, String?.self)
    members.settable(\.parent, NSManagedObjectContext?.self)
    members.settable(\.persistentStoreCoordinator, NSPersistentStoreCoordinator?.self)
    members.settable(\.propagatesDeletesAtEndOfEvent, Bool.self)
    members.readOnly(\.queryGenerationToken, NSQueryGenerationToken?.self)
    members.settable(\.shouldDeleteInaccessibleFaults, Bool.self)
    members.settable(\.stalenessInterval, TimeInterval.self)
    members.settable(\.transactionAuthor, String?.self)
    members.readOnly(\.updatedObjects, Set<NSManagedObject>.self)
    members.readOnly(\.userInfo, NSMutableDictionary.self)
}

private func managedObject(_ members: Members<NSManagedObject>) {
    members.shared(\.contextShouldIgnoreUnmodeledPropertyChanges, Bool.self)
    members.readOnly(\.managedObjectContext, NSManagedObjectContext?.self)
    members.readOnly(\.entity, NSEntityDescription.self)
    members.readOnly(\.faultingState, Int.self)
    members.readOnly(\.hasChanges, Bool.self)
    members.readOnly(\.hasPersistentChangedValues, Bool.self)
    members.readOnly(\.isDeleted, Bool.self)
    members.readOnly(\.isFault, Bool.self)
    members.readOnly(\.isInserted, Bool.self)
    members.readOnly(\.isUpdated, Bool.self)
    members.readOnly(\.objectID, NSManagedObjectID.self)
}

private func managedObjectID(_ members: Members<NSManagedObjectID>) {
    members.readOnly(\.entity, NSEntityDescription.self)
    members.readOnly(\.isTemporaryID, Bool.self)
    members.readOnly(\.persistentStore, NSPersistentStore?.self)
}

private func persistentStoreRequest(_ members: Members<NSPersistentStoreRequest>) {
    members.settable(\.affectedStores, [NSPersistentStore]?.self)
    members.readOnly(\.requestType, NSPersistentStoreRequestType.self)
}

private func fetchRequest(_ members: Members<NSFetchRequest<NSManagedObject>>) {
    members.settable(\.affectedStores, [NSPersistentStore]?.self)
    members.settable(\.entity, NSEntityDescription?.self)
    members.readOnly(\.entityName, String?.self)
    members.settable(\.fetchBatchSize, Int.self)
    members.settable(\.fetchLimit, Int.self)
    members.settable(\.fetchOffset, Int.self)
    members.settable(\.havingPredicate, NSPredicate?.self)
    members.settable(\.includesPendingChanges, Bool.self)
    members.settable(\.includesPropertyValues, Bool.self)
    members.settable(\.includesSubentities, Bool.self)
    members.settable(\.predicate, NSPredicate?.self)
    members.settable(\.propertiesToFetch, [Any]?.self)
    members.settable(\.propertiesToGroupBy, [Any]?.self)
    members.settable(\.relationshipKeyPathsForPrefetching, [String]?.self)
    members.settable(\.resultType, NSFetchRequestResultType.self)
    members.settable(\.returnsDistinctResults, Bool.self)
    members.settable(\.returnsObjectsAsFaults, Bool.self)
    members.settable(\.shouldRefreshRefetchedObjects, Bool.self)
    members.settable(\.sortDescriptors, [NSSortDescriptor]?.self)
}

private func asynchronousFetchRequest(
    _ members: Members<NSAsynchronousFetchRequest<NSManagedObject>>
) {
    members.readOnly(
        \.completionBlock, NSPersistentStoreAsynchronousFetchResultCompletionBlock?.self)
    members.settable(\.estimatedResultCount, Int.self)
    members.readOnly(\.fetchRequest, NSFetchRequest<NSManagedObject>.self)
}

private func saveChangesRequest(_ members: Members<NSSaveChangesRequest>) {
    members.readOnly(\.deletedObjects, Set<NSManagedObject>?.self)
    members.readOnly(\.insertedObjects, Set<NSManagedObject>?.self)
    members.readOnly(\.lockedObjects, Set<NSManagedObject>?.self)
    members.readOnly(\.updatedObjects, Set<NSManagedObject>?.self)
}

private func batchDeleteRequest(_ members: Members<NSBatchDeleteRequest>) {
    members.readOnly(\.fetchRequest, NSFetchRequest<any NSFetchRequestResult>.self)
    members.settable(\.resultType, NSBatchDeleteRequestResultType.self)
}

private func batchInsertRequest(_ members: Members<NSBatchInsertRequest>) {
    members.settable(\.dictionaryHandler, (((NSMutableDictionary) -> Bool)?).self)
    members.readOnly(\.entity, NSEntityDescription?.self)
    members.readOnly(\.entityName, String.self)
    members.settable(\.managedObjectHandler, (((NSManagedObject) -> Bool)?).self)
    members.settable(\.objectsToInsert, [[String: Any]]?.self)
    members.settable(\.resultType, NSBatchInsertRequestResultType.self)
}

private func batchUpdateRequest(_ members: Members<NSBatchUpdateRequest>) {
    members.readOnly(\.entity, NSEntityDescription.self)
    members.readOnly(\.entityName, String.self)
    members.settable(\.includesSubentities, Bool.self)
    members.settable(\.predicate, NSPredicate?.self)
    members.settable(\.propertiesToUpdate, [AnyHashable: Any]?.self)
    members.settable(\.resultType, NSBatchUpdateRequestResultType.self)
}

private func batchDeleteResult(_ members: Members<NSBatchDeleteResult>) {
    members.readOnly(\.result, Any?.self)
    members.readOnly(\.resultType, NSBatchDeleteRequestResultType.self)
}

private func batchInsertResult(_ members: Members<NSBatchInsertResult>) {
    members.readOnly(\.result, Any?.self)
    members.readOnly(\.resultType, NSBatchInsertRequestResultType.self)
}

private func batchUpdateResult(_ members: Members<NSBatchUpdateResult>) {
    members.readOnly(\.result, Any?.self)
    members.readOnly(\.resultType, NSBatchUpdateRequestResultType.self)
}

private func managedObjectModel(_ members: Members<NSManagedObjectModel>) {
    members.readOnly(\.configurations, [String].self)
    members.settable(\.entities, [NSEntityDescription].self)
    members.readOnly(\.entitiesByName, [String: NSEntityDescription].self)
    members.readOnly(\.entityVersionHashesByName, [String: Data].self)
    members.readOnly(
        \.fetchRequestTemplatesByName, [String: NSFetchRequest<any NSFetchRequestResult>].self)
    members.readOnly(\.versionChecksum, String.self)
    members.settable(\.versionIdentifiers, Set<AnyHashable>.self)
}

private func entityDescription(_ members: Members<NSEntityDescription>) {
    members.readOnly(\.managedObjectModel, NSManagedObjectModel.self)
    members.readOnly(\.superentity, NSEntityDescription?.self)
    members.readOnly(\.attributesByName, [String: NSAttributeDescription].self)
    members.settable(\.indexes, [NSFetchIndexDescription].self)
    members.settable(\.isAbstract, Bool.self)
    members.settable(\.managedObjectClassName, String?.self)
    members.settable(\.name, String?.self)
    members.settable(\.properties, [NSPropertyDescription].self)
    members.readOnly(\.propertiesByName, [String: NSPropertyDescription].self)
    members.readOnly(\.relationshipsByName, [String: NSRelationshipDescription].self)
    members.settable(\.renamingIdentifier, String?.self)
    members.settable(\.subentities, [NSEntityDescription].self)
    members.readOnly(\.subentitiesByName, [String: NSEntityDescription].self)
    members.settable(\.uniquenessConstraints, [[Any]].self)
    members.settable(\.userInfo, [AnyHashable: Any]?.self)
    members.readOnly(\.versionHash, Data.self)
    members.settable(\.versionHashModifier, String?.self)
}

@available(*, deprecated)
private func deprecatedEntityDescription(_ members: Members<NSEntityDescription>) {
    members.settable(\.compoundIndexes, [[Any]].self)
}

private func propertyDescription(_ members: Members<NSPropertyDescription>) {
    members.readOnly(\.entity, NSEntityDescription.self)
    members.settable(\.isOptional, Bool.self)
    members.settable(\.isTransient, Bool.self)
    members.settable(\.name, String.self)
    members.settable(\.renamingIdentifier, String?.self)
    members.settable(\.userInfo, [AnyHashable: Any]?.self)
    members.readOnly(\.validationPredicates, [NSPredicate].self)
    members.readOnly(\.validationWarnings, [Any].self)
    members.readOnly(\.versionHash, Data.self)
    members.settable(\.versionHashModifier, String?.self)
}

@available(*, deprecated)
private func deprecatedPropertyDescription(_ members: Members<NSPropertyDescription>) {
    members.settable(\.isIndexed, Bool.self)
}

private func attributeDescription(_ members: Members<NSAttributeDescription>) {
    members.settable(\.allowsCloudEncryption, Bool.self)
    members.settable(\.allowsExternalBinaryDataStorage, Bool.self)
    members.settable(\.attributeType, NSAttributeType.self)
    members.settable(\.attributeValueClassName, String?.self)
    members.settable(\.defaultValue, Any?.self)
    members.settable(\.preservesValueInHistoryOnDeletion, Bool.self)
    members.settable(\.type, NSAttributeDescription.AttributeType.self)
    members.settable(\.valueTransformerName, String?.self)
    members.readOnly(\.versionHash, Data.self)
}

private func relationshipDescription(_ members: Members<NSRelationshipDescription>) {
    members.settable(\.destinationEntity, NSEntityDescription?.self)
    members.settable(\.inverseRelationship, NSRelationshipDescription?.self)
    members.settable(\.deleteRule, NSDeleteRule.self)
    members.settable(\.isOrdered, Bool.self)
    members.readOnly(\.isToMany, Bool.self)
    members.settable(\.maxCount, Int.self)
    members.settable(\.minCount, Int.self)
    members.readOnly(\.versionHash, Data.self)
}

private func derivedAttributeDescription(_ members: Members<NSDerivedAttributeDescription>) {
    members.settable(\.derivationExpression, NSExpression?.self)
}

private func compositeAttributeDescription(_ members: Members<NSCompositeAttributeDescription>) {
    members.settable(\.elements, [NSAttributeDescription].self)
}

private func mergePolicy(_ members: Members<NSMergePolicy>) {
    members.shared(\.error, NSMergePolicy.self)
    members.shared(\.mergeByPropertyObjectTrump, NSMergePolicy.self)
    members.shared(\.mergeByPropertyStoreTrump, NSMergePolicy.self)
    members.shared(\.overwrite, NSMergePolicy.self)
    members.shared(\.rollback, NSMergePolicy.self)
    members.readOnly(\.mergeType, NSMergePolicyType.self)
}

private func mergeConflict(_ members: Members<NSMergeConflict>) {
    members.readOnly(\.cachedSnapshot, [String: Any]?.self)
    members.readOnly(\.newVersionNumber, Int.self)
    members.readOnly(\.objectSnapshot, [String: Any]?.self)
    members.readOnly(\.oldVersionNumber, Int.self)
    members.readOnly(\.persistedSnapshot, [String: Any]?.self)
    members.readOnly(\.sourceObject, NSManagedObject.self)
}

private func constraintConflict(_ members: Members<NSConstraintConflict>) {
    members.readOnly(\.conflictingObjects, [NSManagedObject].self)
    members.readOnly(\.conflictingSnapshots, [[AnyHashable: Any]].self)
    members.readOnly(\.constraint, [String].self)
    members.readOnly(\.constraintValues, [String: Any].self)
    members.readOnly(\.databaseObject, NSManagedObject?.self)
    members.readOnly(\.databaseSnapshot, [String: Any]?.self)
}

private func persistentHistoryChangeRequest(_ members: Members<NSPersistentHistoryChangeRequest>) {
    members.settable(\.fetchRequest, NSFetchRequest<any NSFetchRequestResult>?.self)
    members.settable(\.resultType, NSPersistentHistoryResultType.self)
    members.readOnly(\.token, NSPersistentHistoryToken?.self)
}

private func persistentHistoryTransaction(_ members: Members<NSPersistentHistoryTransaction>) {
    members.shared(\.entityDescription, NSEntityDescription?.self)
    members.shared(\.fetchRequest, NSFetchRequest<any NSFetchRequestResult>?.self)
    members.readOnly(\.author, String?.self)
    members.readOnly(\.bundleID, String.self)
    members.readOnly(\.changes, [NSPersistentHistoryChange]?.self)
    members.readOnly(\.contextName, String?.self)
    members.readOnly(\.processID, String.self)
    members.readOnly(\.storeID, String.self)
    members.readOnly(\.timestamp, Date.self)
    members.readOnly(\.token, NSPersistentHistoryToken.self)
    members.readOnly(\.transactionNumber, Int64.self)
}

private func persistentHistoryChange(_ members: Members<NSPersistentHistoryChange>) {
    members.shared(\.entityDescription, NSEntityDescription?.self)
    members.shared(\.fetchRequest, NSFetchRequest<any NSFetchRequestResult>?.self)
    members.readOnly(\.changedObjectID, NSManagedObjectID.self)
    members.readOnly(\.changeID, Int64.self)
    members.readOnly(\.changeType, NSPersistentHistoryChangeType.self)
    members.readOnly(\.tombstone, [AnyHashable: Any]?.self)
    members.readOnly(\.transaction, NSPersistentHistoryTransaction?.self)
    members.readOnly(\.updatedProperties, Set<NSPropertyDescription>?.self)
}

private func persistentHistoryResult(_ members: Members<NSPersistentHistoryResult>) {
    members.readOnly(\.result, Any?.self)
    members.readOnly(\.resultType, NSPersistentHistoryResultType.self)
}
