#pragma once
#include "CKRecordZone.h"
#include "CKDatabase.h"

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSInteger, CKSubscriptionType) {
    CKSubscriptionTypeQuery = 1,
    CKSubscriptionTypeRecordZone = 2,
    CKSubscriptionTypeDatabase CK_SUBSCRIPTIONS_SINCE_10 = 3,
} NS_SWIFT_NAME(CKSubscription.SubscriptionType) CK_SUBSCRIPTIONS_SINCE_8;

CK_SUBSCRIPTIONS_SINCE_8 NS_SWIFT_NAME(CKSubscription.NotificationInfo) CK_NOT_SENDABLE
@interface CKNotificationInfo : NSObject <NSSecureCoding, NSCopying>

@property (nonatomic, copy, nullable) NSString *alertBody API_UNAVAILABLE(tvos);
@property (nonatomic, copy, nullable) NSString *alertLocalizationKey API_UNAVAILABLE(tvos);
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *alertLocalizationArgs API_UNAVAILABLE(tvos);
@property (nonatomic, copy, nullable) NSString *title CK_TEXTS_SINCE_11;
@property (nonatomic, copy, nullable) NSString *titleLocalizationKey CK_TEXTS_SINCE_11;
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *titleLocalizationArgs CK_TEXTS_SINCE_11;
@property (nonatomic, copy, nullable) NSString *subtitle CK_TEXTS_SINCE_11;
@property (nonatomic, copy, nullable) NSString *subtitleLocalizationKey CK_TEXTS_SINCE_11;
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *subtitleLocalizationArgs CK_TEXTS_SINCE_11;
@property (nonatomic, copy, nullable) NSString *alertActionLocalizationKey API_UNAVAILABLE(tvos);
@property (nonatomic, copy, nullable) NSString *alertLaunchImage API_UNAVAILABLE(tvos);
@property (nonatomic, copy, nullable) NSString *soundName API_UNAVAILABLE(tvos);
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *desiredKeys;
@property (nonatomic, assign) BOOL shouldBadge API_AVAILABLE(tvos(10.0));
@property (nonatomic, assign) BOOL shouldSendContentAvailable;
@property (nonatomic, assign) BOOL shouldSendMutableContent
    API_AVAILABLE(macos(10.13), ios(11.0), tvos(11.0), watchos(6.0), visionos(1.0));
@property (nonatomic, copy, nullable) NSString *category
    API_AVAILABLE(macos(10.11), ios(9.0), watchos(6.0), visionos(1.0)) API_UNAVAILABLE(tvos);
@property (nonatomic, copy, nullable) NSString *collapseIDKey
    API_AVAILABLE(macos(10.13), ios(11.0), tvos(11.0), watchos(6.0), visionos(1.0));

@end

CK_SUBSCRIPTIONS_SINCE_8 CK_NOT_SENDABLE
@interface CKSubscription : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@property (nonatomic, readonly, copy) CKSubscriptionID subscriptionID;
@property (nonatomic, readonly, assign) CKSubscriptionType subscriptionType;
@property (nonatomic, copy, nullable) CKNotificationInfo *notificationInfo;

@end

typedef NS_OPTIONS(NSUInteger, CKQuerySubscriptionOptions) {
    CKQuerySubscriptionOptionsFiresOnRecordCreation = 1 << 0,
    CKQuerySubscriptionOptionsFiresOnRecordUpdate = 1 << 1,
    CKQuerySubscriptionOptionsFiresOnRecordDeletion = 1 << 2,
    CKQuerySubscriptionOptionsFiresOnce = 1 << 3,
} NS_SWIFT_NAME(CKQuerySubscription.Options) CK_SUBSCRIPTIONS_SINCE_10;

CK_SUBSCRIPTIONS_SINCE_10
@interface CKQuerySubscription : CKSubscription <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithRecordType:(CKRecordType)recordType
                         predicate:(NSPredicate *)predicate
                           options:(CKQuerySubscriptionOptions)querySubscriptionOptions
    NS_REFINED_FOR_SWIFT CK_SUBSCRIPTIONS_10_UNTIL_10("Use initWithRecordType:predicate:subscriptionID:options:");
- (instancetype)initWithRecordType:(CKRecordType)recordType
                         predicate:(NSPredicate *)predicate
                    subscriptionID:(CKSubscriptionID)subscriptionID
                           options:(CKQuerySubscriptionOptions)querySubscriptionOptions
    NS_DESIGNATED_INITIALIZER NS_REFINED_FOR_SWIFT;
- (instancetype)initWithCoder:(NSCoder *)aDecoder NS_DESIGNATED_INITIALIZER;

@property (nonatomic, readonly, copy) CKRecordType recordType NS_REFINED_FOR_SWIFT;
@property (nonatomic, readonly, copy) NSPredicate *predicate;
@property (nonatomic, copy, nullable) CKRecordZoneID *zoneID;
@property (nonatomic, readonly, assign) CKQuerySubscriptionOptions querySubscriptionOptions;

@end

CK_SUBSCRIPTIONS_SINCE_10
@interface CKRecordZoneSubscription : CKSubscription <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithZoneID:(CKRecordZoneID *)zoneID
    CK_SUBSCRIPTIONS_10_UNTIL_10("Use initWithZoneID:subscriptionID:");
- (instancetype)initWithZoneID:(CKRecordZoneID *)zoneID
                subscriptionID:(CKSubscriptionID)subscriptionID NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithCoder:(NSCoder *)aDecoder NS_DESIGNATED_INITIALIZER;

@property (nonatomic, readonly, copy) CKRecordZoneID *zoneID;
@property (nonatomic, copy, nullable) CKRecordType recordType;

@end

CK_SUBSCRIPTIONS_SINCE_10
@interface CKDatabaseSubscription : CKSubscription <NSSecureCoding, NSCopying>

- (instancetype)init CK_SUBSCRIPTIONS_10_UNTIL_10("Use initWithSubscriptionID:");
+ (instancetype)new CK_SUBSCRIPTIONS_10_UNTIL_10("Use initWithSubscriptionID:");

- (instancetype)initWithSubscriptionID:(CKSubscriptionID)subscriptionID NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithCoder:(NSCoder *)aDecoder NS_DESIGNATED_INITIALIZER;

@property (nonatomic, copy, nullable) CKRecordType recordType;

@end

NS_ASSUME_NONNULL_END
