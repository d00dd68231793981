#pragma once
#include "NSValue.h"
NS_ASSUME_NONNULL_BEGIN
NS_SWIFT_BRIDGED("Foundation.Date") NS_SWIFT_SENDABLE
@interface NSDate : NSObject <NSCopying, NSSecureCoding>
@property (readonly) NSTimeInterval timeIntervalSinceReferenceDate;
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithTimeIntervalSinceReferenceDate:(NSTimeInterval)time NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithTimeIntervalSince1970:(NSTimeInterval)time;
@property (readonly) NSTimeInterval timeIntervalSince1970;
- (NSComparisonResult)compare:(NSDate *)other;
@end

typedef NS_OPTIONS(NSUInteger, NSDataReadingOptions) {
    NSDataReadingMappedIfSafe NS_SWIFT_NAME(mappedIfSafe) = 1UL << 0,
    NSDataReadingUncached NS_SWIFT_NAME(uncached) = 1UL << 1,
    NSDataReadingMappedAlways NS_SWIFT_NAME(alwaysMapped) = 1UL << 3,
} NS_SWIFT_NAME(NSData.ReadingOptions);
typedef NS_OPTIONS(NSUInteger, NSDataWritingOptions) {
    NSDataWritingAtomic NS_SWIFT_NAME(atomic) = 1UL << 0,
    NSDataWritingWithoutOverwriting NS_SWIFT_NAME(withoutOverwriting) = 1UL << 1,
    NSDataWritingFileProtectionNone NS_SWIFT_NAME(noFileProtection) = 0x10000000,
    NSDataWritingFileProtectionComplete NS_SWIFT_NAME(completeFileProtection) = 0x20000000,
    NSDataWritingFileProtectionCompleteUnlessOpen NS_SWIFT_NAME(completeFileProtectionUnlessOpen) = 0x30000000,
    NSDataWritingFileProtectionCompleteUntilFirstUserAuthentication NS_SWIFT_NAME(completeFileProtectionUntilFirstUserAuthentication) = 0x40000000,
} NS_SWIFT_NAME(NSData.WritingOptions);
typedef NS_OPTIONS(NSUInteger, NSDataSearchOptions) {
    NSDataSearchBackwards NS_SWIFT_NAME(backwards) = 1UL << 0,
    NSDataSearchAnchored NS_SWIFT_NAME(anchored) = 1UL << 1
} NS_SWIFT_NAME(NSData.SearchOptions);
typedef NS_OPTIONS(NSUInteger, NSDataBase64EncodingOptions) {
    NSDataBase64Encoding64CharacterLineLength NS_SWIFT_NAME(lineLength64Characters) = 1UL << 0,
    NSDataBase64Encoding76CharacterLineLength NS_SWIFT_NAME(lineLength76Characters) = 1UL << 1,
    NSDataBase64EncodingEndLineWithCarriageReturn NS_SWIFT_NAME(endLineWithCarriageReturn) = 1UL << 4,
    NSDataBase64EncodingEndLineWithLineFeed NS_SWIFT_NAME(endLineWithLineFeed) = 1UL << 5,
} NS_SWIFT_NAME(NSData.Base64EncodingOptions);
typedef NS_OPTIONS(NSUInteger, NSDataBase64DecodingOptions) {
    NSDataBase64DecodingIgnoreUnknownCharacters NS_SWIFT_NAME(ignoreUnknownCharacters) = 1UL << 0
} NS_SWIFT_NAME(NSData.Base64DecodingOptions);
typedef NS_ENUM(NSInteger, NSDataCompressionAlgorithm) {
    NSDataCompressionAlgorithmLZFSE NS_SWIFT_NAME(lzfse) = 0,
    NSDataCompressionAlgorithmLZ4 NS_SWIFT_NAME(lz4),
    NSDataCompressionAlgorithmLZMA NS_SWIFT_NAME(lzma),
    NSDataCompressionAlgorithmZlib,
} API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0)) NS_SWIFT_NAME(NSData.CompressionAlgorithm);
NS_SWIFT_BRIDGED("Foundation.Data")
@interface NSData : NSObject <NSCopying, NSMutableCopying, NSSecureCoding>
@property (readonly) NSUInteger length;
@property (readonly) const void *bytes NS_RETURNS_INNER_POINTER;
- (BOOL)isEqualToData:(NSData *)other;
- (instancetype)initWithBytes:(nullable const void *)bytes length:(NSUInteger)length;
- (instancetype)initWithData:(NSData *)data;
- (nullable instancetype)initWithContentsOfFile:(NSString *)path;
- (nullable instancetype)decompressedDataUsingAlgorithm:(NSDataCompressionAlgorithm)algorithm error:(NSError **)error NS_SWIFT_NAME(decompressed(using:)) API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0));
- (nullable instancetype)compressedDataUsingAlgorithm:(NSDataCompressionAlgorithm)algorithm error:(NSError **)error NS_SWIFT_NAME(compressed(using:)) API_AVAILABLE(macos(10.15), ios(13.0), watchos(6.0), tvos(13.0));
@end
typedef unsigned char uuid_t[16];
NS_SWIFT_BRIDGED("Foundation.UUID") NS_SWIFT_SENDABLE
@interface NSUUID : NSObject <NSCopying, NSSecureCoding>
- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithUUIDString:(NSString *)string;
@property (readonly, copy) NSString *UUIDString;
@end
NS_ASSUME_NONNULL_END
