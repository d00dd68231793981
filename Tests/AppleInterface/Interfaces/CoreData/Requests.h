#pragma once
#import "CoreDataDefines.h"
#import "Results.h"

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, NSPersistentStoreRequestType) {
    NSFetchRequestType = 1,
    NSSaveRequestType,
    NSBatchInsertRequestType CORE_DATA_IOS_13 = 5,
    NSBatchUpdateRequestType CORE_DATA_IOS_8 = 6,
    NSBatchDeleteRequestType CORE_DATA_IOS_9 = 7,
};

CORE_DATA_IOS_5
@interface NSPersistentStoreRequest : NSObject <NSCopying>

@property (nullable, strong) NSArray<NSPersistentStore *> *affectedStores;
@property (readonly) NSPersistentStoreRequestType requestType;

@end

// MARK: Fetching

// What a fetch can return. As a protocol of Objective-C it conforms to itself, so that a request can be one for "any".
@protocol NSFetchRequestResult <NSObject>
@end

@interface NSNumber (NSFetchedResultSupport) <NSFetchRequestResult>
@end
@interface NSDictionary (NSFetchedResultSupport) <NSFetchRequestResult>
@end

typedef NS_OPTIONS(NSUInteger, NSFetchRequestResultType) {
    NSManagedObjectResultType NS_SWIFT_NAME(managedObjectResultType) = 0x00,
    NSManagedObjectIDResultType = 0x01,
    NSDictionaryResultType = 0x02,
    NSCountResultType = 0x04,
};

@interface NSFetchRequest<__covariant ResultType : id<NSFetchRequestResult>> : NSPersistentStoreRequest <NSCoding, NSCopying>

+ (instancetype)fetchRequestWithEntityName:(NSString *)entityName CORE_DATA_IOS_4;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithEntityName:(NSString *)entityName CORE_DATA_IOS_4;
- (nullable NSArray<ResultType> *)execute:(NSError **)error CORE_DATA_IOS_10;

@property (nullable, nonatomic, strong) NSEntityDescription *entity;
@property (nullable, nonatomic, readonly, strong) NSString *entityName CORE_DATA_IOS_4;
@property (nullable, nonatomic, strong) NSPredicate *predicate;
@property (nullable, nonatomic, strong) NSArray<NSSortDescriptor *> *sortDescriptors;
@property (nonatomic) NSUInteger fetchLimit;
@property (nullable, nonatomic, strong) NSArray<NSPersistentStore *> *affectedStores;
@property (nonatomic) NSFetchRequestResultType resultType;
@property (nonatomic) BOOL includesSubentities;
@property (nonatomic) BOOL includesPropertyValues;
@property (nonatomic) BOOL returnsObjectsAsFaults;
@property (nullable, nonatomic, copy) NSArray<NSString *> *relationshipKeyPathsForPrefetching;
@property (nonatomic) BOOL includesPendingChanges;
@property (nonatomic) BOOL returnsDistinctResults;
@property (nullable, nonatomic, copy) NSArray *propertiesToFetch;
@property (nonatomic) NSUInteger fetchOffset;
@property (nonatomic) NSUInteger fetchBatchSize;
@property (nonatomic) BOOL shouldRefreshRefetchedObjects CORE_DATA_IOS_5;
@property (nullable, nonatomic, copy) NSArray *propertiesToGroupBy CORE_DATA_IOS_5;
@property (nullable, nonatomic, strong) NSPredicate *havingPredicate CORE_DATA_IOS_5;

@end

@class NSAsynchronousFetchResult<ResultType : id<NSFetchRequestResult>>;

typedef void (^NSPersistentStoreAsynchronousFetchResultCompletionBlock)(NSAsynchronousFetchResult *result);

CORE_DATA_IOS_8
@interface NSAsynchronousFetchRequest<__covariant ResultType : id<NSFetchRequestResult>> : NSPersistentStoreRequest

@property (strong, readonly) NSFetchRequest<ResultType> *fetchRequest;
@property (nullable, copy, readonly) NSPersistentStoreAsynchronousFetchResultCompletionBlock completionBlock;
@property NSInteger estimatedResultCount;
- (instancetype)initWithFetchRequest:(NSFetchRequest<ResultType> *)request
                     completionBlock:(nullable void (^)(NSAsynchronousFetchResult<ResultType> *))blk;

@end

CORE_DATA_IOS_8
@interface NSAsynchronousFetchResult<__covariant ResultType : id<NSFetchRequestResult>> : NSPersistentStoreAsynchronousResult

@property (strong, readonly) NSAsynchronousFetchRequest<ResultType> *fetchRequest;
@property (nullable, strong, readonly) NSArray<ResultType> *finalResult;

@end

// MARK: Saving

