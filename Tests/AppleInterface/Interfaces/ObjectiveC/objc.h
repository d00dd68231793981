#pragma once
@import Darwin;
#if __OBJC_BOOL_IS_BOOL
typedef _Bool BOOL;
#else
typedef signed char BOOL;
#endif
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#define nil ((id)0)
#define Nil ((Class)0)
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_DESIGNATED_INITIALIZER __attribute__((objc_designated_initializer))
#define OBJC_EXPORT extern

typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef struct _NSZone NSZone;
@class NSString, NSMethodSignature, NSInvocation;

NS_ASSUME_NONNULL_BEGIN
__attribute__((swift_name("NSObjectProtocol")))
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
@property (nullable, readonly) Class superclass;
- (Class)class __attribute__((availability(swift, unavailable, message="use 'type(of: anObject)' instead")));
- (instancetype)self;
- (null_unspecified id)performSelector:(null_unspecified SEL)selector;
- (null_unspecified id)performSelector:(null_unspecified SEL)selector withObject:(nullable id)object;
- (BOOL)isProxy;
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)isMemberOfClass:(Class)aClass;
- (BOOL)conformsToProtocol:(Protocol *)protocol;
- (BOOL)respondsToSelector:(null_unspecified SEL)selector;
@property (readonly, copy) NSString *description;
@optional
@property (readonly, copy) NSString *debugDescription;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (void)load;
+ (void)initialize;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
+ (instancetype)new __attribute__((availability(swift, unavailable, message="use object initializers instead")));
+ (instancetype)alloc __attribute__((availability(swift, unavailable, message="use object initializers instead")));
- (void)dealloc __attribute__((availability(swift, unavailable, message="use 'deinit' to define a de-initializer")));
- (id)copy;
- (id)mutableCopy;
+ (BOOL)instancesRespondToSelector:(null_unspecified SEL)selector;
+ (BOOL)conformsToProtocol:(Protocol *)protocol;
- (void)doesNotRecognizeSelector:(null_unspecified SEL)selector;
+ (Class)class __attribute__((availability(swift, unavailable, message="use 'self' instead")));
+ (nullable Class)superclass;
+ (NSString *)description;
@end

extern const char *class_getName(Class _Nullable cls);
extern _Nullable Class object_getClass(id _Nullable object);
extern _Nullable Class objc_getClass(const char *name);
extern _Nullable Class class_getSuperclass(Class _Nullable cls);
NS_ASSUME_NONNULL_END
