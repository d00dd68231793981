#pragma once
#include "NSCollections.h"
NS_ASSUME_NONNULL_BEGIN
@interface NSValue : NSObject <NSCopying, NSSecureCoding>
@property (readonly) const char *objCType NS_RETURNS_INNER_POINTER;
- (instancetype)initWithBytes:(const void *)value objCType:(const char *)type NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@end
NS_SWIFT_SENDABLE
@interface NSNumber : NSValue
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
- (NSNumber *)initWithChar:(char)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedChar:(unsigned char)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithShort:(short)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedShort:(unsigned short)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithInt:(int)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedInt:(unsigned int)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithLong:(long)value NS_DESIGNATED_INITIALIZER NS_SWIFT_UNAVAILABLE("Swift sees both long and NSInteger as Int");
- (NSNumber *)initWithLongLong:(long long)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedLongLong:(unsigned long long)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithFloat:(float)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithDouble:(double)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithBool:(BOOL)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithInteger:(NSInteger)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
- (NSNumber *)initWithUnsignedInteger:(NSUInteger)value NS_DESIGNATED_INITIALIZER NS_SWIFT_NAME(init(value:));
@property (readonly) char charValue NS_SWIFT_NAME(int8Value);
@property (readonly) unsigned char unsignedCharValue NS_SWIFT_NAME(uint8Value);
@property (readonly) short shortValue NS_SWIFT_NAME(int16Value);
@property (readonly) unsigned short unsignedShortValue NS_SWIFT_NAME(uint16Value);
@property (readonly) int intValue NS_SWIFT_NAME(int32Value);
@property (readonly) unsigned int unsignedIntValue NS_SWIFT_NAME(uint32Value);
@property (readonly) long long longLongValue NS_SWIFT_NAME(int64Value);
@property (readonly) unsigned long long unsignedLongLongValue NS_SWIFT_NAME(uint64Value);
@property (readonly) float floatValue;
@property (readonly) double doubleValue;
@property (readonly) BOOL boolValue;
@property (readonly) NSInteger integerValue NS_SWIFT_NAME(intValue);
@property (readonly) NSUInteger unsignedIntegerValue NS_SWIFT_NAME(uintValue);
@property (readonly, copy) NSString *stringValue;
- (NSComparisonResult)compare:(NSNumber *)otherNumber;
- (BOOL)isEqualToNumber:(NSNumber *)number;
- (NSString *)descriptionWithLocale:(nullable id)locale;
@end

typedef NS_ENUM(NSUInteger, NSRoundingMode) { NSRoundPlain NS_SWIFT_NAME(plain), NSRoundDown NS_SWIFT_NAME(down), NSRoundUp NS_SWIFT_NAME(up), NSRoundBankers NS_SWIFT_NAME(bankers) } NS_SWIFT_NAME(NSDecimalNumber.RoundingMode);
typedef NS_ENUM(NSUInteger, NSCalculationError) {
    NSCalculationNoError NS_SWIFT_NAME(noError) = 0, NSCalculationLossOfPrecision NS_SWIFT_NAME(lossOfPrecision), NSCalculationUnderflow NS_SWIFT_NAME(underflow), NSCalculationOverflow NS_SWIFT_NAME(overflow), NSCalculationDivideByZero NS_SWIFT_NAME(divideByZero)
} NS_SWIFT_NAME(NSDecimalNumber.CalculationError);
typedef struct {
    signed int _exponent : 8;
    unsigned int _length : 4;
    unsigned int _isNegative : 1;
    unsigned int _isCompact : 1;
    unsigned int _reserved : 18;
    unsigned short _mantissa[8];
} NSDecimal NS_SWIFT_NAME(Decimal);
FOUNDATION_EXPORT void NSDecimalRound(NSDecimal *result, const NSDecimal *number, NSInteger scale, NSRoundingMode roundingMode);
FOUNDATION_EXPORT NSCalculationError NSDecimalAdd(NSDecimal *result, const NSDecimal *left, const NSDecimal *right, NSRoundingMode roundingMode);
FOUNDATION_EXPORT NSCalculationError NSDecimalDivide(NSDecimal *result, const NSDecimal *left, const NSDecimal *right, NSRoundingMode roundingMode);
FOUNDATION_EXPORT NSCalculationError NSDecimalMultiply(NSDecimal *result, const NSDecimal *left, const NSDecimal *right, NSRoundingMode roundingMode);
FOUNDATION_EXPORT NSCalculationError NSDecimalMultiplyByPowerOf10(NSDecimal *result, const NSDecimal *number, short power, NSRoundingMode roundingMode);

@protocol NSDecimalNumberBehaviors
- (NSRoundingMode)roundingMode;
- (short)scale;
@end
NS_SWIFT_SENDABLE
@interface NSDecimalNumber : NSNumber
- (instancetype)initWithMantissa:(unsigned long long)mantissa exponent:(short)exponent isNegative:(BOOL)flag;
- (instancetype)initWithDecimal:(NSDecimal)decimal NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithString:(nullable NSString *)numberValue;
- (instancetype)initWithString:(nullable NSString *)numberValue locale:(nullable id)locale;
- (NSString *)descriptionWithLocale:(nullable id)locale;
@property (readonly) NSDecimal decimalValue;
@property (class, readonly, copy) NSDecimalNumber *zero;
@property (class, readonly, copy) NSDecimalNumber *one;
@property (class, readonly, copy) NSDecimalNumber *minimumDecimalNumber;
@property (class, readonly, copy) NSDecimalNumber *maximumDecimalNumber;
@property (class, readonly, copy) NSDecimalNumber *notANumber NS_SWIFT_NAME(notANumber);
- (NSDecimalNumber *)decimalNumberByAdding:(NSDecimalNumber *)number;
- (NSDecimalNumber *)decimalNumberBySubtracting:(NSDecimalNumber *)number;
- (NSDecimalNumber *)decimalNumberByMultiplyingBy:(NSDecimalNumber *)number;
- (NSDecimalNumber *)decimalNumberByDividingBy:(NSDecimalNumber *)number;
- (NSComparisonResult)compare:(NSNumber *)number;
@property (readonly) double doubleValue;
@end
@interface NSNumber (NSDecimalNumberExtensions)
@property (readonly) NSDecimal decimalValue;
@end
NS_SWIFT_SENDABLE
@interface NSNull : NSObject <NSCopying, NSSecureCoding>
+ (NSNull *)null;
@end
NS_ASSUME_NONNULL_END
