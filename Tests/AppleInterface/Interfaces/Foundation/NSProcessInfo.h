#pragma once
#include "NSFormatter.h"
NS_ASSUME_NONNULL_BEGIN
typedef struct {
    NSInteger majorVersion;
    NSInteger minorVersion;
    NSInteger patchVersion;
} NSOperatingSystemVersion NS_SWIFT_NAME(OperatingSystemVersion);
NS_SWIFT_SENDABLE NS_SWIFT_NAME(ProcessInfo)
@interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (readonly, copy) NSArray<NSString *> *arguments;
@property (readonly, copy) NSString *hostName;
@property (copy) NSString *processName;
@property (readonly) int processIdentifier;
@property (readonly, copy) NSString *globallyUniqueString;
@property (readonly, copy) NSString *operatingSystemVersionString;
@property (readonly) NSOperatingSystemVersion operatingSystemVersion;
@property (readonly) NSUInteger processorCount;
@property (readonly) NSUInteger activeProcessorCount;
@property (readonly) unsigned long long physicalMemory;
@property (readonly) NSTimeInterval systemUptime;
- (BOOL)isOperatingSystemAtLeastVersion:(NSOperatingSystemVersion)version NS_SWIFT_NAME(isOperatingSystemAtLeast(_:));
- (void)performExpiringActivityWithReason:(NSString *)reason usingBlock:(void (NS_SWIFT_SENDABLE ^)(BOOL expired))block API_AVAILABLE(ios(8.2), watchos(2.0), tvos(9.0)) API_UNAVAILABLE(macos);
@property (readonly, getter=isLowPowerModeEnabled) BOOL lowPowerModeEnabled API_AVAILABLE(macos(12.0), ios(9.0), watchos(2.0), tvos(9.0));
@end

typedef NS_ENUM(NSInteger, NSTaskTerminationReason) {
    NSTaskTerminationReasonExit = 1,
    NSTaskTerminationReasonUncaughtSignal = 2
} NS_SWIFT_NAME(Process.TerminationReason) API_AVAILABLE(macos(10.6)) API_UNAVAILABLE(ios, watchos, tvos, visionos);

NS_SWIFT_SENDABLE NS_SWIFT_NAME(Process)
API_AVAILABLE(macos(10.0)) API_UNAVAILABLE(ios, watchos, tvos, visionos)
@interface NSTask : NSObject
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@property (nullable, copy) NSURL *executableURL API_AVAILABLE(macos(10.13));
@property (nullable, copy) NSArray<NSString *> *arguments;
@property (nullable, copy) NSDictionary<NSString *, NSString *> *environment;
@property (nullable, copy) NSURL *currentDirectoryURL API_AVAILABLE(macos(10.13));
@property (nullable, retain) id standardInput;
@property (nullable, retain) id standardOutput;
@property (nullable, retain) id standardError;
- (BOOL)launchAndReturnError:(out NSError **)error API_AVAILABLE(macos(10.13)) NS_SWIFT_NAME(run());
- (void)interrupt;
- (void)terminate;
@property (readonly) int processIdentifier;
@property (readonly, getter=isRunning) BOOL running;
@property (readonly) int terminationStatus;
@property (readonly) NSTaskTerminationReason terminationReason API_AVAILABLE(macos(10.6));
@property (nullable, copy) void (NS_SWIFT_SENDABLE ^terminationHandler)(NSTask *) API_AVAILABLE(macos(10.7));
- (void)waitUntilExit;
@end

typedef NSString *NSRunLoopMode NS_EXTENSIBLE_STRING_ENUM NS_SWIFT_NAME(RunLoop.Mode);
extern NSRunLoopMode const NSDefaultRunLoopMode NS_SWIFT_NAME(NSRunLoopMode.default);
extern NSRunLoopMode const NSRunLoopCommonModes NS_SWIFT_NAME(NSRunLoopMode.common);
NS_SWIFT_NAME(RunLoop)
@interface NSRunLoop : NSObject
@property (class, readonly, strong) NSRunLoop *currentRunLoop;
@property (class, readonly, strong) NSRunLoop *mainRunLoop;
- (BOOL)runMode:(NSRunLoopMode)mode beforeDate:(NSDate *)limitDate NS_SWIFT_NAME(run(mode:before:));
- (void)runUntilDate:(NSDate *)limitDate;
@end

extern const NSUInteger NSUndoCloseGroupingRunLoopOrdering;
extern NSString *const NSUndoManagerGroupIsDiscardableKey;
extern NSNotificationName const NSUndoManagerCheckpointNotification;
extern NSNotificationName const NSUndoManagerWillUndoChangeNotification;
extern NSNotificationName const NSUndoManagerWillRedoChangeNotification;
extern NSNotificationName const NSUndoManagerDidUndoChangeNotification;
extern NSNotificationName const NSUndoManagerDidRedoChangeNotification;
extern NSNotificationName const NSUndoManagerDidOpenUndoGroupNotification;
extern NSNotificationName const NSUndoManagerWillCloseUndoGroupNotification;
extern NSNotificationName const NSUndoManagerDidCloseUndoGroupNotification;

