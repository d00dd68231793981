#pragma once
#import "CoreDataDefines.h"

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, NSBatchInsertRequestResultType) {
    NSBatchInsertRequestResultTypeStatusOnly = 0,
    NSBatchInsertRequestResultTypeObjectIDs = 1,
    NSBatchInsertRequestResultTypeCount = 2,
} CORE_DATA_IOS_13;

typedef NS_ENUM(NSUInteger, NSBatchUpdateRequestResultType) {
    NSStatusOnlyResultType = 0,
    NSUpdatedObjectIDsResultType = 1,
    NSUpdatedObjectsCountResultType = 2,
} CORE_DATA_IOS_8;

typedef NS_ENUM(NSUInteger, NSBatchDeleteRequestResultType) {
    NSBatchDeleteResultTypeStatusOnly = 0,
    NSBatchDeleteResultTypeObjectIDs = 1,
    NSBatchDeleteResultTypeCount = 2,
} CORE_DATA_IOS_9;

typedef NS_ENUM(NSInteger, NSPersistentHistoryResultType) {
    NSPersistentHistoryResultTypeStatusOnly = 0,
    NSPersistentHistoryResultTypeObjectIDs = 1,
    NSPersistentHistoryResultTypeCount = 2,
    NSPersistentHistoryResultTypeTransactionsOnly = 3,
    NSPersistentHistoryResultTypeChangesOnly = 4,
    NSPersistentHistoryResultTypeTransactionsAndChanges = 5,
} CORE_DATA_IOS_11;

CORE_DATA_IOS_8
@interface NSPersistentStoreResult : NSObject
@end

CORE_DATA_IOS_8
@interface NSPersistentStoreAsynchronousResult : NSPersistentStoreResult

@property (strong, readonly) NSManagedObjectContext *managedObjectContext;
@property (nullable, strong, readonly) NSError *operationError;
@property (nullable, strong, readonly) NSProgress *progress;
- (void)cancel;

@end

CORE_DATA_IOS_13
@interface NSBatchInsertResult : NSPersistentStoreResult

@property (nullable, strong, readonly) id result;
@property (readonly) NSBatchInsertRequestResultType resultType;

@end

CORE_DATA_IOS_8
@interface NSBatchUpdateResult : NSPersistentStoreResult

@property (nullable, strong, readonly) id result;
@property (readonly) NSBatchUpdateRequestResultType resultType;

@end

CORE_DATA_IOS_9
@interface NSBatchDeleteResult : NSPersistentStoreResult

@property (nullable, strong, readonly) id result;
@property (readonly) NSBatchDeleteRequestResultType resultType;

@end

CORE_DATA_IOS_11
@interface NSPersistentHistoryResult : NSPersistentStoreResult

@property (nullable, strong, readonly) id result;
@property (readonly) NSPersistentHistoryResultType resultType;

@end

NS_ASSUME_NONNULL_END
