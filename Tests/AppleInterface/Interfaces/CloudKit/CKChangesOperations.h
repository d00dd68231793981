#pragma once
#include "CKRecordZone.h"
#include "CKOperation.h"

NS_ASSUME_NONNULL_BEGIN

CK_SINCE_10
@interface CKFetchDatabaseChangesOperation : CKDatabaseOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithPreviousServerChangeToken:(nullable CKServerChangeToken *)previousServerChangeToken;

@property (nonatomic, copy, nullable) CKServerChangeToken *previousServerChangeToken;
@property (nonatomic, assign) NSUInteger resultsLimit;
@property (nonatomic, assign) BOOL fetchAllChanges;

@property (nonatomic, copy, nullable) void (^recordZoneWithIDChangedBlock)(CKRecordZoneID *zoneID);
@property (nonatomic, copy, nullable) void (^recordZoneWithIDWasDeletedBlock)(CKRecordZoneID *zoneID);
@property (nonatomic, copy, nullable) void (^recordZoneWithIDWasPurgedBlock)(CKRecordZoneID *zoneID) CK_SINCE_11;
@property (nonatomic, copy, nullable) void (^recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock)(
    CKRecordZoneID *zoneID) CK_SINCE_15;
@property (nonatomic, copy, nullable) void (^changeTokenUpdatedBlock)(CKServerChangeToken *serverChangeToken);
@property (nonatomic, copy, nullable) void (^fetchDatabaseChangesCompletionBlock)(
    CKServerChangeToken *_Nullable serverChangeToken, BOOL moreComing, NSError *_Nullable operationError)
    CK_10_UNTIL_15_IN_SWIFT("Use fetchDatabaseChangesResultBlock");

@end

CK_SINCE_12 NS_SWIFT_NAME(CKFetchRecordZoneChangesOperation.ZoneConfiguration) CK_NOT_SENDABLE
@interface CKFetchRecordZoneChangesConfiguration : NSObject <NSSecureCoding, NSCopying>

@property (nonatomic, copy, nullable) CKServerChangeToken *previousServerChangeToken;
@property (nonatomic, assign) NSUInteger resultsLimit;
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *desiredKeys;

@end

CK_10_UNTIL_12("Use CKFetchRecordZoneChangesConfiguration")
NS_SWIFT_NAME(CKFetchRecordZoneChangesOperation.ZoneOptions) CK_NOT_SENDABLE
@interface CKFetchRecordZoneChangesOptions : NSObject <NSSecureCoding, NSCopying>

@property (nonatomic, copy, nullable) CKServerChangeToken *previousServerChangeToken
    CK_10_UNTIL_12("Use CKFetchRecordZoneChangesConfiguration");
@property (nonatomic, assign) NSUInteger resultsLimit CK_10_UNTIL_12("Use CKFetchRecordZoneChangesConfiguration");
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *desiredKeys
    CK_10_UNTIL_12("Use CKFetchRecordZoneChangesConfiguration");

@end

CK_SINCE_10
@interface CKFetchRecordZoneChangesOperation : CKDatabaseOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithRecordZoneIDs:(NSArray<CKRecordZoneID *> *)recordZoneIDs
         configurationsByRecordZoneID:
             (nullable NSDictionary<CKRecordZoneID *, CKFetchRecordZoneChangesConfiguration *> *)configurations
    CK_SINCE_12 NS_REFINED_FOR_SWIFT;

@property (nonatomic, copy, nullable) NSArray<CKRecordZoneID *> *recordZoneIDs;
@property (nonatomic, copy, nullable)
    NSDictionary<CKRecordZoneID *, CKFetchRecordZoneChangesConfiguration *> *configurationsByRecordZoneID CK_SINCE_12;
@property (nonatomic, assign) BOOL fetchAllChanges;

@property (nonatomic, copy, nullable) void (^recordChangedBlock)(CKRecord *record)
    CK_10_UNTIL_15("Use recordWasChangedBlock");
@property (nonatomic, copy, nullable) void (^recordWasChangedBlock)(
    CKRecordID *recordID, CKRecord *_Nullable record, NSError *_Nullable error) CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^recordWithIDWasDeletedBlock)(
    CKRecordID *recordID, CKRecordType recordType);
@property (nonatomic, copy, nullable) void (^recordZoneChangeTokensUpdatedBlock)(
    CKRecordZoneID *recordZoneID, CKServerChangeToken *_Nullable serverChangeToken,
    NSData *_Nullable clientChangeTokenData);
@property (nonatomic, copy, nullable) void (^recordZoneFetchCompletionBlock)(
    CKRecordZoneID *recordZoneID, CKServerChangeToken *_Nullable serverChangeToken,
    NSData *_Nullable clientChangeTokenData, BOOL moreComing, NSError *_Nullable recordZoneError)
    CK_10_UNTIL_15_IN_SWIFT("Use recordZoneFetchResultBlock");
@property (nonatomic, copy, nullable) void (^fetchRecordZoneChangesCompletionBlock)(NSError *_Nullable operationError)
    CK_10_UNTIL_15_IN_SWIFT("Use fetchRecordZoneChangesResultBlock");

@end

@interface CKFetchRecordZoneChangesOperation (Deprecated)

- (instancetype)initWithRecordZoneIDs:(NSArray<CKRecordZoneID *> *)recordZoneIDs
                optionsByRecordZoneID:
                    (nullable NSDictionary<CKRecordZoneID *, CKFetchRecordZoneChangesOptions *> *)options
    CK_10_UNTIL_12("Use initWithRecordZoneIDs:configurationsByRecordZoneID:") NS_REFINED_FOR_SWIFT;

@property (nonatomic, copy, nullable)
    NSDictionary<CKRecordZoneID *, CKFetchRecordZoneChangesOptions *> *optionsByRecordZoneID
    CK_10_UNTIL_12("Use configurationsByRecordZoneID");

@end

NS_ASSUME_NONNULL_END
