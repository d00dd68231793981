#pragma once
#import "CoreDataDefines.h"
#import "Requests.h"

NS_ASSUME_NONNULL_BEGIN

@class NSAtomicStoreCacheNode, NSIncrementalStoreNode;

@interface NSPersistentStore : NSObject

+ (nullable NSDictionary<NSString *, id> *)metadataForPersistentStoreWithURL:(NSURL *)url error:(NSError **)error;
+ (BOOL)setMetadata:(nullable NSDictionary<NSString *, id> *)metadata
    forPersistentStoreWithURL:(NSURL *)url
                        error:(NSError **)error NS_SWIFT_NAME(setMetadata(_:forPersistentStoreAt:));
+ (Class)migrationManagerClass CORE_DATA_IOS_3_4;

- (instancetype)initWithPersistentStoreCoordinator:(nullable NSPersistentStoreCoordinator *)root
                                 configurationName:(nullable NSString *)name
                                               URL:(NSURL *)url
                                           options:(nullable NSDictionary *)options NS_DESIGNATED_INITIALIZER
    NS_SWIFT_NAME(init(persistentStoreCoordinator:configurationName:at:options:));
- (instancetype)init NS_UNAVAILABLE;
- (BOOL)loadMetadata:(NSError **)error;

@property (nullable, readonly, weak) NSPersistentStoreCoordinator *persistentStoreCoordinator;
@property (readonly, copy) NSString *configurationName;
@property (nullable, readonly, strong) NSDictionary *options;
@property (nullable, strong) NSURL *URL;
@property (null_resettable, copy) NSString *identifier;
@property (readonly, copy) NSString *type;
@property (getter=isReadOnly) BOOL readOnly;
@property (null_unspecified, copy) NSDictionary<NSString *, id> *metadata;

- (void)didAddToPersistentStoreCoordinator:(NSPersistentStoreCoordinator *)coordinator;
- (void)willRemoveFromPersistentStoreCoordinator:(nullable NSPersistentStoreCoordinator *)coordinator;

@end

// MARK: Incremental stores

CORE_DATA_IOS_5
@interface NSIncrementalStore : NSPersistentStore

- (BOOL)loadMetadata:(NSError **)error;
- (nullable id)executeRequest:(NSPersistentStoreRequest *)request
                  withContext:(nullable NSManagedObjectContext *)context
                        error:(NSError **)error;
- (nullable NSIncrementalStoreNode *)newValuesForObjectWithID:(NSManagedObjectID *)objectID
                                                  withContext:(NSManagedObjectContext *)context
                                                        error:(NSError **)error;
- (nullable id)newValueForRelationship:(NSRelationshipDescription *)relationship
                       forObjectWithID:(NSManagedObjectID *)objectID
                           withContext:(nullable NSManagedObjectContext *)context
                                 error:(NSError **)error;
+ (id)identifierForNewStoreAtURL:(NSURL *)storeURL;
- (nullable NSArray<NSManagedObjectID *> *)obtainPermanentIDsForObjects:(NSArray<NSManagedObject *> *)array
                                                                  error:(NSError **)error;
- (void)managedObjectContextDidRegisterObjectsWithIDs:(NSArray<NSManagedObjectID *> *)objectIDs;
- (void)managedObjectContextDidUnregisterObjectsWithIDs:(NSArray<NSManagedObjectID *> *)objectIDs;
- (NSManagedObjectID *)newObjectIDForEntity:(NSEntityDescription *)entity
                            referenceObject:(id)data NS_SWIFT_NAME(newObjectID(for:referenceObject:));
- (id)referenceObjectForObjectID:(NSManagedObjectID *)objectID;

@end

CORE_DATA_IOS_5
@interface NSIncrementalStoreNode : NSObject

- (instancetype)initWithObjectID:(NSManagedObjectID *)objectID
                      withValues:(NSDictionary<NSString *, id> *)values
                         version:(uint64_t)version;
- (void)updateWithValues:(NSDictionary<NSString *, id> *)values version:(uint64_t)version;
@property (nonatomic, readonly, strong) NSManagedObjectID *objectID;
@property (nonatomic, readonly) uint64_t version;
- (nullable id)valueForPropertyDescription:(NSPropertyDescription *)prop;

@end

// MARK: Atomic stores

@interface NSAtomicStore : NSPersistentStore

- (instancetype)initWithPersistentStoreCoordinator:(nullable NSPersistentStoreCoordinator *)coordinator
                                 configurationName:(nullable NSString *)configurationName
                                               URL:(NSURL *)url
                                           options:(nullable NSDictionary *)options
    NS_SWIFT_NAME(init(persistentStoreCoordinator:configurationName:at:options:));
- (BOOL)load:(NSError **)error;
- (BOOL)save:(NSError **)error;
- (NSAtomicStoreCacheNode *)newCacheNodeForManagedObject:(NSManagedObject *)managedObject;
- (void)updateCacheNode:(NSAtomicStoreCacheNode *)node fromManagedObject:(NSManagedObject *)managedObject;
- (NSSet<__kindof NSAtomicStoreCacheNode *> *)cacheNodes;
- (void)addCacheNodes:(NSSet<__kindof NSAtomicStoreCacheNode *> *)cacheNodes;
- (void)willRemoveCacheNodes:(NSSet<__kindof NSAtomicStoreCacheNode *> *)cacheNodes;
- (nullable NSAtomicStoreCacheNode *)cacheNodeForObjectID:(NSManagedObjectID *)objectID;
- (NSManagedObjectID *)objectIDForEntity:(NSEntityDescription *)entity
                         referenceObject:(id)data NS_SWIFT_NAME(objectID(for:withReferenceObject:));
- (id)newReferenceObjectForManagedObject:(NSManagedObject *)managedObject;
- (id)referenceObjectForObjectID:(NSManagedObjectID *)objectID;

@end

@interface NSAtomicStoreCacheNode : NSObject

- (instancetype)initWithObjectID:(NSManagedObjectID *)moid NS_DESIGNATED_INITIALIZER;
@property (nonatomic, readonly, strong) NSManagedObjectID *objectID;
@property (nullable, nonatomic, strong) NSMutableDictionary<NSString *, id> *propertyCache;
- (nullable id)valueForKey:(NSString *)key;
- (void)setValue:(nullable id)value forKey:(NSString *)key;

@end

NS_ASSUME_NONNULL_END
