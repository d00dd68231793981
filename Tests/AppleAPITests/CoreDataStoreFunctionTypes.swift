import CoreData

// The initializers and methods of Core Data's stores with their types as in Apple's documentation,
// and calls that omit arguments with defaults. It is compiled, not run.

private func incrementalStore(_ members: Members<NSIncrementalStore>) {
    members.function(
        type(of: NSIncrementalStore.identifierForNewStore(at:)), (@Sendable (URL) -> Any).self)
    members.method(
        type(of: NSIncrementalStore.execute(_:with:)),
        ((NSPersistentStoreRequest, NSManagedObjectContext?) throws -> Any).self)
    members.method(type(of: NSIncrementalStore.loadMetadata), (() throws -> Void).self)
    members.method(
        type(of: NSIncrementalStore.managedObjectContextDidRegisterObjects(with:)),
        (([NSManagedObjectID]) -> Void).self)
    members.method(
        type(of: NSIncrementalStore.managedObjectContextDidUnregisterObjects(with:)),
        (([NSManagedObjectID]) -> Void).self)
    members.method(
        type(of: NSIncrementalStore.newObjectID(for:referenceObject:)),
        ((NSEntityDescription, Any) -> NSManagedObjectID).self)
    members.method(
        type(of: NSIncrementalStore.newValue(forRelationship:forObjectWith:with:)),
        ((NSRelationshipDescription, NSManagedObjectID, NSManagedObjectContext?) throws -> Any).self
    )
    members.method(
        type(of: NSIncrementalStore.newValuesForObject(with:with:)),
        ((NSManagedObjectID, NSManagedObjectContext) throws -> NSIncrementalStoreNode).self)
    members.method(
        type(of: NSIncrementalStore.obtainPermanentIDs(for:)),
        (([NSManagedObject]) throws -> [NSManagedObjectID]).self)
    members.method(
        type(of: NSIncrementalStore.referenceObject(for:)), ((NSManagedObjectID) -> Any).self)
}

private func incrementalStoreNode(_ members: Members<NSIncrementalStoreNode>) {
    members.function(
        type(of: NSIncrementalStoreNode.init(objectID:withValues:version:)),
        (@Sendable (NSManagedObjectID, [String: Any], UInt64) -> NSIncrementalStoreNode).self)
    members.method(
        type(of: NSIncrementalStoreNode.update(withValues:version:)),
        (([String: Any], UInt64) -> Void).self)
    members.method(
        type(of: NSIncrementalStoreNode.value(for:)), ((NSPropertyDescription) -> Any?).self)
}

private func persistentStore(_ members: Members<NSPersistentStore>) {
    members.function(
        type(of: NSPersistentStore.init(persistentStoreCoordinator:configurationName:at:options:)),
        (@Sendable (NSPersistentStoreCoordinator?, String?, URL, [AnyHashable: Any]?) ->
            NSPersistentStore).self)
    let _: (NSPersistentStoreCoordinator?, String?, URL) -> NSPersistentStore = {
        NSPersistentStore(persistentStoreCoordinator: $0, configurationName: $1, at: $2)
    }
    members.function(
        type(of: NSPersistentStore.metadataForPersistentStore(with:)),
        (@Sendable (URL) throws -> [String: Any]).self)
    members.function(
        type(of: NSPersistentStore.migrationManagerClass), (@Sendable () -> AnyClass).self)
    members.function(
        type(of: NSPersistentStore.setMetadata(_:forPersistentStoreAt:)),
        (@Sendable ([String: Any]?, URL) throws -> Void).self)
    members.method(
        type(of: NSPersistentStore.didAdd(to:)), ((NSPersistentStoreCoordinator) -> Void).self)
    members.method(type(of: NSPersistentStore.loadMetadata), (() throws -> Void).self)
    members.method(
        type(of: NSPersistentStore.willRemove(from:)),
        ((NSPersistentStoreCoordinator?) -> Void).self)
}

