// The application and its delegate, as far as pushes and launches need them.
#pragma once
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, UIBackgroundFetchResult) {
    UIBackgroundFetchResultNewData,
    UIBackgroundFetchResultNoData,
    UIBackgroundFetchResultFailed,
} API_AVAILABLE(ios(7.0), tvos(11.0), visionos(1.0)) API_UNAVAILABLE(watchos);

typedef NSString *UIApplicationLaunchOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.LaunchOptionsKey)
    API_UNAVAILABLE(watchos);

API_AVAILABLE(ios(2.0), tvos(9.0), visionos(1.0)) API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject
@end

@protocol UIApplicationDelegate;

API_AVAILABLE(ios(2.0), tvos(9.0), visionos(1.0)) API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder

@property (class, nonatomic, readonly) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property (nullable, nonatomic, assign) id<UIApplicationDelegate> delegate;

- (void)registerForRemoteNotifications API_AVAILABLE(ios(8.0), tvos(9.0), visionos(1.0));

@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UIApplicationDelegate <NSObject>

@optional

- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions
    API_AVAILABLE(ios(3.0), tvos(9.0), visionos(1.0));
- (void)applicationDidBecomeActive:(UIApplication *)application;
- (void)applicationDidEnterBackground:(UIApplication *)application API_AVAILABLE(ios(4.0), tvos(9.0), visionos(1.0));

- (void)application:(UIApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken
    API_AVAILABLE(ios(3.0), tvos(9.0), visionos(1.0));
- (void)application:(UIApplication *)application
    didFailToRegisterForRemoteNotificationsWithError:(NSError *)error
    API_AVAILABLE(ios(3.0), tvos(9.0), visionos(1.0));
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult result))completionHandler
    API_AVAILABLE(ios(7.0), tvos(9.0), visionos(1.0));

@end

NS_ASSUME_NONNULL_END
