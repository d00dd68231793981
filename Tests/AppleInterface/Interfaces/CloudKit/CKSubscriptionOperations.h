#pragma once
#include "CKSubscription.h"
#include "CKOperation.h"

NS_ASSUME_NONNULL_BEGIN

CK_SUBSCRIPTIONS_SINCE_8
@interface CKModifySubscriptionsOperation : CKDatabaseOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithSubscriptionsToSave:(nullable NSArray<CKSubscription *> *)subscriptionsToSave
                    subscriptionIDsToDelete:(nullable NSArray<CKSubscriptionID> *)subscriptionIDsToDelete
    NS_REFINED_FOR_SWIFT;

@property (nonatomic, copy, nullable) NSArray<CKSubscription *> *subscriptionsToSave;
@property (nonatomic, copy, nullable) NSArray<CKSubscriptionID> *subscriptionIDsToDelete;

@property (nonatomic, copy, nullable) void (^perSubscriptionSaveBlock)(
    CKSubscriptionID subscriptionID, CKSubscription *_Nullable subscription, NSError *_Nullable error)
    CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^perSubscriptionDeleteBlock)(
    CKSubscriptionID subscriptionID, NSError *_Nullable error) CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^modifySubscriptionsCompletionBlock)(
    NSArray<CKSubscription *> *_Nullable savedSubscriptions,
    NSArray<CKSubscriptionID> *_Nullable deletedSubscriptionIDs, NSError *_Nullable operationError)
    CK_8_UNTIL_15_IN_SWIFT("Use modifySubscriptionsResultBlock");

@end

CK_SUBSCRIPTIONS_SINCE_8
@interface CKFetchSubscriptionsOperation : CKDatabaseOperation

+ (instancetype)fetchAllSubscriptionsOperation NS_SWIFT_NAME(fetchAllSubscriptionsOperation());
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithSubscriptionIDs:(NSArray<CKSubscriptionID> *)subscriptionIDs;

@property (nonatomic, copy, nullable) NSArray<CKSubscriptionID> *subscriptionIDs;

@property (nonatomic, copy, nullable) void (^perSubscriptionCompletionBlock)(
    CKSubscriptionID subscriptionID, CKSubscription *_Nullable subscription, NSError *_Nullable error)
    CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^fetchSubscriptionCompletionBlock)(
    NSDictionary<CKSubscriptionID, CKSubscription *> *_Nullable subscriptionsBySubscriptionID,
    NSError *_Nullable operationError) CK_8_UNTIL_15_IN_SWIFT("Use fetchSubscriptionsResultBlock");

@end

NS_ASSUME_NONNULL_END
