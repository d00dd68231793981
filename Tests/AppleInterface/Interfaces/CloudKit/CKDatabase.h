#pragma once
#include "CKDefines.h"

NS_ASSUME_NONNULL_BEGIN

@class CKDatabaseOperation, CKQuery, CKRecord, CKRecordID, CKRecordZone, CKRecordZoneID, CKSubscription;

typedef NSString *CKSubscriptionID;

typedef NS_ENUM(NSInteger, CKDatabaseScope) {
    CKDatabaseScopePublic = 1,
    CKDatabaseScopePrivate = 2,
    CKDatabaseScopeShared = 3,
} NS_SWIFT_NAME(CKDatabase.Scope) CK_SINCE_10;

CK_SINCE_8 NS_SWIFT_SENDABLE
@interface CKDatabase : NSObject

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (void)addOperation:(CKDatabaseOperation *)operation;

@property (nonatomic, readonly, assign) CKDatabaseScope databaseScope CK_SINCE_10;

@end

// The overlay has the asynchronous forms of all of these.
@interface CKDatabase (ConvenienceMethods)

- (void)fetchRecordWithID:(CKRecordID *)recordID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(CKRecord *_Nullable record, NSError *_Nullable error))completionHandler
    NS_SWIFT_NAME(fetch(withRecordID:completionHandler:)) NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)saveRecord:(CKRecord *)record
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(CKRecord *_Nullable record, NSError *_Nullable error))completionHandler
    NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)deleteRecordWithID:(CKRecordID *)recordID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKRecordID *_Nullable recordID, NSError *_Nullable error))completionHandler
    NS_SWIFT_NAME(delete(withRecordID:completionHandler:)) NS_REFINED_FOR_SWIFT_ASYNC(2);

- (void)performQuery:(CKQuery *)query
        inZoneWithID:(nullable CKRecordZoneID *)zoneID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        NSArray<CKRecord *> *_Nullable results, NSError *_Nullable error))completionHandler
    NS_SWIFT_NAME(perform(_:inZoneWith:completionHandler:)) NS_REFINED_FOR_SWIFT_ASYNC(3)
    CK_8_UNTIL_15_IN_SWIFT("Use fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)");

- (void)fetchAllRecordZonesWithCompletionHandler:
    (void (NS_SWIFT_SENDABLE ^)(NSArray<CKRecordZone *> *_Nullable zones, NSError *_Nullable error))completionHandler
    NS_REFINED_FOR_SWIFT_ASYNC(1);
- (void)fetchRecordZoneWithID:(CKRecordZoneID *)zoneID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(CKRecordZone *_Nullable zone, NSError *_Nullable error))completionHandler
    NS_SWIFT_NAME(fetch(withRecordZoneID:completionHandler:)) NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)saveRecordZone:(CKRecordZone *)zone
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(CKRecordZone *_Nullable zone, NSError *_Nullable error))completionHandler
    NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)deleteRecordZoneWithID:(CKRecordZoneID *)zoneID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKRecordZoneID *_Nullable zoneID, NSError *_Nullable error))completionHandler
    NS_SWIFT_NAME(delete(withRecordZoneID:completionHandler:)) NS_REFINED_FOR_SWIFT_ASYNC(2);

- (void)fetchSubscriptionWithID:(CKSubscriptionID)subscriptionID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKSubscription *_Nullable subscription, NSError *_Nullable error))completionHandler
    NS_REFINED_FOR_SWIFT CK_SUBSCRIPTIONS_SINCE_8;
- (void)fetchAllSubscriptionsWithCompletionHandler:
    (void (NS_SWIFT_SENDABLE ^)(
        NSArray<CKSubscription *> *_Nullable subscriptions, NSError *_Nullable error))completionHandler
    NS_REFINED_FOR_SWIFT_ASYNC(1) CK_SUBSCRIPTIONS_SINCE_8;
- (void)saveSubscription:(CKSubscription *)subscription
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKSubscription *_Nullable subscription, NSError *_Nullable error))completionHandler
    NS_REFINED_FOR_SWIFT_ASYNC(2) CK_SUBSCRIPTIONS_SINCE_8;
- (void)deleteSubscriptionWithID:(CKSubscriptionID)subscriptionID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKSubscriptionID _Nullable subscriptionID, NSError *_Nullable error))completionHandler
    NS_REFINED_FOR_SWIFT CK_SUBSCRIPTIONS_SINCE_8;

@end

NS_ASSUME_NONNULL_END
