#pragma once
@import ObjectiveC;
@import Darwin;
@import Dispatch;

#define FOUNDATION_EXPORT extern
#define FOUNDATION_EXTERN extern
#define NS_INLINE static __inline__
#define NS_UNAVAILABLE __attribute__((unavailable))
#define NS_REQUIRES_SUPER __attribute__((objc_requires_super))
#define NS_NOESCAPE __attribute__((noescape))
#define NS_FORMAT_FUNCTION(f, a) __attribute__((format(__NSString__, f, a)))
#define NS_REQUIRES_NIL_TERMINATION __attribute__((sentinel(0, 1)))
#define NS_RETURNS_INNER_POINTER __attribute__((objc_returns_inner_pointer))
#define NS_ROOT_CLASS __attribute__((objc_root_class))

#define NS_SWIFT_NAME(...) __attribute__((swift_name(#__VA_ARGS__)))
#define NS_REFINED_FOR_SWIFT __attribute__((swift_private))
#define NS_SWIFT_NOTHROW __attribute__((swift_error(none)))
#define NS_SWIFT_UNAVAILABLE(m) __attribute__((availability(swift, unavailable, message=m)))
#define NS_SWIFT_ASYNC(n) __attribute__((swift_async(swift_private, n)))
#define NS_SWIFT_ASYNC_NAME(...) __attribute__((swift_async_name(#__VA_ARGS__)))
#define NS_SWIFT_DISABLE_ASYNC __attribute__((swift_async(none)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NONSENDABLE __attribute__((swift_attr("@_nonSendable")))
#define NS_SWIFT_SENDING __attribute__((swift_attr("sending")))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_SWIFT_NONISOLATED __attribute__((swift_attr("nonisolated")))
#define NS_SWIFT_BRIDGED(t) __attribute__((swift_bridge(t)))

// From here to the end, pointers are not null, and types are sendable only if they say so.
#define NS_HEADER_AUDIT_BEGIN(...) NS_ASSUME_NONNULL_BEGIN \
    _Pragma("clang attribute push(__attribute__((swift_attr(\"@_nonSendable(_assumed)\"))), apply_to=any(objc_interface, record, enum))")
#define NS_HEADER_AUDIT_END(...) NS_ASSUME_NONNULL_END _Pragma("clang attribute pop")

#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#define NS_CLOSED_ENUM(type, name) enum __attribute__((enum_extensibility(closed))) name : type name; enum name : type
#define NS_OPTIONS(type, name) enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; \
    enum name : type
#define NS_ERROR_ENUM(domain, name) \
    enum __attribute__((ns_error_domain(domain), enum_extensibility(open))) name : NSInteger name; enum name : NSInteger
#define NS_TYPED_ENUM __attribute__((swift_wrapper(enum)))
#define NS_TYPED_EXTENSIBLE_ENUM __attribute__((swift_wrapper(struct)))
#define NS_STRING_ENUM NS_TYPED_ENUM
#define NS_EXTENSIBLE_STRING_ENUM NS_TYPED_EXTENSIBLE_ENUM

#define NSIntegerMax LONG_MAX
#define NSIntegerMin LONG_MIN
#define NSUIntegerMax ULONG_MAX
#define NS_SWIFT_BRIDGED_TYPEDEF __attribute__((swift_bridged_typedef))

typedef double NSTimeInterval;
typedef NS_CLOSED_ENUM(NSInteger, NSComparisonResult) {
    NSOrderedAscending = -1L,
    NSOrderedSame,
    NSOrderedDescending
} NS_SWIFT_NAME(ComparisonResult);
typedef NS_ENUM(NSInteger, NSQualityOfService) {
    NSQualityOfServiceUserInteractive = 0x21,
    NSQualityOfServiceUserInitiated = 0x19,
    NSQualityOfServiceUtility = 0x11,
    NSQualityOfServiceBackground = 0x09,
    NSQualityOfServiceDefault = -1
} API_AVAILABLE(macos(10.10), ios(8.0), watchos(2.0), tvos(9.0)) NS_SWIFT_NAME(QualityOfService);
static const NSInteger NSNotFound = NSIntegerMax;

typedef struct _NSRange {
    NSUInteger location;
    NSUInteger length;
} NSRange;

@class NSString, NSData, NSDate, NSURL, NSUUID, NSError, NSNumber, NSArray<ObjectType>, NSDictionary<KeyType, ObjectType>,
    NSSet<ObjectType>, NSEnumerator<ObjectType>, NSPredicate, NSSortDescriptor, NSCoder, NSIndexSet, NSLocale;

NS_ASSUME_NONNULL_BEGIN
FOUNDATION_EXPORT NSString *NSStringFromClass(Class aClass);
FOUNDATION_EXPORT Class _Nullable NSClassFromString(NSString *aClassName);
FOUNDATION_EXPORT NSString *NSStringFromSelector(SEL aSelector);
FOUNDATION_EXPORT SEL NSSelectorFromString(NSString *aSelectorName);
FOUNDATION_EXPORT void NSLog(NSString *format, ...) NS_FORMAT_FUNCTION(1, 2);
typedef NSComparisonResult (^NSComparator)(id left, id right);
NS_ASSUME_NONNULL_END