// Since SDK 26 the main actor's.
NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UndoManager)
@interface NSUndoManager : NSObject
- (void)beginUndoGrouping;
- (void)endUndoGrouping;
@property (readonly) NSInteger groupingLevel;
- (void)disableUndoRegistration;
- (void)enableUndoRegistration;
@property (readonly, getter=isUndoRegistrationEnabled) BOOL undoRegistrationEnabled;
@property BOOL groupsByEvent;
@property NSUInteger levelsOfUndo;
@property (copy) NSArray<NSRunLoopMode> *runLoopModes;
- (void)undo;
- (void)redo;
- (void)undoNestedGroup;
@property (readonly) BOOL canUndo;
@property (readonly) BOOL canRedo;
@property (readonly) NSUInteger undoCount API_AVAILABLE(macos(14.0), ios(17.0), tvos(17.0), watchos(10.0), visionos(1.0));
@property (readonly) NSUInteger redoCount API_AVAILABLE(macos(14.0), ios(17.0), tvos(17.0), watchos(10.0), visionos(1.0));
@property (readonly, getter=isUndoing) BOOL undoing;
@property (readonly, getter=isRedoing) BOOL redoing;
- (void)removeAllActions;
- (void)removeAllActionsWithTarget:(id)target;
- (void)registerUndoWithTarget:(id)target selector:(SEL)selector object:(nullable id)anObject;
- (id)prepareWithInvocationTarget:(id)target;
- (void)registerUndoWithTarget:(id)target handler:(void (NS_SWIFT_UI_ACTOR ^)(id target))undoHandler NS_REFINED_FOR_SWIFT;
- (void)setActionIsDiscardable:(BOOL)discardable;
@property (readonly) BOOL undoActionIsDiscardable;
@property (readonly) BOOL redoActionIsDiscardable;
@property (readonly, copy) NSString *undoActionName;
@property (readonly, copy) NSString *redoActionName;
- (void)setActionName:(NSString *)actionName;
@property (readonly, copy) NSString *undoMenuItemTitle;
@property (readonly, copy) NSString *redoMenuItemTitle;
- (NSString *)undoMenuTitleForUndoActionName:(NSString *)actionName;
- (NSString *)redoMenuTitleForUndoActionName:(NSString *)actionName;
@end

typedef NSString *NSProgressKind NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(ProgressKind);
typedef NSString *NSProgressUserInfoKey NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(ProgressUserInfoKey);
NS_SWIFT_SENDABLE NS_SWIFT_NAME(Progress)
@interface NSProgress : NSObject
+ (nullable NSProgress *)currentProgress NS_SWIFT_NAME(current());
+ (NSProgress *)progressWithTotalUnitCount:(int64_t)unitCount;
+ (NSProgress *)discreteProgressWithTotalUnitCount:(int64_t)unitCount NS_SWIFT_NAME(discreteProgress(totalUnitCount:));
- (instancetype)initWithParent:(nullable NSProgress *)parent userInfo:(nullable NSDictionary<NSProgressUserInfoKey, id> *)userInfo NS_DESIGNATED_INITIALIZER;
- (void)becomeCurrentWithPendingUnitCount:(int64_t)unitCount;
- (void)resignCurrent;
- (void)addChild:(NSProgress *)child withPendingUnitCount:(int64_t)unitCount;
@property int64_t totalUnitCount;
@property int64_t completedUnitCount;
@property (null_resettable, copy) NSString *localizedDescription;
@property (null_resettable, copy) NSString *localizedAdditionalDescription;
@property (getter=isCancellable) BOOL cancellable;
@property (getter=isPausable) BOOL pausable;
@property (readonly, getter=isCancelled) BOOL cancelled;
@property (readonly, getter=isPaused) BOOL paused;
@property (nullable, copy) void (NS_SWIFT_SENDABLE ^cancellationHandler)(void);
@property (nullable, copy) void (NS_SWIFT_SENDABLE ^pausingHandler)(void);
@property (readonly, getter=isIndeterminate) BOOL indeterminate;
@property (readonly) double fractionCompleted;
@property (readonly, getter=isFinished) BOOL finished;
- (void)cancel;
- (void)pause;
@property (readonly, copy) NSDictionary<NSProgressUserInfoKey, id> *userInfo;
@property (nullable, copy) NSProgressKind kind;
@end
NS_ASSUME_NONNULL_END