private func persistentStoreCoordinator(_ members: Members<NSPersistentStoreCoordinator>) {
    members.function(
        type(of: NSPersistentStoreCoordinator.init(managedObjectModel:)),
        (@Sendable (NSManagedObjectModel) -> NSPersistentStoreCoordinator).self)
    members.function(
        type(of: NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:options:)),
        (@Sendable (String, URL, [AnyHashable: Any]?) throws -> [String: Any]).self)
    let _: (String, URL) throws -> [String: Any] = {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: $0, at: $1)
    }
    members.function(
        type(of: NSPersistentStoreCoordinator.metadataForPersistentStore(type:at:options:)),
        (@Sendable (NSPersistentStore.StoreType, URL, [AnyHashable: Any]?) throws -> [String: Any])
            .self)
    let _: (NSPersistentStore.StoreType, URL) throws -> [String: Any] = {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(type: $0, at: $1)
    }
    members.function(
        type(of: NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)),
        (@Sendable (AnyClass?, String) -> Void).self)
    members.function(
        type(of: NSPersistentStoreCoordinator.registerStoreClass(_:type:)),
        (@Sendable (AnyClass?, NSPersistentStore.StoreType) -> Void).self)
    members.function(
        type(of: NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:options:)),
        (@Sendable ([String: Any]?, String, URL, [AnyHashable: Any]?) throws -> Void).self)
    let _: ([String: Any]?, String, URL) throws -> Void = {
        try NSPersistentStoreCoordinator.setMetadata($0, forPersistentStoreOfType: $1, at: $2)
    }
    members.function(
        type(of: NSPersistentStoreCoordinator.setMetadata(_:type:at:options:)),
        (@Sendable ([String: Any]?, NSPersistentStore.StoreType, URL, [AnyHashable: Any]?) throws ->
            Void).self)
    let _: ([String: Any]?, NSPersistentStore.StoreType, URL) throws -> Void = {
        try NSPersistentStoreCoordinator.setMetadata($0, type: $1, at: $2)
    }
    members.method(
        type(
            of: NSPersistentStoreCoordinator.addPersistentStore(
                ofType:configurationName:at:options:)),
        (@Sendable (String, String?, URL?, [AnyHashable: Any]?) throws -> NSPersistentStore).self)
    let _: (NSPersistentStoreCoordinator, String, String?, URL?) throws -> NSPersistentStore = {
        try $0.addPersistentStore(ofType: $1, configurationName: $2, at: $3)
    }
    members.method(
        type(of: NSPersistentStoreCoordinator.addPersistentStore(type:configuration:at:options:)),
        (@Sendable (NSPersistentStore.StoreType, String?, URL, [AnyHashable: Any]?) throws ->
            NSPersistentStore).self)
    let _:
        (NSPersistentStoreCoordinator, NSPersistentStore.StoreType, URL) throws -> NSPersistentStore =
            { try $0.addPersistentStore(type: $1, at: $2) }
    members.method(
        type(of: NSPersistentStoreCoordinator.addPersistentStore(with:completionHandler:)),
        (@Sendable (
            NSPersistentStoreDescription,
            @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) -> Void).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.currentPersistentHistoryToken(fromStores:)),
        (@Sendable ([Any]?) -> NSPersistentHistoryToken?).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.destroyPersistentStore(at:ofType:options:)),
        (@Sendable (URL, String, [AnyHashable: Any]?) throws -> Void).self)
    let _: (NSPersistentStoreCoordinator, URL, String) throws -> Void = {
        try $0.destroyPersistentStore(at: $1, ofType: $2)
    }
    members.method(
        type(of: NSPersistentStoreCoordinator.destroyPersistentStore(at:type:options:)),
        (@Sendable (URL, NSPersistentStore.StoreType, [AnyHashable: Any]?) throws -> Void).self)
    let _: (NSPersistentStoreCoordinator, URL, NSPersistentStore.StoreType) throws -> Void = {
        try $0.destroyPersistentStore(at: $1, type: $2)
    }
    members.method(
        type(of: NSPersistentStoreCoordinator.execute(_:with:)),
        (@Sendable (NSPersistentStoreRequest, NSManagedObjectContext) throws -> Any).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.finishDeferredLightweightMigration),
        (@Sendable () throws -> Void).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.finishDeferredLightweightMigrationTask),
        (@Sendable () throws -> Void).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.managedObjectID(for:)),
        (@Sendable (String) -> NSManagedObjectID?).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.managedObjectID(forURIRepresentation:)),
        (@Sendable (URL) -> NSManagedObjectID?).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.metadata(for:)),
        (@Sendable (NSPersistentStore) -> [String: Any]).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:type:)),
        (@Sendable (NSPersistentStore, URL, [AnyHashable: Any]?, NSPersistentStore.StoreType) throws
            -> NSPersistentStore).self)
    let _:
        (NSPersistentStoreCoordinator, NSPersistentStore, URL, NSPersistentStore.StoreType) throws
            -> NSPersistentStore = { try $0.migratePersistentStore($1, to: $2, type: $3) }
    members.method(
        type(of: NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:withType:)),
        (@Sendable (NSPersistentStore, URL, [AnyHashable: Any]?, String) throws -> NSPersistentStore)
            .self)
    let _:
        (NSPersistentStoreCoordinator, NSPersistentStore, URL, String) throws -> NSPersistentStore =
            { try $0.migratePersistentStore($1, to: $2, withType: $3) }
    members.method(
        type(of: NSPersistentStoreCoordinator.perform(_:)),
        (@Sendable (@escaping @Sendable () -> Void) -> Void).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.performAndWait(_:)),
        (@Sendable (@Sendable () -> Void) -> Void).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.persistentStore(for:)),
        (@Sendable (URL) -> NSPersistentStore?).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.remove(_:)),
        (@Sendable (NSPersistentStore) throws -> Void).self)
    members.method(
        type(
            of: NSPersistentStoreCoordinator.replacePersistentStore(
                at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)),
        (@Sendable (URL, [AnyHashable: Any]?, URL, [AnyHashable: Any]?, String) throws -> Void).self
    )
    let _: (NSPersistentStoreCoordinator, URL, URL, String) throws -> Void = {
        try $0.replacePersistentStore(at: $1, withPersistentStoreFrom: $2, ofType: $3)
    }
    members.method(
        type(
            of: NSPersistentStoreCoordinator.replacePersistentStore(
                at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)),
        (@Sendable (URL, [AnyHashable: Any]?, URL, [AnyHashable: Any]?, NSPersistentStore.StoreType)
            throws -> Void).self)
    let _: (NSPersistentStoreCoordinator, URL, URL, NSPersistentStore.StoreType) throws -> Void = {
        try $0.replacePersistentStore(at: $1, withPersistentStoreFrom: $2, type: $3)
    }
    members.method(
        type(of: NSPersistentStoreCoordinator.setMetadata(_:for:)),
        (@Sendable ([String: Any]?, NSPersistentStore) -> Void).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.setURL(_:for:)),
        (@Sendable (URL, NSPersistentStore) -> Bool).self)
    members.method(
        type(of: NSPersistentStoreCoordinator.url(for:)),
        (@Sendable (NSPersistentStore) -> URL).self)
}

