#pragma once
#import "CoreDataDefines.h"
#import "Requests.h"

NS_ASSUME_NONNULL_BEGIN

// Swift has what ends in "Notification" as members of NSNotification.Name, without that word.
extern NSString *const NSManagedObjectContextWillSaveNotification;
extern NSString *const NSManagedObjectContextDidSaveNotification;
extern NSString *const NSManagedObjectContextObjectsDidChangeNotification;
extern NSString *const NSManagedObjectContextDidSaveObjectIDsNotification CORE_DATA_IOS_10_3;
extern NSString *const NSManagedObjectContextDidMergeChangesObjectIDsNotification CORE_DATA_IOS_10_3;

extern NSString *const NSInsertedObjectsKey;
extern NSString *const NSUpdatedObjectsKey;
extern NSString *const NSDeletedObjectsKey;
extern NSString *const NSRefreshedObjectsKey;
extern NSString *const NSInvalidatedObjectsKey;
extern NSString *const NSInvalidatedAllObjectsKey;
extern NSString *const NSManagedObjectContextQueryGenerationKey CORE_DATA_IOS_10;
extern NSString *const NSInsertedObjectIDsKey CORE_DATA_IOS_10_3;
extern NSString *const NSUpdatedObjectIDsKey CORE_DATA_IOS_10_3;
extern NSString *const NSDeletedObjectIDsKey CORE_DATA_IOS_10_3;
extern NSString *const NSRefreshedObjectIDsKey CORE_DATA_IOS_10_3;
extern NSString *const NSInvalidatedObjectIDsKey CORE_DATA_IOS_10_3;

extern id NSErrorMergePolicy;
extern id NSMergeByPropertyStoreTrumpMergePolicy;
extern id NSMergeByPropertyObjectTrumpMergePolicy;
extern id NSOverwriteMergePolicy;
extern id NSRollbackMergePolicy;

typedef NS_ENUM(NSUInteger, NSManagedObjectContextConcurrencyType) {
    NSConfinementConcurrencyType CORE_DATA_DEPRECATED_IOS_9("Use one of the other types"),
    NSPrivateQueueConcurrencyType,
    NSMainQueueConcurrencyType,
} CORE_DATA_IOS_5;

CORE_DATA_IOS_10
@interface NSQueryGenerationToken : NSObject <NSCopying, NSSecureCoding>

@property (class, readonly, strong) NSQueryGenerationToken *currentQueryGenerationToken;

@end

NS_SWIFT_SENDABLE
@interface NSManagedObjectContext : NSObject <NSCoding, NSLocking>

+ (instancetype)new CORE_DATA_DEPRECATED_IOS_9("Use -initWithConcurrencyType: instead");
- (instancetype)init CORE_DATA_DEPRECATED_IOS_9("Use -initWithConcurrencyType: instead");
- (instancetype)initWithConcurrencyType:(NSManagedObjectContextConcurrencyType)ct
    NS_DESIGNATED_INITIALIZER CORE_DATA_IOS_5;

- (void)performBlock:(void(NS_SWIFT_SENDABLE ^)(void))block CORE_DATA_IOS_5;
- (void)performBlockAndWait:(void(NS_NOESCAPE NS_SWIFT_SENDABLE ^)(void))block
    CORE_DATA_IOS_5 NS_SWIFT_NAME(performAndWait(_:));

@property (nullable, strong) NSPersistentStoreCoordinator *persistentStoreCoordinator;
@property (nullable, strong) NSManagedObjectContext *parentContext CORE_DATA_IOS_5;
@property (nullable, copy) NSString *name CORE_DATA_IOS_8;
@property (nullable, nonatomic, strong) NSUndoManager *undoManager;
@property (nonatomic, readonly) BOOL hasChanges;
@property (nonatomic, readonly, strong) NSMutableDictionary *userInfo CORE_DATA_IOS_5;
@property (readonly) NSManagedObjectContextConcurrencyType concurrencyType CORE_DATA_IOS_5;

- (nullable __kindof NSManagedObject *)objectRegisteredForID:(NSManagedObjectID *)objectID
    NS_SWIFT_NAME(registeredObject(for:));
