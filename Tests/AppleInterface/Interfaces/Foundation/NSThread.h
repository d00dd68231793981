#pragma once
#include "NSNotification.h"
NS_ASSUME_NONNULL_BEGIN
@protocol NSLocking
- (void)lock;
- (void)unlock;
@end
NS_SWIFT_SENDABLE
@interface NSLock : NSObject <NSLocking>
- (BOOL)tryLock NS_SWIFT_NAME(try());
- (BOOL)lockBeforeDate:(NSDate *)limit;
@property (nullable, copy) NSString *name;
@end
NS_SWIFT_SENDABLE
@interface NSConditionLock : NSObject <NSLocking>
- (instancetype)initWithCondition:(NSInteger)condition NS_DESIGNATED_INITIALIZER;
@property (readonly) NSInteger condition;
- (void)lockWhenCondition:(NSInteger)condition;
- (void)unlockWithCondition:(NSInteger)condition;
@end
NS_SWIFT_SENDABLE
@interface NSRecursiveLock : NSObject <NSLocking>
- (BOOL)tryLock NS_SWIFT_NAME(try());
- (BOOL)lockBeforeDate:(NSDate *)limit;
@property (nullable, copy) NSString *name;
@end
NS_SWIFT_SENDABLE
@interface NSCondition : NSObject <NSLocking>
- (void)wait;
- (BOOL)waitUntilDate:(NSDate *)limit;
- (void)signal;
- (void)broadcast;
@property (nullable, copy) NSString *name;
@end

NS_SWIFT_NAME(Thread)
@interface NSThread : NSObject
@property (class, readonly, strong) NSThread *currentThread NS_SWIFT_NAME(current);
+ (void)detachNewThreadWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block API_AVAILABLE(macos(10.12), ios(10.0), watchos(3.0), tvos(10.0));
+ (void)detachNewThreadSelector:(SEL)selector toTarget:(id)target withObject:(nullable id)argument;
+ (BOOL)isMultiThreaded;
@property (readonly, retain) NSMutableDictionary *threadDictionary;
+ (void)sleepUntilDate:(NSDate *)date;
+ (void)sleepForTimeInterval:(NSTimeInterval)ti;
+ (void)exit;
@property NSQualityOfService qualityOfService;
@property (class, readonly, copy) NSArray<NSString *> *callStackSymbols;
@property (nullable, copy) NSString *name;
@property NSUInteger stackSize;
@property (readonly) BOOL isMainThread;
@property (class, readonly) BOOL isMainThread;
@property (class, readonly, strong) NSThread *mainThread NS_SWIFT_NAME(main);
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block API_AVAILABLE(macos(10.12), ios(10.0), watchos(3.0), tvos(10.0));
@property (readonly, getter=isExecuting) BOOL executing;
@property (readonly, getter=isFinished) BOOL finished;
@property (readonly, getter=isCancelled) BOOL cancelled;
- (void)cancel;
- (void)start;
- (void)main;
@end

NS_SWIFT_SENDABLE NS_SWIFT_NAME(Operation)
@interface NSOperation : NSObject
- (void)start;
- (void)main;
@property (readonly, getter=isCancelled) BOOL cancelled;
- (void)cancel;
@property (readonly, getter=isExecuting) BOOL executing;
@property (readonly, getter=isFinished) BOOL finished;
@property (readonly, getter=isAsynchronous) BOOL asynchronous;
@property (readonly, getter=isReady) BOOL ready;
- (void)addDependency:(NSOperation *)op;
- (void)removeDependency:(NSOperation *)op;
@property (readonly, copy) NSArray<NSOperation *> *dependencies;
@property (nullable, copy) void (NS_SWIFT_SENDABLE ^completionBlock)(void);
- (void)waitUntilFinished;
@property NSQualityOfService qualityOfService;
@property (nullable, copy) NSString *name;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(BlockOperation)
@interface NSBlockOperation : NSOperation
+ (instancetype)blockOperationWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block;
- (void)addExecutionBlock:(void (NS_SWIFT_SENDABLE ^)(void))block;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(OperationQueue)
@interface NSOperationQueue : NSObject
- (void)addOperation:(NSOperation *)op NS_SWIFT_NAME(addOperation(_:));
- (void)addOperations:(NSArray<NSOperation *> *)ops waitUntilFinished:(BOOL)wait NS_SWIFT_NAME(addOperations(_:waitUntilFinished:));
- (void)addOperationWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block;
- (void)addBarrierBlock:(void (NS_SWIFT_SENDABLE ^)(void))barrier;
@property NSInteger maxConcurrentOperationCount;
@property (getter=isSuspended) BOOL suspended;
@property (nullable, copy) NSString *name;
@property NSQualityOfService qualityOfService;
@property (nullable, assign) dispatch_queue_t underlyingQueue;
- (void)cancelAllOperations;
- (void)waitUntilAllOperationsAreFinished;
@property (class, readonly, strong, nullable) NSOperationQueue *currentQueue NS_SWIFT_NAME(current);
@property (class, readonly, strong) NSOperationQueue *mainQueue NS_SWIFT_NAME(main);
@end
NS_ASSUME_NONNULL_END
