#pragma once
#include "NSFileManager.h"
NS_ASSUME_NONNULL_BEGIN
NS_SWIFT_BRIDGED("Foundation.TimeZone") NS_SWIFT_SENDABLE
@interface NSTimeZone : NSObject <NSCopying, NSSecureCoding>
@property (readonly, copy) NSString *name;
@end
typedef NSString *NSLocaleKey NS_TYPED_ENUM NS_SWIFT_NAME(NSLocale.Key);
NS_SWIFT_BRIDGED("Foundation.Locale") NS_SWIFT_SENDABLE
@interface NSLocale : NSObject <NSCopying, NSSecureCoding>
- (nullable id)objectForKey:(NSLocaleKey)key;
@end
NS_SWIFT_BRIDGED("Foundation.Calendar")
@interface NSCalendar : NSObject <NSCopying, NSSecureCoding>
@end
NS_SWIFT_NAME(Formatter)
@interface NSFormatter : NSObject <NSCopying, NSCoding>
- (nullable NSString *)stringForObjectValue:(nullable id)obj;
@end
NS_SWIFT_SENDABLE NS_SWIFT_NAME(DateFormatter)
@interface NSDateFormatter : NSFormatter
typedef NS_ENUM(NSUInteger, NSDateFormatterStyle) {
    NSDateFormatterNoStyle NS_SWIFT_NAME(none) = 0,
    NSDateFormatterShortStyle NS_SWIFT_NAME(short),
    NSDateFormatterMediumStyle NS_SWIFT_NAME(medium),
    NSDateFormatterLongStyle NS_SWIFT_NAME(long),
    NSDateFormatterFullStyle NS_SWIFT_NAME(full),
} NS_SWIFT_NAME(DateFormatter.Style);
- (NSString *)stringFromDate:(NSDate *)date;
- (nullable NSDate *)dateFromString:(NSString *)string;
@property (null_resettable, copy) NSString *dateFormat;
@property NSDateFormatterStyle dateStyle;
@property NSDateFormatterStyle timeStyle;
@property (null_resettable, copy) NSLocale *locale;
@property (null_resettable, copy) NSTimeZone *timeZone;
@end

@class NSXMLParser;
NS_SWIFT_NAME(XMLParserDelegate)
@protocol NSXMLParserDelegate <NSObject>
@optional
- (void)parserDidStartDocument:(NSXMLParser *)parser;
- (void)parserDidEndDocument:(NSXMLParser *)parser;
- (void)parser:(NSXMLParser *)parser didStartElement:(NSString *)elementName namespaceURI:(nullable NSString *)namespaceURI qualifiedName:(nullable NSString *)qName attributes:(NSDictionary<NSString *, NSString *> *)attributeDict;
- (void)parser:(NSXMLParser *)parser didEndElement:(NSString *)elementName namespaceURI:(nullable NSString *)namespaceURI qualifiedName:(nullable NSString *)qName;
- (void)parser:(NSXMLParser *)parser foundCharacters:(NSString *)string;
@end
NS_SWIFT_NAME(XMLParser)
@interface NSXMLParser : NSObject
- (nullable instancetype)initWithContentsOfURL:(NSURL *)url;
- (instancetype)initWithData:(NSData *)data NS_DESIGNATED_INITIALIZER;
@property (nullable, assign) id <NSXMLParserDelegate> delegate;
- (BOOL)parse;
- (void)abortParsing;
@property (nullable, readonly, copy) NSError *parserError;
@end
NS_ASSUME_NONNULL_END
