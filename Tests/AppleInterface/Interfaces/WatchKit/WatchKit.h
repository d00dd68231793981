// The application and its delegate, as far as pushes and launches need them.
#pragma once
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, WKBackgroundFetchResult) {
    WKBackgroundFetchResultNewData,
    WKBackgroundFetchResultNoData,
    WKBackgroundFetchResultFailed,
} API_AVAILABLE(watchos(6.0));

@protocol WKApplicationDelegate;

API_AVAILABLE(watchos(7.0)) NS_SWIFT_UI_ACTOR
@interface WKApplication : NSObject

+ (WKApplication *)sharedApplication NS_SWIFT_NAME(shared());

@property (nonatomic, readonly, nullable) id<WKApplicationDelegate> delegate;

- (void)registerForRemoteNotifications;

@end

API_AVAILABLE(watchos(7.0)) NS_SWIFT_UI_ACTOR
@protocol WKApplicationDelegate <NSObject>

@optional

- (void)applicationDidFinishLaunching;
- (void)applicationDidBecomeActive;
- (void)didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)didReceiveRemoteNotification:(NSDictionary *)userInfo
              fetchCompletionHandler:(void (^)(WKBackgroundFetchResult result))completionHandler;

@end

NS_ASSUME_NONNULL_END
