#pragma once
#include "CKDefines.h"
@import CoreLocation;

NS_ASSUME_NONNULL_BEGIN

@class CKRecord, CKRecordZoneID, CKReference;

typedef NSString *CKRecordType;
typedef NSString *CKRecordFieldKey;

CK_EXTERN CKRecordType const CKRecordTypeUserRecord CK_SINCE_8;
CK_EXTERN CKRecordFieldKey const CKRecordRecordIDKey CK_SINCE_8;
CK_EXTERN CKRecordFieldKey const CKRecordCreatorUserRecordIDKey CK_SINCE_8;
CK_EXTERN CKRecordFieldKey const CKRecordCreationDateKey CK_SINCE_8;
CK_EXTERN CKRecordFieldKey const CKRecordLastModifiedUserRecordIDKey CK_SINCE_8;
CK_EXTERN CKRecordFieldKey const CKRecordModificationDateKey CK_SINCE_8;
CK_EXTERN CKRecordFieldKey const CKRecordParentKey CK_SINCE_10;
CK_EXTERN CKRecordFieldKey const CKRecordShareKey CK_SINCE_10;

/// An object that a field can hold. In Swift the overlay names it CKRecordValue.
CK_SINCE_8 NS_SWIFT_NAME(__CKRecordObjCValue)
@protocol CKRecordValue <NSObject>
@end

#pragma mark - Identifiers

CK_SINCE_8 NS_SWIFT_NAME(CKRecord.ID) NS_SWIFT_SENDABLE
@interface CKRecordID : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithRecordName:(NSString *)recordName;
- (instancetype)initWithRecordName:(NSString *)recordName
                            zoneID:(CKRecordZoneID *)zoneID NS_DESIGNATED_INITIALIZER NS_REFINED_FOR_SWIFT;

@property (nonatomic, readonly, copy) NSString *recordName;
@property (nonatomic, readonly, copy) CKRecordZoneID *zoneID;

@end

typedef NS_ENUM(NSUInteger, CKReferenceAction) {
    CKReferenceActionNone = 0,
    CKReferenceActionDeleteSelf = 1,
} NS_SWIFT_NAME(CKRecord.ReferenceAction) CK_SINCE_8;

CK_SINCE_8 NS_SWIFT_NAME(CKRecord.Reference) NS_SWIFT_SENDABLE
@interface CKReference : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithRecordID:(CKRecordID *)recordID
                          action:(CKReferenceAction)action NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithRecord:(CKRecord *)record action:(CKReferenceAction)action;

@property (nonatomic, readonly, assign) CKReferenceAction referenceAction NS_SWIFT_NAME(action);
@property (nonatomic, readonly, copy) CKRecordID *recordID;

@end

#pragma mark - Assets

CK_SINCE_8 CK_NOT_SENDABLE
@interface CKAsset : NSObject

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithFileURL:(NSURL *)fileURL;

@property (nonatomic, readonly, copy, nullable) NSURL *fileURL;

@end

#pragma mark - Records

/// A protocol for what has fields: a record, and a record's encrypted fields.
CK_SINCE_9 CK_NOT_SENDABLE
@protocol CKRecordKeyValueSetting <NSObject>

- (nullable __kindof id<CKRecordValue>)objectForKey:(CKRecordFieldKey)key;
- (void)setObject:(nullable __kindof id<CKRecordValue>)object forKey:(CKRecordFieldKey)key;
- (nullable __kindof id<CKRecordValue>)objectForKeyedSubscript:(CKRecordFieldKey)key;
- (void)setObject:(nullable __kindof id<CKRecordValue>)object forKeyedSubscript:(CKRecordFieldKey)key;
- (NSArray<CKRecordFieldKey> *)allKeys;
- (NSArray<CKRecordFieldKey> *)changedKeys;

@end

CK_SINCE_8 CK_NOT_SENDABLE
@interface CKRecord : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithRecordType:(CKRecordType)recordType NS_REFINED_FOR_SWIFT;
- (instancetype)initWithRecordType:(CKRecordType)recordType recordID:(CKRecordID *)recordID NS_REFINED_FOR_SWIFT;
- (instancetype)initWithRecordType:(CKRecordType)recordType zoneID:(CKRecordZoneID *)zoneID NS_REFINED_FOR_SWIFT;

@property (nonatomic, readonly, copy) CKRecordType recordType;
@property (nonatomic, readonly, copy) CKRecordID *recordID;
@property (nonatomic, readonly, copy, nullable) NSString *recordChangeTag;
@property (nonatomic, readonly, copy, nullable) CKRecordID *creatorUserRecordID;
@property (nonatomic, readonly, copy, nullable) NSDate *creationDate;
@property (nonatomic, readonly, copy, nullable) CKRecordID *lastModifiedUserRecordID;
@property (nonatomic, readonly, copy, nullable) NSDate *modificationDate;

- (nullable __kindof id<CKRecordValue>)objectForKey:(CKRecordFieldKey)key;
- (void)setObject:(nullable __kindof id<CKRecordValue>)object forKey:(CKRecordFieldKey)key;
- (nullable __kindof id<CKRecordValue>)objectForKeyedSubscript:(CKRecordFieldKey)key;
- (void)setObject:(nullable __kindof id<CKRecordValue>)object forKeyedSubscript:(CKRecordFieldKey)key;
- (NSArray<CKRecordFieldKey> *)allKeys;
- (NSArray<CKRecordFieldKey> *)changedKeys;
- (NSArray<NSString *> *)allTokens;

- (void)encodeSystemFieldsWithCoder:(NSCoder *)coder NS_SWIFT_NAME(encodeSystemFields(with:));

@property (nonatomic, readonly, copy, nullable) CKReference *share CK_SINCE_10;
@property (nonatomic, copy, nullable) CKReference *parent CK_SINCE_10;

- (void)setParentReferenceFromRecord:(nullable CKRecord *)parentRecord NS_SWIFT_NAME(setParent(_:)) CK_SINCE_10;
- (void)setParentReferenceFromRecordID:(nullable CKRecordID *)parentRecordID NS_SWIFT_NAME(setParent(_:)) CK_SINCE_10;

@end

CK_SINCE_9
@interface CKRecord (CKRecordKeyValueSettingConformance) <CKRecordKeyValueSetting>

@property (nonatomic, readonly, copy) NS_SWIFT_SENDABLE id<CKRecordKeyValueSetting> encryptedValues CK_SINCE_15;

@end

@interface NSString (CKRecordValue) <CKRecordValue>
@end

@interface NSNumber (CKRecordValue) <CKRecordValue>
@end

@interface NSArray (CKRecordValue) <CKRecordValue>
@end

@interface NSDate (CKRecordValue) <CKRecordValue>
@end

@interface NSData (CKRecordValue) <CKRecordValue>
@end

@interface CKReference (CKRecordValue) <CKRecordValue>
@end

@interface CKAsset (CKRecordValue) <CKRecordValue>
@end

@interface CLLocation (CKRecordValue) <CKRecordValue>
@end

NS_ASSUME_NONNULL_END