- (__kindof NSManagedObject *)objectWithID:(NSManagedObjectID *)objectID;
- (nullable __kindof NSManagedObject *)existingObjectWithID:(NSManagedObjectID *)objectID
                                                      error:(NSError **)error CORE_DATA_IOS_3_4;
- (nullable NSArray *)executeFetchRequest:(NSFetchRequest *)request
                                    error:(NSError **)error NS_SWIFT_NAME(fetch(_:));
- (NSUInteger)countForFetchRequest:(NSFetchRequest *)request error:(NSError **)error
    NS_SWIFT_NAME(count(for:)) __attribute__((swift_error(nonnull_error)));
- (nullable __kindof NSPersistentStoreResult *)executeRequest:(NSPersistentStoreRequest *)request
                                                        error:(NSError **)error CORE_DATA_IOS_8;

- (void)insertObject:(NSManagedObject *)object;
- (void)deleteObject:(NSManagedObject *)object;
- (void)refreshObject:(NSManagedObject *)object mergeChanges:(BOOL)flag NS_SWIFT_NAME(refresh(_:mergeChanges:));
- (void)refreshAllObjects CORE_DATA_IOS_8_3;
- (void)detectConflictsForObject:(NSManagedObject *)object;
- (void)observeValueForKeyPath:(nullable NSString *)keyPath
                      ofObject:(nullable id)object
                        change:(nullable NSDictionary<NSString *, id> *)change
                       context:(nullable void *)context;
- (void)processPendingChanges;
- (void)assignObject:(id)object toPersistentStore:(NSPersistentStore *)store;
- (BOOL)obtainPermanentIDsForObjects:(NSArray<NSManagedObject *> *)objects error:(NSError **)error;

@property (nonatomic, readonly, strong) NSSet<__kindof NSManagedObject *> *insertedObjects;
@property (nonatomic, readonly, strong) NSSet<__kindof NSManagedObject *> *updatedObjects;
@property (nonatomic, readonly, strong) NSSet<__kindof NSManagedObject *> *deletedObjects;
@property (nonatomic, readonly, strong) NSSet<__kindof NSManagedObject *> *registeredObjects;

- (void)undo;
- (void)redo;
- (void)reset;
- (void)rollback;
- (BOOL)save:(NSError **)error;

- (void)lock CORE_DATA_DEPRECATED_IOS_9("Use -performBlockAndWait: instead");
- (void)unlock CORE_DATA_DEPRECATED_IOS_9("Use -performBlockAndWait: instead");
- (BOOL)tryLock CORE_DATA_DEPRECATED_IOS_9("Use -performBlock: instead");

@property (nonatomic) BOOL propagatesDeletesAtEndOfEvent;
@property (nonatomic) BOOL retainsRegisteredObjects;
@property BOOL shouldDeleteInaccessibleFaults CORE_DATA_IOS_9;
- (BOOL)shouldHandleInaccessibleFault:(NSManagedObject *)fault
                          forObjectID:(NSManagedObjectID *)oid
                  triggeredByProperty:(nullable NSPropertyDescription *)property CORE_DATA_IOS_9;
@property NSTimeInterval stalenessInterval;
@property (strong) id mergePolicy;

- (void)mergeChangesFromContextDidSaveNotification:(NSNotification *)notification;
+ (void)mergeChangesFromRemoteContextSave:(NSDictionary *)changeNotificationData
                             intoContexts:(NSArray<NSManagedObjectContext *> *)contexts CORE_DATA_IOS_9;

@property (nonatomic, nullable, readonly, strong) NSQueryGenerationToken *queryGenerationToken CORE_DATA_IOS_10;
- (BOOL)setQueryGenerationFromToken:(nullable NSQueryGenerationToken *)generation
                              error:(NSError **)error CORE_DATA_IOS_10;
@property (nonatomic) BOOL automaticallyMergesChangesFromParent CORE_DATA_IOS_10;
@property (nullable, copy) NSString *transactionAuthor CORE_DATA_IOS_11;

@end

NS_ASSUME_NONNULL_END
