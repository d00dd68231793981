#pragma once
#include "NSObject.h"
NS_ASSUME_NONNULL_BEGIN
typedef unsigned short unichar;
typedef NSUInteger NSStringEncoding;
typedef NS_OPTIONS(NSUInteger, NSStringCompareOptions) {
    NSCaseInsensitiveSearch NS_SWIFT_NAME(caseInsensitive) = 1,
    NSLiteralSearch NS_SWIFT_NAME(literal) = 2,
    NSBackwardsSearch NS_SWIFT_NAME(backwards) = 4,
    NSAnchoredSearch NS_SWIFT_NAME(anchored) = 8,
    NSNumericSearch NS_SWIFT_NAME(numeric) = 64,
    NSDiacriticInsensitiveSearch NS_SWIFT_NAME(diacriticInsensitive) = 128,
    NSWidthInsensitiveSearch NS_SWIFT_NAME(widthInsensitive) = 256,
    NSForcedOrderingSearch NS_SWIFT_NAME(forcedOrdering) = 512,
    NSRegularExpressionSearch NS_SWIFT_NAME(regularExpression) = 1024
} NS_SWIFT_NAME(NSString.CompareOptions);

NS_SWIFT_BRIDGED("Swift.String")
@interface NSString : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
- (unichar)characterAtIndex:(NSUInteger)index;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@end
@interface NSString (NSStringExtensionMethods)
- (NSString *)substringFromIndex:(NSUInteger)from;
- (NSString *)substringToIndex:(NSUInteger)to;
- (NSString *)substringWithRange:(NSRange)range;
- (NSComparisonResult)compare:(NSString *)string;
- (NSComparisonResult)compare:(NSString *)string options:(NSStringCompareOptions)mask;
- (NSComparisonResult)caseInsensitiveCompare:(NSString *)string;
- (NSComparisonResult)localizedCompare:(NSString *)string;
- (NSComparisonResult)localizedCaseInsensitiveCompare:(NSString *)string;
- (NSComparisonResult)localizedStandardCompare:(NSString *)string;
- (BOOL)isEqualToString:(NSString *)string;
- (BOOL)hasPrefix:(NSString *)string;
- (BOOL)hasSuffix:(NSString *)string;
- (BOOL)containsString:(NSString *)string;
- (NSString *)stringByAppendingString:(NSString *)string;
@property (readonly) double doubleValue;
@property (readonly) float floatValue;
@property (readonly) int intValue;
@property (readonly) NSInteger integerValue;
@property (readonly) long long longLongValue;
@property (readonly) BOOL boolValue;
@property (readonly, copy) NSString *uppercaseString NS_SWIFT_NAME(uppercased);
@property (readonly, copy) NSString *lowercaseString NS_SWIFT_NAME(lowercased);
@property (nullable, readonly) const char *UTF8String NS_RETURNS_INNER_POINTER;
- (instancetype)initWithString:(NSString *)string;
- (nullable instancetype)initWithUTF8String:(const char *)text;
+ (instancetype)string;
+ (instancetype)stringWithString:(NSString *)string;
@end
@interface NSString (NSStringPathExtensions)
@property (readonly, copy) NSArray<NSString *> *pathComponents;
@property (readonly, copy) NSString *lastPathComponent;
@property (readonly, copy) NSString *stringByDeletingLastPathComponent;
- (NSString *)stringByAppendingPathComponent:(NSString *)string;
@property (readonly, copy) NSString *pathExtension;
@property (readonly, copy) NSString *stringByDeletingPathExtension;
- (nullable NSString *)stringByAppendingPathExtension:(NSString *)string;
@property (readonly, copy) NSString *stringByExpandingTildeInPath;
@end
@interface NSMutableString : NSString
- (void)replaceCharactersInRange:(NSRange)range withString:(NSString *)string;
- (void)appendString:(NSString *)string;
@end
FOUNDATION_EXPORT NSString *NSTemporaryDirectory(void);
FOUNDATION_EXPORT NSString *NSHomeDirectory(void);
NS_ASSUME_NONNULL_END
