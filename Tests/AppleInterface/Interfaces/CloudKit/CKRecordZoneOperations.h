#pragma once
#include "CKRecordZone.h"
#include "CKOperation.h"

NS_ASSUME_NONNULL_BEGIN

CK_SINCE_8
@interface CKModifyRecordZonesOperation : CKDatabaseOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithRecordZonesToSave:(nullable NSArray<CKRecordZone *> *)recordZonesToSave
                    recordZoneIDsToDelete:(nullable NSArray<CKRecordZoneID *> *)recordZoneIDsToDelete
    NS_REFINED_FOR_SWIFT;

@property (nonatomic, copy, nullable) NSArray<CKRecordZone *> *recordZonesToSave;
@property (nonatomic, copy, nullable) NSArray<CKRecordZoneID *> *recordZoneIDsToDelete;

@property (nonatomic, copy, nullable) void (^perRecordZoneSaveBlock)(
    CKRecordZoneID *recordZoneID, CKRecordZone *_Nullable recordZone, NSError *_Nullable error)
    CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^perRecordZoneDeleteBlock)(
    CKRecordZoneID *recordZoneID, NSError *_Nullable error) CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^modifyRecordZonesCompletionBlock)(
    NSArray<CKRecordZone *> *_Nullable savedRecordZones, NSArray<CKRecordZoneID *> *_Nullable deletedRecordZoneIDs,
    NSError *_Nullable operationError) CK_8_UNTIL_15_IN_SWIFT("Use modifyRecordZonesResultBlock");

@end

CK_SINCE_8
@interface CKFetchRecordZonesOperation : CKDatabaseOperation

+ (instancetype)fetchAllRecordZonesOperation NS_SWIFT_NAME(fetchAllRecordZonesOperation());
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithRecordZoneIDs:(NSArray<CKRecordZoneID *> *)zoneIDs;

@property (nonatomic, copy, nullable) NSArray<CKRecordZoneID *> *recordZoneIDs;

@property (nonatomic, copy, nullable) void (^perRecordZoneCompletionBlock)(
    CKRecordZoneID *zoneID, CKRecordZone *_Nullable recordZone, NSError *_Nullable error)
    CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^fetchRecordZonesCompletionBlock)(
    NSDictionary<CKRecordZoneID *, CKRecordZone *> *_Nullable recordZonesByZoneID, NSError *_Nullable operationError)
    CK_8_UNTIL_15_IN_SWIFT("Use fetchRecordZonesResultBlock");

@end

NS_ASSUME_NONNULL_END
