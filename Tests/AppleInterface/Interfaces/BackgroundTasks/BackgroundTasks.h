// Background tasks as Apple declares them.
#pragma once
@import Foundation;
@import Dispatch;

NS_ASSUME_NONNULL_BEGIN

#define BG_SINCE_13 API_AVAILABLE(ios(13.0), tvos(13.0), visionos(1.0)) API_UNAVAILABLE(macos, watchos)

BG_SINCE_13
@interface BGTask : NSObject

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@property (nonatomic, readonly, copy) NSString *identifier;
@property (nonatomic, copy, nullable) void (^expirationHandler)(void);

- (void)setTaskCompletedWithSuccess:(BOOL)success NS_SWIFT_NAME(setTaskCompleted(success:));

@end

BG_SINCE_13
@interface BGAppRefreshTask : BGTask

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@end

BG_SINCE_13
@interface BGProcessingTask : BGTask

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@end

BG_SINCE_13
@interface BGTaskRequest : NSObject <NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@property (nonatomic, readonly, copy) NSString *identifier;
@property (nonatomic, copy, nullable) NSDate *earliestBeginDate;

@end

BG_SINCE_13
@interface BGAppRefreshTaskRequest : BGTaskRequest

- (instancetype)initWithIdentifier:(NSString *)identifier;

@end

BG_SINCE_13
@interface BGProcessingTaskRequest : BGTaskRequest

- (instancetype)initWithIdentifier:(NSString *)identifier;

@property (nonatomic, assign) BOOL requiresNetworkConnectivity;
@property (nonatomic, assign) BOOL requiresExternalPower;

@end

BG_SINCE_13
@interface BGTaskScheduler : NSObject

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@property (class, nonatomic, readonly, strong) BGTaskScheduler *sharedScheduler NS_SWIFT_NAME(shared);

- (BOOL)registerForTaskWithIdentifier:(NSString *)identifier
                           usingQueue:(nullable dispatch_queue_t)queue
                        launchHandler:(void (^)(__kindof BGTask *task))launchHandler
    NS_SWIFT_NAME(register(forTaskWithIdentifier:using:launchHandler:));
- (BOOL)submitTaskRequest:(BGTaskRequest *)taskRequest error:(NSError *_Nullable *)error NS_SWIFT_NAME(submit(_:));
- (void)cancelTaskRequestWithIdentifier:(NSString *)identifier NS_SWIFT_NAME(cancel(taskRequestWithIdentifier:));
- (void)cancelAllTaskRequests;

@end

NS_ASSUME_NONNULL_END
