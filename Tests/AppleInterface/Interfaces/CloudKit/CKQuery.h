#pragma once
#include "CKRecordZone.h"
#include "CKOperation.h"

NS_ASSUME_NONNULL_BEGIN

CK_SINCE_8 CK_NOT_SENDABLE
@interface CKQuery : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)initWithCoder:(NSCoder *)aDecoder NS_DESIGNATED_INITIALIZER;

- (instancetype)initWithRecordType:(CKRecordType)recordType predicate:(NSPredicate *)predicate;

@property (nonatomic, readonly, copy) CKRecordType recordType;
@property (nonatomic, readonly, copy) NSPredicate *predicate;
@property (nonatomic, copy, nullable) NSArray<NSSortDescriptor *> *sortDescriptors;

@end

CK_SINCE_8 CK_NOT_SENDABLE
@interface CKLocationSortDescriptor : NSSortDescriptor <NSSecureCoding>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithKey:(NSString *)key relativeLocation:(CLLocation *)relativeLocation;
- (nullable instancetype)initWithCoder:(NSCoder *)aDecoder NS_DESIGNATED_INITIALIZER;

@property (nonatomic, readonly, copy) CLLocation *relativeLocation;

@end

CK_SINCE_8 NS_SWIFT_NAME(CKQueryOperation.Cursor) CK_NOT_SENDABLE
@interface CKQueryCursor : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@end

CK_EXTERN const NSUInteger CKQueryOperationMaximumResults NS_SWIFT_NAME(CKQueryOperation.maximumResults) CK_SINCE_8;

CK_SINCE_8
@interface CKQueryOperation : CKDatabaseOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithQuery:(CKQuery *)query;
- (instancetype)initWithCursor:(CKQueryCursor *)cursor;

@property (nonatomic, copy, nullable) CKQuery *query;
@property (nonatomic, copy, nullable) CKQueryCursor *cursor;
@property (nonatomic, copy, nullable) CKRecordZoneID *zoneID;
@property (nonatomic, assign) NSUInteger resultsLimit;
@property (nonatomic, copy, nullable) NSArray<CKRecordFieldKey> *desiredKeys;

@property (nonatomic, copy, nullable) void (^recordFetchedBlock)(CKRecord *record)
    CK_8_UNTIL_15("Use recordMatchedBlock");
@property (nonatomic, copy, nullable) void (^recordMatchedBlock)(
    CKRecordID *recordID, CKRecord *_Nullable record, NSError *_Nullable error) CK_SINCE_15 NS_REFINED_FOR_SWIFT;
@property (nonatomic, copy, nullable) void (^queryCompletionBlock)(
    CKQueryCursor *_Nullable cursor, NSError *_Nullable operationError)
    CK_8_UNTIL_15_IN_SWIFT("Use queryResultBlock");

@end

NS_ASSUME_NONNULL_END
