#pragma once
#include "NSDateAndData.h"
NS_ASSUME_NONNULL_BEGIN
typedef NSString *NSURLResourceKey NS_EXTENSIBLE_STRING_ENUM NS_SWIFT_NAME(URLResourceKey);
FOUNDATION_EXPORT NSURLResourceKey const NSURLNameKey;
FOUNDATION_EXPORT NSURLResourceKey const NSURLIsRegularFileKey;
FOUNDATION_EXPORT NSURLResourceKey const NSURLIsDirectoryKey;
FOUNDATION_EXPORT NSURLResourceKey const NSURLIsSymbolicLinkKey;
FOUNDATION_EXPORT NSURLResourceKey const NSURLIsExcludedFromBackupKey API_AVAILABLE(macos(10.8), ios(5.1), watchos(2.0), tvos(9.0));
FOUNDATION_EXPORT NSURLResourceKey const NSURLCreationDateKey;
FOUNDATION_EXPORT NSURLResourceKey const NSURLContentModificationDateKey;
FOUNDATION_EXPORT NSURLResourceKey const NSURLFileSizeKey;
FOUNDATION_EXPORT NSURLResourceKey const NSURLTotalFileAllocatedSizeKey;
typedef NSString *NSURLFileProtectionType NS_STRING_ENUM NS_SWIFT_NAME(URLFileProtection) API_AVAILABLE(macos(11.0), ios(9.0), watchos(2.0), tvos(9.0));
NS_SWIFT_BRIDGED("Foundation.URL") NS_SWIFT_SENDABLE
@interface NSURL : NSObject <NSSecureCoding, NSCopying>
- (nullable instancetype)initWithString:(NSString *)string;
- (instancetype)initFileURLWithPath:(NSString *)path NS_DESIGNATED_INITIALIZER;
@property (nullable, readonly, copy) NSString *path;
@property (nullable, readonly, copy) NSString *absoluteString;
@end
NS_ASSUME_NONNULL_END
