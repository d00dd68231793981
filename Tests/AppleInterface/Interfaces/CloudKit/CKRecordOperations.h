#pragma once
#include "CKRecordZone.h"
#include "CKOperation.h"

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSInteger, CKRecordSavePolicy) {
    CKRecordSaveIfServerRecordUnchanged = 0,
    CKRecordSaveChangedKeys = 1,
    CKRecordSaveAllKeys = 2,
} NS_SWIFT_NAME(CKModifyRecordsOperation.RecordSavePolicy) CK_SINCE_8;

CK_SINCE_8
@interface CKModifyRecordsOperation : CKDatabaseOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithRecordsToSave:(nullable NSArray<CKRecord *> *)records
                    recordIDsToDelete:(nullable NSArray<CKRecordID *> *)recordIDs NS_REFINED_FOR_SWIFT;

@property (nonatomic, copy, nullable) NSArray<CKRecord *> *recordsToSave;
@property (nonatomic, copy, nullable) NSArray<CKRecordID *> *recordIDsToDelete;
@property (nonatomic, assign) CKRecordSavePolicy savePolicy;
@property (nonatomic, copy, nullable) NSData *clientChangeTokenData;
@property (nonatomic, assign) BOOL atomic NS_SWIFT_NAME(isAtomic);

@property (nonatomic, copy, nullable) void (^perRecordProgressBlock)(CKRecord *record, double progress);
@property (nonatomic, copy, nullable) void (^perRecordCompletionBlock)(CKRecord *record, NSError *_Nullable error)
    CK_8_UNTIL_15("Use perRecordSaveBlock");
@property (nonatomic, copy, nullable) void (^perRecordSaveBlock)(
    CKRecordID *recordID, CKRecord *_Nullable record, NSError *_Nullable error) CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^perRecordDeleteBlock)(CKRecordID *recordID, NSError *_Nullable error)
    CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^modifyRecordsCompletionBlock)(
    NSArray<CKRecord *> *_Nullable savedRecords, NSArray<CKRecordID *> *_Nullable deletedRecordIDs,
    NSError *_Nullable operationError) CK_8_UNTIL_15_IN_SWIFT("Use modifyRecordsResultBlock");

@end

CK_SINCE_8
@interface CKFetchRecordsOperation : CKDatabaseOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithRecordIDs:(NSArray<CKRecordID *> *)recordIDs;
+ (instancetype)fetchCurrentUserRecordOperation NS_SWIFT_NAME(fetchCurrentUserRecordOperation());

@property (nonatomic, copy, nullable) NSArray<CKRecordID *> *recordIDs;
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *desiredKeys;

@property (nonatomic, copy, nullable) void (^perRecordProgressBlock)(CKRecordID *recordID, double progress);
@property (nonatomic, copy, nullable) void (^perRecordCompletionBlock)(
    CKRecord *_Nullable record, CKRecordID *_Nullable recordID, NSError *_Nullable error)
    CK_8_UNTIL_15_IN_SWIFT("Use perRecordResultBlock");
@property (nonatomic, copy, nullable) void (^fetchRecordsCompletionBlock)(
    NSDictionary<CKRecordID *, CKRecord *> *_Nullable recordsByRecordID, NSError *_Nullable operationError)
    CK_8_UNTIL_15_IN_SWIFT("Use fetchRecordsResultBlock");

@end

NS_ASSUME_NONNULL_END
