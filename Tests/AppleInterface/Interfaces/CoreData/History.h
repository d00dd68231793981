#pragma once
#import "CoreDataDefines.h"
#import "Requests.h"

NS_ASSUME_NONNULL_BEGIN

CORE_DATA_IOS_11
@interface NSPersistentHistoryChangeRequest : NSPersistentStoreRequest

+ (nonnull instancetype)fetchHistoryAfterDate:(NSDate *)date;
+ (nonnull instancetype)fetchHistoryAfterToken:(nullable NSPersistentHistoryToken *)token;
+ (nonnull instancetype)fetchHistoryAfterTransaction:(nullable NSPersistentHistoryTransaction *)transaction;
+ (nonnull instancetype)fetchHistoryWithFetchRequest:(NSFetchRequest *)fetchRequest
    CORE_DATA_IOS_13 NS_SWIFT_NAME(fetchHistory(withFetch:));
+ (nonnull instancetype)deleteHistoryBeforeDate:(NSDate *)date;
+ (nonnull instancetype)deleteHistoryBeforeToken:(nullable NSPersistentHistoryToken *)token;
+ (nonnull instancetype)deleteHistoryBeforeTransaction:(nullable NSPersistentHistoryTransaction *)transaction;
@property NSPersistentHistoryResultType resultType;
@property (nullable, readonly, strong) NSPersistentHistoryToken *token;
@property (nullable, nonatomic, strong) NSFetchRequest *fetchRequest CORE_DATA_IOS_13;

@end

CORE_DATA_IOS_11
@interface NSPersistentHistoryToken : NSObject <NSCopying, NSSecureCoding>
@end

CORE_DATA_IOS_11
@interface NSPersistentHistoryTransaction : NSObject <NSCopying>

+ (nullable NSEntityDescription *)entityDescriptionWithContext:(NSManagedObjectContext *)context CORE_DATA_IOS_13;
@property (class, nullable, readonly) NSEntityDescription *entityDescription CORE_DATA_IOS_13;
@property (class, nullable, readonly) NSFetchRequest *fetchRequest CORE_DATA_IOS_13;
@property (readonly, copy) NSDate *timestamp;
@property (nullable, readonly, copy) NSArray<NSPersistentHistoryChange *> *changes;
@property (readonly) int64_t transactionNumber;
@property (readonly, copy) NSString *storeID;
@property (readonly, copy) NSString *bundleID;
@property (readonly, copy) NSString *processID;
@property (nullable, readonly, copy) NSString *contextName;
@property (nullable, readonly, copy) NSString *author;
@property (readonly, strong) NSPersistentHistoryToken *token;
- (NSNotification *)objectIDNotification;

@end

typedef NS_ENUM(NSInteger, NSPersistentHistoryChangeType) {
    NSPersistentHistoryChangeTypeInsert,
    NSPersistentHistoryChangeTypeUpdate,
    NSPersistentHistoryChangeTypeDelete,
} CORE_DATA_IOS_11;

CORE_DATA_IOS_11
@interface NSPersistentHistoryChange : NSObject <NSCopying>

+ (nullable NSEntityDescription *)entityDescriptionWithContext:(NSManagedObjectContext *)context CORE_DATA_IOS_13;
@property (class, nullable, readonly) NSEntityDescription *entityDescription CORE_DATA_IOS_13;
@property (class, nullable, readonly) NSFetchRequest *fetchRequest CORE_DATA_IOS_13;
@property (readonly) int64_t changeID;
@property (readonly, copy) NSManagedObjectID *changedObjectID;
@property (readonly) NSPersistentHistoryChangeType changeType;
@property (nullable, readonly, copy) NSDictionary *tombstone;
@property (nullable, readonly, strong) NSPersistentHistoryTransaction *transaction;
@property (nullable, readonly, copy) NSSet<NSPropertyDescription *> *updatedProperties;

@end

NS_ASSUME_NONNULL_END
