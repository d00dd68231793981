#pragma once
#include "CKRecordZone.h"
#include "CKSubscription.h"
#include "CKOperation.h"

NS_ASSUME_NONNULL_BEGIN

CK_SINCE_8 NS_SWIFT_NAME(CKNotification.ID) CK_NOT_SENDABLE
@interface CKNotificationID : NSObject <NSSecureCoding, NSCopying>
@end

typedef NS_ENUM(NSInteger, CKNotificationType) {
    CKNotificationTypeQuery = 1,
    CKNotificationTypeRecordZone = 2,
    CKNotificationTypeReadNotification = 3,
    CKNotificationTypeDatabase CK_SINCE_10 = 4,
} NS_SWIFT_NAME(CKNotification.NotificationType) CK_SINCE_8;

CK_SINCE_8 NS_SWIFT_SENDABLE
@interface CKNotification : NSObject

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

+ (nullable instancetype)notificationFromRemoteNotificationDictionary:(NSDictionary *)notificationDictionary
    NS_SWIFT_NAME(init(fromRemoteNotificationDictionary:));

@property (nonatomic, readonly, assign) CKNotificationType notificationType;
@property (nonatomic, readonly, copy, nullable) CKNotificationID *notificationID;
@property (nonatomic, readonly, copy, nullable) NSString *containerIdentifier;
@property (nonatomic, readonly, copy, nullable) CKRecordID *subscriptionOwnerUserRecordID CK_SINCE_13;
@property (nonatomic, readonly, assign) BOOL isPruned;
@property (nonatomic, readonly, copy, nullable) CKSubscriptionID subscriptionID CK_SINCE_9;

@end

@interface CKNotification (DeprecatedMessages)

@property (nonatomic, readonly, copy, nullable) NSString *alertBody CK_TEXT_8_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *alertLocalizationKey CK_TEXT_8_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSArray<NSString *> *alertLocalizationArgs CK_TEXT_8_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *title CK_TEXT_11_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *titleLocalizationKey CK_TEXT_11_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSArray<NSString *> *titleLocalizationArgs CK_TEXT_11_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *subtitle CK_TEXT_11_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *subtitleLocalizationKey CK_TEXT_11_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSArray<NSString *> *subtitleLocalizationArgs CK_TEXT_11_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *alertActionLocalizationKey CK_TEXT_8_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *alertLaunchImage CK_TEXT_8_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSNumber *badge
    API_DEPRECATED("Ask UserNotifications", macos(10.10, 14.0), ios(8.0, 17.0), tvos(10.0, 17.0), watchos(3.0, 10.0), visionos(1.0, 1.0));
@property (nonatomic, readonly, copy, nullable) NSString *soundName CK_TEXT_8_UNTIL_17;
@property (nonatomic, readonly, copy, nullable) NSString *category
    API_DEPRECATED("Ask UserNotifications", macos(10.11, 14.0), ios(9.0, 17.0), watchos(3.0, 10.0), visionos(1.0, 1.0)) API_UNAVAILABLE(tvos);

@end

typedef NS_ENUM(NSInteger, CKQueryNotificationReason) {
    CKQueryNotificationReasonRecordCreated = 1,
    CKQueryNotificationReasonRecordUpdated = 2,
    CKQueryNotificationReasonRecordDeleted = 3,
} NS_SWIFT_NAME(CKQueryNotification.Reason) CK_SINCE_8;

CK_SINCE_8 NS_SWIFT_SENDABLE
@interface CKQueryNotification : CKNotification

@property (nonatomic, readonly, assign) CKQueryNotificationReason queryNotificationReason;
@property (nonatomic, readonly, copy, nullable) NSDictionary<NSString *, id> *recordFields;
@property (nonatomic, readonly, copy, nullable) CKRecordID *recordID;
@property (nonatomic, readonly, assign) CKDatabaseScope databaseScope CK_SINCE_10;

@end

CK_SINCE_8 NS_SWIFT_SENDABLE
@interface CKRecordZoneNotification : CKNotification

@property (nonatomic, readonly, copy, nullable) CKRecordZoneID *recordZoneID;
@property (nonatomic, readonly, assign) CKDatabaseScope databaseScope CK_SINCE_10;

@end

CK_SINCE_10 NS_SWIFT_SENDABLE
@interface CKDatabaseNotification : CKNotification

@property (nonatomic, readonly, assign) CKDatabaseScope databaseScope;

@end

#pragma mark - The list of notifications, which CloudKit keeps no more

// Since the SDKs of 2024 these are names only.

__attribute__((unavailable("CloudKit keeps no list of notifications. Use CKFetchDatabaseChangesOperation")))
@interface CKFetchNotificationChangesOperation : CKOperation
@end

__attribute__((unavailable("CloudKit keeps no list of notifications. Use CKFetchDatabaseChangesOperation")))
@interface CKMarkNotificationsReadOperation : CKOperation
@end

NS_ASSUME_NONNULL_END
