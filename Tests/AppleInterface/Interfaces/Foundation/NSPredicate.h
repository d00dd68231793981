#pragma once
#include "NSError.h"
NS_ASSUME_NONNULL_BEGIN
@interface NSPredicate : NSObject <NSSecureCoding, NSCopying>
+ (NSPredicate *)predicateWithFormat:(NSString *)format argumentArray:(nullable NSArray *)arguments;
+ (NSPredicate *)predicateWithValue:(BOOL)value;
+ (NSPredicate *)predicateWithBlock:(BOOL (^)(id _Nullable object, NSDictionary<NSString *, id> * _Nullable bindings))block;
@property (readonly, copy) NSString *predicateFormat;
- (instancetype)predicateWithSubstitutionVariables:(NSDictionary<NSString *, id> *)variables;
- (BOOL)evaluateWithObject:(nullable id)object;
- (BOOL)evaluateWithObject:(nullable id)object substitutionVariables:(nullable NSDictionary<NSString *, id> *)bindings;
- (void)allowEvaluation;
@end

typedef NS_ENUM(NSUInteger, NSExpressionType) {
    NSConstantValueExpressionType NS_SWIFT_NAME(constantValue) = 0,
    NSEvaluatedObjectExpressionType NS_SWIFT_NAME(evaluatedObject),
    NSVariableExpressionType NS_SWIFT_NAME(variable),
    NSKeyPathExpressionType NS_SWIFT_NAME(keyPath),
    NSFunctionExpressionType NS_SWIFT_NAME(function),
    NSUnionSetExpressionType NS_SWIFT_NAME(unionSet),
    NSIntersectSetExpressionType NS_SWIFT_NAME(intersectSet),
    NSMinusSetExpressionType NS_SWIFT_NAME(minusSet),
    NSSubqueryExpressionType NS_SWIFT_NAME(subquery) = 13,
    NSAggregateExpressionType NS_SWIFT_NAME(aggregate) = 14,
    NSAnyKeyExpressionType NS_SWIFT_NAME(anyKey) = 15,
    NSBlockExpressionType NS_SWIFT_NAME(block) = 19,
    NSConditionalExpressionType NS_SWIFT_NAME(conditional) = 20
} NS_SWIFT_NAME(NSExpression.ExpressionType);
@interface NSExpression : NSObject <NSSecureCoding, NSCopying>
+ (NSExpression *)expressionWithFormat:(NSString *)format argumentArray:(NSArray *)arguments;
+ (NSExpression *)expressionForConstantValue:(nullable id)object;
+ (NSExpression *)expressionForEvaluatedObject NS_SWIFT_NAME(expressionForEvaluatedObject());
+ (NSExpression *)expressionForVariable:(NSString *)string;
+ (NSExpression *)expressionForKeyPath:(NSString *)keyPath;
+ (NSExpression *)expressionForFunction:(NSString *)name arguments:(NSArray *)parameters;
+ (NSExpression *)expressionForAggregate:(NSArray<NSExpression *> *)subexpressions;
+ (NSExpression *)expressionForUnionSet:(NSExpression *)left with:(NSExpression *)right;
+ (NSExpression *)expressionForIntersectSet:(NSExpression *)left with:(NSExpression *)right;
+ (NSExpression *)expressionForMinusSet:(NSExpression *)left with:(NSExpression *)right;
+ (NSExpression *)expressionForSubquery:(NSExpression *)expression usingIteratorVariable:(NSString *)variable predicate:(NSPredicate *)predicate;
+ (NSExpression *)expressionForFunction:(NSExpression *)target selectorName:(NSString *)name arguments:(nullable NSArray *)parameters;
+ (NSExpression *)expressionForAnyKey NS_SWIFT_NAME(expressionForAnyKey());
+ (NSExpression *)expressionForBlock:(id (^)(id _Nullable object, NSArray<NSExpression *> *expressions, NSMutableDictionary * _Nullable context))block arguments:(nullable NSArray<NSExpression *> *)arguments NS_SWIFT_NAME(init(block:arguments:));
+ (NSExpression *)expressionForConditional:(NSPredicate *)predicate trueExpression:(NSExpression *)trueExpression falseExpression:(NSExpression *)falseExpression;
- (instancetype)initWithExpressionType:(NSExpressionType)type NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property (readonly) NSExpressionType expressionType;
@property (nullable, readonly, retain) id constantValue;
@property (readonly, copy) NSString *keyPath;
@property (readonly, copy) NSString *function;
@property (readonly, copy) NSString *variable;
@property (readonly, copy) NSExpression *operand;
@property (nullable, readonly, copy) NSArray<NSExpression *> *arguments;
@property (readonly, retain) id collection;
@property (readonly, copy) NSPredicate *predicate;
@property (readonly, copy) NSExpression *leftExpression;
@property (readonly, copy) NSExpression *rightExpression;
@property (readonly, copy) NSExpression *trueExpression;
@property (readonly, copy) NSExpression *falseExpression;
@property (readonly, copy) id (^expressionBlock)(id _Nullable, NSArray<NSExpression *> *, NSMutableDictionary * _Nullable);
- (nullable id)expressionValueWithObject:(nullable id)object context:(nullable NSMutableDictionary *)context;
- (void)allowEvaluation;
@end

