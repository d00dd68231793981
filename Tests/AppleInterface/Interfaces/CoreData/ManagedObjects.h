#pragma once
#import "CoreDataDefines.h"
#import "Requests.h"

NS_ASSUME_NONNULL_BEGIN

// A context is Sendable since SDK 26; an object never was.
NS_SWIFT_SENDABLE
@interface NSManagedObjectID : NSObject <NSCopying, NSFetchRequestResult>

@property (readonly, strong) NSEntityDescription *entity;
@property (nullable, readonly, weak) NSPersistentStore *persistentStore;
@property (readonly, getter=isTemporaryID) BOOL temporaryID;
- (NSURL *)URIRepresentation;

@end

typedef NS_OPTIONS(NSUInteger, NSSnapshotEventType) {
    NSSnapshotEventUndoInsertion = 1 << 1,
    NSSnapshotEventUndoDeletion = 1 << 2,
    NSSnapshotEventUndoUpdate = 1 << 3,
    NSSnapshotEventRollback = 1 << 4,
    NSSnapshotEventRefresh = 1 << 5,
    NSSnapshotEventMergePolicy = 1 << 6,
};

@interface NSManagedObject : NSObject <NSFetchRequestResult>

@property (class, readonly) BOOL contextShouldIgnoreUnmodeledPropertyChanges;
+ (NSEntityDescription *)entity CORE_DATA_IOS_10;
+ (NSFetchRequest *)fetchRequest CORE_DATA_IOS_10;

- (__kindof NSManagedObject *)initWithEntity:(NSEntityDescription *)entity
              insertIntoManagedObjectContext:(nullable NSManagedObjectContext *)context NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithContext:(NSManagedObjectContext *)moc CORE_DATA_IOS_10;

@property (nullable, readonly, assign) NSManagedObjectContext *managedObjectContext;
@property (readonly, strong) NSEntityDescription *entity;
@property (readonly, strong) NSManagedObjectID *objectID;
@property (getter=isInserted, readonly) BOOL inserted;
@property (getter=isUpdated, readonly) BOOL updated;
@property (getter=isDeleted, readonly) BOOL deleted;
@property (readonly) BOOL hasChanges CORE_DATA_IOS_5;
@property (readonly) BOOL hasPersistentChangedValues CORE_DATA_IOS_7;
@property (getter=isFault, readonly) BOOL fault;
@property (readonly) NSUInteger faultingState;
- (BOOL)hasFaultForRelationshipNamed:(NSString *)key;
- (NSArray<NSManagedObjectID *> *)objectIDsForRelationshipNamed:(NSString *)key CORE_DATA_IOS_8_3;

- (void)willAccessValueForKey:(nullable NSString *)key;
- (void)didAccessValueForKey:(nullable NSString *)key;
- (void)willChangeValueForKey:(NSString *)key;
- (void)didChangeValueForKey:(NSString *)key;
- (void)willChangeValueForKey:(NSString *)inKey
              withSetMutation:(NSKeyValueSetMutationKind)inMutationKind
                 usingObjects:(NSSet *)inObjects;
- (void)didChangeValueForKey:(NSString *)inKey
             withSetMutation:(NSKeyValueSetMutationKind)inMutationKind
                usingObjects:(NSSet *)inObjects;
- (void)setObservationInfo:(nullable void *)inObservationInfo;
- (nullable void *)observationInfo;

- (void)awakeFromFetch;
- (void)awakeFromInsert;
- (void)awakeFromSnapshotEvents:(NSSnapshotEventType)flags;
- (void)prepareForDeletion;
- (void)willSave;
- (void)didSave;
- (void)willTurnIntoFault;
- (void)didTurnIntoFault;

- (nullable id)valueForKey:(NSString *)key;
- (void)setValue:(nullable id)value forKey:(NSString *)key;
- (nullable id)primitiveValueForKey:(NSString *)key;
- (void)setPrimitiveValue:(nullable id)value forKey:(NSString *)key;
- (NSDictionary<NSString *, id> *)committedValuesForKeys:(nullable NSArray<NSString *> *)keys;
- (NSDictionary<NSString *, id> *)changedValues;
- (NSDictionary<NSString *, id> *)changedValuesForCurrentEvent CORE_DATA_IOS_5;

- (BOOL)validateValue:(id _Nullable *_Nonnull)value forKey:(NSString *)key error:(NSError **)error;
- (BOOL)validateForDelete:(NSError **)error;
- (BOOL)validateForInsert:(NSError **)error;
- (BOOL)validateForUpdate:(NSError **)error;

@end

NS_ASSUME_NONNULL_END