CORE_DATA_IOS_5
@interface NSSaveChangesRequest : NSPersistentStoreRequest

- (instancetype)initWithInsertedObjects:(nullable NSSet<NSManagedObject *> *)insertedObjects
                         updatedObjects:(nullable NSSet<NSManagedObject *> *)updatedObjects
                         deletedObjects:(nullable NSSet<NSManagedObject *> *)deletedObjects
                          lockedObjects:(nullable NSSet<NSManagedObject *> *)lockedObjects
    NS_SWIFT_NAME(init(inserted:updated:deleted:locked:));
@property (nullable, readonly, strong) NSSet<__kindof NSManagedObject *> *insertedObjects;
@property (nullable, readonly, strong) NSSet<__kindof NSManagedObject *> *updatedObjects;
@property (nullable, readonly, strong) NSSet<__kindof NSManagedObject *> *deletedObjects;
@property (nullable, readonly, strong) NSSet<__kindof NSManagedObject *> *lockedObjects;

@end

// MARK: Batches

CORE_DATA_IOS_13
@interface NSBatchInsertRequest : NSPersistentStoreRequest

@property (readonly, copy) NSString *entityName;
@property (readonly, strong, nullable) NSEntityDescription *entity;
@property (copy, nullable) NSArray<NSDictionary<NSString *, id> *> *objectsToInsert;
@property (copy, nullable) BOOL (^dictionaryHandler)(NSMutableDictionary<NSString *, id> *obj) CORE_DATA_IOS_14;
@property (copy, nullable) BOOL (^managedObjectHandler)(NSManagedObject *obj) CORE_DATA_IOS_14;
@property NSBatchInsertRequestResultType resultType;

+ (instancetype)batchInsertRequestWithEntityName:(NSString *)entityName
                                         objects:(NSArray<NSDictionary<NSString *, id> *> *)dictionaries;
+ (instancetype)batchInsertRequestWithEntityName:(NSString *)entityName
                               dictionaryHandler:(BOOL (^)(NSMutableDictionary<NSString *, id> *obj))handler
    CORE_DATA_IOS_14;
+ (instancetype)batchInsertRequestWithEntityName:(NSString *)entityName
                            managedObjectHandler:(BOOL (^)(NSManagedObject *obj))handler CORE_DATA_IOS_14;
- (instancetype)init API_DEPRECATED(
    "Use -initWithEntityName:objects: instead", macos(10.15, 11.0), ios(13.0, 14.0), tvos(13.0, 14.0),
    watchos(6.0, 7.0), visionos(1.0, 1.0));
- (instancetype)initWithEntityName:(NSString *)entityName
                           objects:(NSArray<NSDictionary<NSString *, id> *> *)dictionaries NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithEntity:(NSEntityDescription *)entity
                       objects:(NSArray<NSDictionary<NSString *, id> *> *)dictionaries NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithEntity:(NSEntityDescription *)entity
             dictionaryHandler:(BOOL (^)(NSMutableDictionary<NSString *, id> *obj))handler CORE_DATA_IOS_14;
- (instancetype)initWithEntity:(NSEntityDescription *)entity
          managedObjectHandler:(BOOL (^)(NSManagedObject *obj))handler CORE_DATA_IOS_14;
- (instancetype)initWithEntityName:(NSString *)entityName
                 dictionaryHandler:(BOOL (^)(NSMutableDictionary<NSString *, id> *obj))handler CORE_DATA_IOS_14;
- (instancetype)initWithEntityName:(NSString *)entityName
              managedObjectHandler:(BOOL (^)(NSManagedObject *obj))handler CORE_DATA_IOS_14;

@end

CORE_DATA_IOS_8
@interface NSBatchUpdateRequest : NSPersistentStoreRequest

+ (instancetype)batchUpdateRequestWithEntityName:(NSString *)entityName;
- (instancetype)initWithEntityName:(NSString *)entityName NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithEntity:(NSEntityDescription *)entity NS_DESIGNATED_INITIALIZER;
@property (readonly, copy) NSString *entityName;
@property (readonly, strong) NSEntityDescription *entity;
@property (strong, nullable) NSPredicate *predicate;
@property BOOL includesSubentities;
@property NSBatchUpdateRequestResultType resultType;
@property (copy, nullable) NSDictionary *propertiesToUpdate;

@end

CORE_DATA_IOS_9
@interface NSBatchDeleteRequest : NSPersistentStoreRequest

- (instancetype)init NS_UNAVAILABLE;
- (instancetype)initWithFetchRequest:(NSFetchRequest *)fetch NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithObjectIDs:(NSArray<NSManagedObjectID *> *)objects;
@property NSBatchDeleteRequestResultType resultType;
@property (readonly, copy) NSFetchRequest *fetchRequest;

@end

NS_ASSUME_NONNULL_END
