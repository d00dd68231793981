#pragma once
#include "CKRecord.h"

NS_ASSUME_NONNULL_BEGIN

CK_SINCE_8 NS_SWIFT_NAME(CKRecordZone.ID) CK_NOT_SENDABLE
@interface CKRecordZoneID : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithZoneName:(NSString *)zoneName
                       ownerName:(NSString *)ownerName NS_DESIGNATED_INITIALIZER NS_REFINED_FOR_SWIFT;

@property (nonatomic, readonly, copy) NSString *zoneName;
@property (nonatomic, readonly, copy) NSString *ownerName;

@end

typedef NS_OPTIONS(NSUInteger, CKRecordZoneCapabilities) {
    CKRecordZoneCapabilityFetchChanges = 1 << 0,
    CKRecordZoneCapabilityAtomic = 1 << 1,
    CKRecordZoneCapabilitySharing CK_SINCE_10 = 1 << 2,
    CKRecordZoneCapabilityZoneWideSharing CK_SINCE_15 = 1 << 3,
} NS_SWIFT_NAME(CKRecordZone.Capabilities) CK_SINCE_8;

typedef NS_ENUM(NSInteger, CKRecordZoneEncryptionScope) {
    CKRecordZoneEncryptionScopePerRecord = 0,
    CKRecordZoneEncryptionScopePerZone = 1,
} NS_SWIFT_NAME(CKRecordZone.EncryptionScope) CK_SINCE_26;

CK_EXTERN NSString *const CKRecordZoneDefaultName CK_SINCE_8;

CK_SINCE_8 CK_NOT_SENDABLE
@interface CKRecordZone : NSObject <NSSecureCoding, NSCopying>

+ (CKRecordZone *)defaultRecordZone NS_SWIFT_NAME(default());

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithZoneName:(NSString *)zoneName NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithZoneID:(CKRecordZoneID *)zoneID NS_DESIGNATED_INITIALIZER;

@property (nonatomic, readonly, copy) CKRecordZoneID *zoneID;
@property (nonatomic, readonly, assign) CKRecordZoneCapabilities capabilities;
@property (nonatomic, readonly, copy, nullable) CKReference *share CK_SINCE_15;
@property (nonatomic, assign) CKRecordZoneEncryptionScope encryptionScope CK_SINCE_26;

@end

CK_SINCE_8 NS_SWIFT_SENDABLE
@interface CKServerChangeToken : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@end

NS_ASSUME_NONNULL_END
