// The SDKs' merge policies are mutable globals, which Swift 6 refuses to read.
#if canImport(ObjectiveC)
@preconcurrency import CoreData
#else
import CoreData
#endif

// Spells the signatures of Core Data's contexts and objects as in Apple's documentation. Nothing
// here is called: if it compiles, code written for Apple's framework does.

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
    let _: [any NSFetchRequestResult] = try context.fetch(untyped)
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
    context.undo()
    context.redo()
    context.undoManager = nil as UndoManager?
    let _: UndoManager? = context.undoManager
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

private func contextTypes() {
    let types: [NSManagedObjectContextConcurrencyType] = [
        .confinementConcurrencyType, .mainQueueConcurrencyType, .privateQueueConcurrencyType,
    ]
    let queues: [NSManagedObjectContext.ConcurrencyType] = [.mainQueue, .privateQueue]
    let schedules: [NSManagedObjectContext.ScheduledTaskType] = [.enqueued, .immediate]
    let results: [any NSFetchRequestResult.Type] = [
        NSManagedObject.self, NSManagedObjectID.self, NSDictionary.self, NSNumber.self,
    ]
    let result: (any NSObjectProtocol)? = nil as (any NSFetchRequestResult)?
    _ = (types, queues, schedules, results, result)
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

class SpelledObject: NSManagedObject {
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

final class GeneratedObject: SpelledObject {
    // As Xcode generates it, in addition to the inherited one.
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
    let mutations: [NSKeyValueSetMutationKind] = [.union, .minus, .intersect, .set]
    let changes: [NSKeyValueChange] = [.setting, .insertion, .removal, .replacement]
    for (mutation, change) in zip(mutations, changes) {
        object.willChangeValue(forKey: "key", withSetMutation: mutation, using: [])
        object.willChange(change, valuesAt: [0], forKey: "key")
        object.didChange(change, valuesAt: [0], forKey: "key")
    }
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
    let noConflict: NSConstraintConflict = NSConstraintConflict()
    let constraint: NSConstraintConflict = NSConstraintConflict(
        constraint: ["key"], database: nil, databaseSnapshot: nil, conflicting: [object],
        conflictingSnapshots: [NSNull()])
    let objects: [NSManagedObject] = constraint.conflictingObjects
    let conflicting: [[AnyHashable: Any]] = constraint.conflictingSnapshots
    let names: [String] = constraint.constraint
    let values: [String: Any] = constraint.constraintValues
    let stored: NSManagedObject? = constraint.databaseObject
    let storedSnapshot: [String: Any]? = constraint.databaseSnapshot
    _ = (globals, types, snapshots, versions, source, objects, conflicting, names, values)
    _ = (stored, storedSnapshot, noConflict)
}

/// A context that overrides what Apple's class allows subclasses to override.
private final class OverridingContext: NSManagedObjectContext, @unchecked Sendable {
    override func save() throws { try super.save() }
    override func delete(_ object: NSManagedObject) { super.delete(object) }
    override func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try super.fetch(request)
    }
    override func perform(_ block: @escaping @Sendable () -> Void) { super.perform(block) }
    override func performAndWait(_ block: @Sendable () -> Void) { super.performAndWait(block) }
}

private func objectsOfTypes<T: NSManagedObject>(
    _ type: T.Type, _ types: [NSManagedObject.Type], context: NSManagedObjectContext
) {
    let generic: T = T(context: context)
    let made: [NSManagedObject] = types.map { $0.init(context: context) }
    _ = (generic, made)
}
