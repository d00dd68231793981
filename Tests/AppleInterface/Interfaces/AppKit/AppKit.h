// The application and its delegate, as far as pushes and launches need them.
#pragma once
@import Foundation;

NS_ASSUME_NONNULL_BEGIN

NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject <NSCoding>

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;

@end

@protocol NSApplicationDelegate;

NS_SWIFT_UI_ACTOR
@interface NSApplication : NSResponder

@property (class, readonly, strong) __kindof NSApplication *sharedApplication NS_SWIFT_NAME(shared);
@property (nullable, weak) id<NSApplicationDelegate> delegate;

- (void)registerForRemoteNotifications API_AVAILABLE(macos(10.14));

@end

NS_SWIFT_UI_ACTOR
@protocol NSApplicationDelegate <NSObject>

@optional

- (void)application:(NSApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken API_AVAILABLE(macos(10.7));
- (void)application:(NSApplication *)application
    didFailToRegisterForRemoteNotificationsWithError:(NSError *)error API_AVAILABLE(macos(10.7));
- (void)application:(NSApplication *)application
    didReceiveRemoteNotification:(NSDictionary<NSString *, id> *)userInfo API_AVAILABLE(macos(10.7));

- (void)applicationDidFinishLaunching:(NSNotification *)notification;
- (void)applicationDidBecomeActive:(NSNotification *)notification;

@end

NS_ASSUME_NONNULL_END
