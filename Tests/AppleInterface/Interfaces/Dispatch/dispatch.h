#pragma once
@import ObjectiveC;
#define __SEAM_SENDABLE __attribute__((swift_attr("@Sendable")))
NS_ASSUME_NONNULL_BEGIN
@interface OS_object : NSObject
- (instancetype)init __attribute__((unavailable));
@end
__SEAM_SENDABLE __attribute__((swift_name("DispatchObject")))
@interface OS_dispatch_object : OS_object
@end
__SEAM_SENDABLE __attribute__((swift_name("DispatchQueue")))
@interface OS_dispatch_queue : OS_dispatch_object
@end
__SEAM_SENDABLE __attribute__((swift_name("DispatchGroup")))
@interface OS_dispatch_group : OS_dispatch_object
@end
__SEAM_SENDABLE __attribute__((swift_name("DispatchSemaphore")))
@interface OS_dispatch_semaphore : OS_dispatch_object
@end
__SEAM_SENDABLE __attribute__((swift_name("DispatchSource")))
@interface OS_dispatch_source : OS_dispatch_object
@end
typedef OS_dispatch_queue *dispatch_queue_t __attribute__((swift_private));
__attribute__((swift_name("DispatchSourceProtocol")))
@protocol OS_dispatch_source <NSObject>
@end
__attribute__((swift_name("DispatchSourceTimer")))
@protocol OS_dispatch_source_timer <OS_dispatch_source>
@end
__attribute__((swift_name("DispatchSourceRead")))
@protocol OS_dispatch_source_read <OS_dispatch_source>
@end
__attribute__((swift_name("DispatchSourceFileSystemObject")))
@protocol OS_dispatch_source_vnode <OS_dispatch_source>
@end
__attribute__((swift_name("DispatchSourceSignal")))
@protocol OS_dispatch_source_signal <OS_dispatch_source>
@end
NS_ASSUME_NONNULL_END
