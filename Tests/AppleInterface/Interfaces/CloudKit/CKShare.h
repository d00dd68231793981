#pragma once
#include "CKRecordZone.h"

NS_ASSUME_NONNULL_BEGIN

@class CKShare;

#pragma mark - People

CK_SINCE_10 CK_NOT_SENDABLE
@interface CKUserIdentityLookupInfo : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

- (instancetype)initWithEmailAddress:(NSString *)emailAddress;
- (instancetype)initWithPhoneNumber:(NSString *)phoneNumber;
- (instancetype)initWithUserRecordID:(CKRecordID *)userRecordID;

+ (NSArray<CKUserIdentityLookupInfo *> *)lookupInfosWithEmails:(NSArray<NSString *> *)emails;
+ (NSArray<CKUserIdentityLookupInfo *> *)lookupInfosWithPhoneNumbers:(NSArray<NSString *> *)phoneNumbers;
+ (NSArray<CKUserIdentityLookupInfo *> *)lookupInfosWithRecordIDs:(NSArray<CKRecordID *> *)recordIDs
    NS_SWIFT_NAME(lookupInfos(with:));

@property (nonatomic, readonly, copy, nullable) NSString *emailAddress;
@property (nonatomic, readonly, copy, nullable) NSString *phoneNumber;
@property (nonatomic, readonly, copy, nullable) CKRecordID *userRecordID;

@end

CK_SINCE_10 CK_NOT_SENDABLE
@interface CKUserIdentity : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@property (nonatomic, readonly, copy, nullable) CKRecordID *userRecordID;
@property (nonatomic, readonly, copy, nullable) CKUserIdentityLookupInfo *lookupInfo;
@property (nonatomic, readonly, assign) BOOL hasiCloudAccount;

@end

typedef NS_ENUM(NSInteger, CKShareParticipantAcceptanceStatus) {
    CKShareParticipantAcceptanceStatusUnknown = 0,
    CKShareParticipantAcceptanceStatusPending = 1,
    CKShareParticipantAcceptanceStatusAccepted = 2,
    CKShareParticipantAcceptanceStatusRemoved = 3,
} NS_SWIFT_NAME(CKShare.ParticipantAcceptanceStatus) CK_SINCE_10;

typedef NS_ENUM(NSInteger, CKShareParticipantPermission) {
    CKShareParticipantPermissionUnknown = 0,
    CKShareParticipantPermissionNone = 1,
    CKShareParticipantPermissionReadOnly = 2,
    CKShareParticipantPermissionReadWrite = 3,
} NS_SWIFT_NAME(CKShare.ParticipantPermission) CK_SINCE_10;

typedef NS_ENUM(NSInteger, CKShareParticipantRole) {
    CKShareParticipantRoleUnknown = 0,
    CKShareParticipantRoleOwner = 1,
    CKShareParticipantRoleAdministrator CK_SINCE_26 = 2,
    CKShareParticipantRolePrivateUser = 3,
    CKShareParticipantRolePublicUser = 4,
} NS_SWIFT_NAME(CKShare.ParticipantRole) CK_SINCE_12;

typedef NS_ENUM(NSInteger, CKShareParticipantType) {
    CKShareParticipantTypeUnknown = 0,
    CKShareParticipantTypeOwner = 1,
    CKShareParticipantTypePrivateUser = 3,
    CKShareParticipantTypePublicUser = 4,
} NS_SWIFT_NAME(CKShare.ParticipantType) CK_10_UNTIL_12("Use CKShareParticipantRole");

CK_SINCE_10 NS_SWIFT_NAME(CKShare.Participant) CK_NOT_SENDABLE
@interface CKShareParticipant : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

@property (nonatomic, readonly, copy) CKUserIdentity *userIdentity;
@property (nonatomic, assign) CKShareParticipantRole role CK_SINCE_12;
@property (nonatomic, assign) CKShareParticipantType type CK_10_UNTIL_12("Use role");
@property (nonatomic, readonly, assign) CKShareParticipantAcceptanceStatus acceptanceStatus;
@property (nonatomic, assign) CKShareParticipantPermission permission;
@property (nonatomic, readonly, copy) NSString *participantID;

@end

#pragma mark - Shares

CK_EXTERN CKRecordType const CKRecordTypeShare CK_SINCE_10;
CK_EXTERN NSString *const CKRecordNameZoneWideShare CK_SINCE_15;
CK_EXTERN CKRecordFieldKey const CKShareTitleKey CK_SINCE_10;
CK_EXTERN CKRecordFieldKey const CKShareThumbnailImageDataKey CK_SINCE_10;
CK_EXTERN CKRecordFieldKey const CKShareTypeKey CK_SINCE_10;

CK_SINCE_10
@interface CKShare : CKRecord <NSSecureCoding, NSCopying>

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)initWithRecordType:(CKRecordType)recordType NS_UNAVAILABLE;
- (instancetype)initWithRecordType:(CKRecordType)recordType recordID:(CKRecordID *)recordID NS_UNAVAILABLE;
- (instancetype)initWithRecordType:(CKRecordType)recordType zoneID:(CKRecordZoneID *)zoneID NS_UNAVAILABLE;

- (instancetype)initWithRootRecord:(CKRecord *)rootRecord;
- (instancetype)initWithRootRecord:(CKRecord *)rootRecord shareID:(CKRecordID *)shareID NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithRecordZoneID:(CKRecordZoneID *)recordZoneID NS_DESIGNATED_INITIALIZER CK_SINCE_15;
- (instancetype)initWithCoder:(NSCoder *)aDecoder NS_DESIGNATED_INITIALIZER;

@property (nonatomic, assign) CKShareParticipantPermission publicPermission;
@property (nonatomic, readonly, copy, nullable) NSURL *URL;
@property (nonatomic, readonly, copy) NSArray<CKShareParticipant *> *participants;
@property (nonatomic, readonly, copy) CKShareParticipant *owner;
@property (nonatomic, readonly, copy, nullable) CKShareParticipant *currentUserParticipant;

- (void)addParticipant:(CKShareParticipant *)participant;
- (void)removeParticipant:(CKShareParticipant *)participant;

@end

CK_SINCE_10 NS_SWIFT_NAME(CKShare.Metadata) CK_NOT_SENDABLE
@interface CKShareMetadata : NSObject <NSCopying, NSSecureCoding>

@property (nonatomic, readonly, copy) NSString *containerIdentifier;
@property (nonatomic, readonly, copy) CKShare *share;
@property (nonatomic, readonly, copy, nullable) CKRecordID *hierarchicalRootRecordID CK_SINCE_15;
@property (nonatomic, readonly, assign) CKShareParticipantRole participantRole CK_SINCE_12;
@property (nonatomic, readonly, assign) CKShareParticipantAcceptanceStatus participantStatus;
@property (nonatomic, readonly, assign) CKShareParticipantPermission participantPermission;
@property (nonatomic, readonly, copy) CKUserIdentity *ownerIdentity;
@property (nonatomic, readonly, copy, nullable) CKRecord *rootRecord;
@property (nonatomic, readonly, assign) CKShareParticipantType participantType CK_10_UNTIL_12("Use participantRole");
@property (nonatomic, readonly, copy) CKRecordID *rootRecordID CK_10_UNTIL_16("Use hierarchicalRootRecordID");

@end

NS_ASSUME_NONNULL_END
