#pragma once
#import "CoreDataDefines.h"

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, NSMergePolicyType) {
    NSErrorMergePolicyType = 0x00,
    NSMergeByPropertyStoreTrumpMergePolicyType = 0x01,
    NSMergeByPropertyObjectTrumpMergePolicyType = 0x02,
    NSOverwriteMergePolicyType = 0x03,
    NSRollbackMergePolicyType = 0x04,
};

CORE_DATA_IOS_5
@interface NSMergeConflict : NSObject

@property (readonly, retain) NSManagedObject *sourceObject;
@property (nullable, readonly, retain) NSDictionary<NSString *, id> *objectSnapshot;
@property (nullable, readonly, retain) NSDictionary<NSString *, id> *cachedSnapshot;
@property (nullable, readonly, retain) NSDictionary<NSString *, id> *persistedSnapshot;
@property (readonly) NSUInteger newVersionNumber;
@property (readonly) NSUInteger oldVersionNumber;
- (instancetype)init NS_UNAVAILABLE;
- (instancetype)initWithSource:(NSManagedObject *)srcObject
                    newVersion:(NSUInteger)newvers
                    oldVersion:(NSUInteger)oldvers
                cachedSnapshot:(nullable NSDictionary<NSString *, id> *)cachesnap
             persistedSnapshot:(nullable NSDictionary<NSString *, id> *)persnap NS_DESIGNATED_INITIALIZER;

@end

CORE_DATA_IOS_9
@interface NSConstraintConflict : NSObject

@property (readonly, copy) NSArray<NSString *> *constraint;
@property (readonly, copy) NSDictionary<NSString *, id> *constraintValues;
@property (nullable, readonly, retain) NSManagedObject *databaseObject;
@property (nullable, readonly, retain) NSDictionary<NSString *, id> *databaseSnapshot;
@property (readonly, copy) NSArray<NSManagedObject *> *conflictingObjects;
@property (readonly, copy) NSArray<NSDictionary *> *conflictingSnapshots;
- (instancetype)initWithConstraint:(NSArray<NSString *> *)contraint
                    databaseObject:(nullable NSManagedObject *)databaseObject
                  databaseSnapshot:(nullable NSDictionary *)databaseSnapshot
                conflictingObjects:(NSArray<NSManagedObject *> *)conflictingObjects
              conflictingSnapshots:(NSArray *)conflictingSnapshots NS_DESIGNATED_INITIALIZER
    NS_SWIFT_NAME(init(constraint:database:databaseSnapshot:conflicting:conflictingSnapshots:));

@end

CORE_DATA_IOS_5
@interface NSMergePolicy : NSObject

@property (class, readonly, strong) NSMergePolicy *errorMergePolicy CORE_DATA_IOS_10;
@property (class, readonly, strong) NSMergePolicy *rollbackMergePolicy CORE_DATA_IOS_10;
@property (class, readonly, strong) NSMergePolicy *overwriteMergePolicy CORE_DATA_IOS_10;
@property (class, readonly, strong) NSMergePolicy *mergeByPropertyObjectTrumpMergePolicy CORE_DATA_IOS_10;
@property (class, readonly, strong) NSMergePolicy *mergeByPropertyStoreTrumpMergePolicy CORE_DATA_IOS_10;
@property (readonly) NSMergePolicyType mergeType;
- (instancetype)initWithMergeType:(NSMergePolicyType)ty NS_DESIGNATED_INITIALIZER;
- (instancetype)init NS_UNAVAILABLE;
- (BOOL)resolveConflicts:(NSArray *)list error:(NSError **)error NS_SWIFT_NAME(resolve(mergeConflicts:));
- (BOOL)resolveOptimisticLockingVersionConflicts:(NSArray<NSMergeConflict *> *)list
                                           error:(NSError **)error
    CORE_DATA_IOS_9 NS_SWIFT_NAME(resolve(optimisticLockingConflicts:));
- (BOOL)resolveConstraintConflicts:(NSArray<NSConstraintConflict *> *)list
                             error:(NSError **)error CORE_DATA_IOS_9 NS_SWIFT_NAME(resolve(constraintConflicts:));

@end

NS_ASSUME_NONNULL_END