typedef NS_OPTIONS(NSUInteger, NSComparisonPredicateOptions) {
    NSCaseInsensitivePredicateOption NS_SWIFT_NAME(caseInsensitive) = 0x01,
    NSDiacriticInsensitivePredicateOption NS_SWIFT_NAME(diacriticInsensitive) = 0x02,
    NSNormalizedPredicateOption NS_SWIFT_NAME(normalized) = 0x04,
} NS_SWIFT_NAME(NSComparisonPredicate.Options);
typedef NS_ENUM(NSUInteger, NSComparisonPredicateModifier) {
    NSDirectPredicateModifier NS_SWIFT_NAME(direct) = 0,
    NSAllPredicateModifier NS_SWIFT_NAME(all),
    NSAnyPredicateModifier NS_SWIFT_NAME(any)
} NS_SWIFT_NAME(NSComparisonPredicate.Modifier);
typedef NS_ENUM(NSUInteger, NSPredicateOperatorType) {
    NSLessThanPredicateOperatorType NS_SWIFT_NAME(lessThan) = 0,
    NSLessThanOrEqualToPredicateOperatorType NS_SWIFT_NAME(lessThanOrEqualTo),
    NSGreaterThanPredicateOperatorType NS_SWIFT_NAME(greaterThan),
    NSGreaterThanOrEqualToPredicateOperatorType NS_SWIFT_NAME(greaterThanOrEqualTo),
    NSEqualToPredicateOperatorType NS_SWIFT_NAME(equalTo),
    NSNotEqualToPredicateOperatorType NS_SWIFT_NAME(notEqualTo),
    NSMatchesPredicateOperatorType NS_SWIFT_NAME(matches),
    NSLikePredicateOperatorType NS_SWIFT_NAME(like),
    NSBeginsWithPredicateOperatorType NS_SWIFT_NAME(beginsWith),
    NSEndsWithPredicateOperatorType NS_SWIFT_NAME(endsWith),
    NSInPredicateOperatorType NS_SWIFT_NAME(in),
    NSCustomSelectorPredicateOperatorType NS_SWIFT_NAME(customSelector),
    NSContainsPredicateOperatorType NS_SWIFT_NAME(contains) = 99,
    NSBetweenPredicateOperatorType NS_SWIFT_NAME(between)
} NS_SWIFT_NAME(NSComparisonPredicate.Operator);
@interface NSComparisonPredicate : NSPredicate
- (instancetype)initWithLeftExpression:(NSExpression *)left rightExpression:(NSExpression *)right modifier:(NSComparisonPredicateModifier)modifier type:(NSPredicateOperatorType)type options:(NSComparisonPredicateOptions)options NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithLeftExpression:(NSExpression *)left rightExpression:(NSExpression *)right customSelector:(SEL)selector NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property (readonly) NSPredicateOperatorType predicateOperatorType;
@property (readonly) NSComparisonPredicateModifier comparisonPredicateModifier;
@property (readonly, retain) NSExpression *leftExpression;
@property (readonly, retain) NSExpression *rightExpression;
@property (nullable, readonly) SEL customSelector;
@property (readonly) NSComparisonPredicateOptions options;
@end
typedef NS_ENUM(NSUInteger, NSCompoundPredicateType) {
    NSNotPredicateType NS_SWIFT_NAME(not) = 0,
    NSAndPredicateType NS_SWIFT_NAME(and),
    NSOrPredicateType NS_SWIFT_NAME(or),
} NS_SWIFT_NAME(NSCompoundPredicate.LogicalType);
@interface NSCompoundPredicate : NSPredicate
- (instancetype)initWithType:(NSCompoundPredicateType)type subpredicates:(NSArray<NSPredicate *> *)subpredicates NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property (readonly) NSCompoundPredicateType compoundPredicateType;
@property (readonly, copy) NSArray *subpredicates;
+ (NSCompoundPredicate *)andPredicateWithSubpredicates:(NSArray<NSPredicate *> *)subpredicates NS_SWIFT_NAME(init(andPredicateWithSubpredicates:));
+ (NSCompoundPredicate *)orPredicateWithSubpredicates:(NSArray<NSPredicate *> *)subpredicates NS_SWIFT_NAME(init(orPredicateWithSubpredicates:));
+ (NSCompoundPredicate *)notPredicateWithSubpredicate:(NSPredicate *)predicate NS_SWIFT_NAME(init(notPredicateWithSubpredicate:));
@end

@interface NSSortDescriptor : NSObject <NSSecureCoding, NSCopying>
- (instancetype)initWithKey:(nullable NSString *)key ascending:(BOOL)ascending;
- (instancetype)initWithKey:(nullable NSString *)key ascending:(BOOL)ascending selector:(nullable SEL)selector;
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
- (instancetype)initWithKey:(nullable NSString *)key ascending:(BOOL)ascending comparator:(NSComparator)comparator;
@property (nullable, readonly, copy) NSString *key;
@property (readonly) BOOL ascending;
@property (nullable, readonly) SEL selector;
@property (readonly) NSComparator comparator;
- (void)allowEvaluation;
- (NSComparisonResult)compareObject:(id)object1 toObject:(id)object2;
@property (readonly, retain) id reversedSortDescriptor;
@end
NS_ASSUME_NONNULL_END