@available(*, deprecated)
private func deprecatedPersistentStoreCoordinator(_ members: Members<NSPersistentStoreCoordinator>)
{
    members.function(
        type(of: NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:)),
        (@Sendable (String?, URL) throws -> [String: Any]).self)
    members.function(
        type(of: NSPersistentStoreCoordinator.setMetadata(_:forPersistentStoreOfType:at:)),
        (@Sendable ([String: Any]?, String?, URL) throws -> Void).self)
}

private func persistentContainer(_ members: Members<NSPersistentContainer>) {
    members.function(
        type(of: NSPersistentContainer.init(name:managedObjectModel:)),
        (@Sendable (String, NSManagedObjectModel) -> NSPersistentContainer).self)
    members.function(
        type(of: NSPersistentContainer.init(name:)),
        (@Sendable (String) -> NSPersistentContainer).self)
    members.function(
        type(of: NSPersistentContainer.defaultDirectoryURL), (@Sendable () -> URL).self)
    members.method(
        type(of: NSPersistentContainer.loadPersistentStores(completionHandler:)),
        (@Sendable (@escaping (NSPersistentStoreDescription, (any Error)?) -> Void) -> Void).self)
    members.method(
        type(of: NSPersistentContainer.newBackgroundContext),
        (@Sendable () -> NSManagedObjectContext).self)
    members.method(
        type(of: NSPersistentContainer.performBackgroundTask(_:)),
        (@Sendable (@escaping @Sendable (NSManagedObjectContext) -> Void) -> Void).self)
}

private func persistentStoreDescription(_ members: Members<NSPersistentStoreDescription>) {
    members.function(
        type(of: NSPersistentStoreDescription.init(url:)),
        (@Sendable (URL) -> NSPersistentStoreDescription).self)
    members.method(
        type(of: NSPersistentStoreDescription.setOption(_:forKey:)),
        ((NSObject?, String) -> Void).self)
    members.method(
        type(of: NSPersistentStoreDescription.setValue(_:forPragmaNamed:)),
        ((NSObject?, String) -> Void).self)
}
