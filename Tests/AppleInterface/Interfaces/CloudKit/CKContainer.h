#pragma once
#include "CKOperation.h"
#include "CKDatabase.h"

NS_ASSUME_NONNULL_BEGIN

@class CKRecordID, CKShare, CKShareMetadata, CKShareParticipant, CKUserIdentity;

CK_EXTERN NSString *const CKCurrentUserDefaultName CK_SINCE_10;
CK_EXTERN NSString *const CKOwnerDefaultName CK_8_UNTIL_10("Use CKCurrentUserDefaultName");
CK_EXTERN NSString *const CKAccountChangedNotification CK_SINCE_9;

typedef NS_ENUM(NSInteger, CKAccountStatus) {
    CKAccountStatusCouldNotDetermine = 0,
    CKAccountStatusAvailable = 1,
    CKAccountStatusRestricted = 2,
    CKAccountStatusNoAccount = 3,
    CKAccountStatusTemporarilyUnavailable CK_SINCE_15 = 4,
} CK_SINCE_8;

typedef NS_OPTIONS(NSUInteger, CKApplicationPermissions) {
    CKApplicationPermissionUserDiscoverability CK_8_UNTIL_17("It is not supported any more.") = 1 << 0,
} NS_SWIFT_NAME(CKContainer.ApplicationPermissions) CK_8_UNTIL_17("It is not supported any more.");

typedef NS_ENUM(NSInteger, CKApplicationPermissionStatus) {
    CKApplicationPermissionStatusInitialState = 0,
    CKApplicationPermissionStatusCouldNotComplete = 1,
    CKApplicationPermissionStatusDenied = 2,
    CKApplicationPermissionStatusGranted = 3,
} NS_SWIFT_NAME(CKContainer.ApplicationPermissionStatus) CK_8_UNTIL_17("It is not supported any more.");

CK_SINCE_8 NS_SWIFT_SENDABLE
@interface CKContainer : NSObject

- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;

+ (CKContainer *)defaultContainer NS_SWIFT_NAME(default());
+ (CKContainer *)containerWithIdentifier:(NSString *)containerIdentifier NS_SWIFT_NAME(init(identifier:));

@property (nonatomic, readonly, copy, nullable) NSString *containerIdentifier;

- (void)addOperation:(CKOperation *)operation;

@end

@interface CKContainer (Database)

@property (nonatomic, readonly, copy) CKDatabase *privateCloudDatabase;
@property (nonatomic, readonly, copy) CKDatabase *publicCloudDatabase;
@property (nonatomic, readonly, copy) CKDatabase *sharedCloudDatabase CK_SINCE_10;

- (CKDatabase *)databaseWithDatabaseScope:(CKDatabaseScope)databaseScope NS_SWIFT_NAME(database(with:)) CK_SINCE_10;

@end

@interface CKContainer (AccountStatus)

- (void)accountStatusWithCompletionHandler:
    (void (NS_SWIFT_SENDABLE ^)(CKAccountStatus accountStatus, NSError *_Nullable error))completionHandler;

@end

@interface CKContainer (UserRecords)

- (void)fetchUserRecordIDWithCompletionHandler:
    (void (NS_SWIFT_SENDABLE ^)(CKRecordID *_Nullable recordID, NSError *_Nullable error))completionHandler
    NS_SWIFT_ASYNC_NAME(userRecordID());

@end

@interface CKContainer (Sharing)

- (void)fetchShareParticipantWithEmailAddress:(NSString *)emailAddress
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKShareParticipant *_Nullable shareParticipant, NSError *_Nullable error))completionHandler
    CK_SINCE_10 NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)fetchShareParticipantWithPhoneNumber:(NSString *)phoneNumber
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKShareParticipant *_Nullable shareParticipant, NSError *_Nullable error))completionHandler
    CK_SINCE_10 NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)fetchShareParticipantWithUserRecordID:(CKRecordID *)userRecordID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKShareParticipant *_Nullable shareParticipant, NSError *_Nullable error))completionHandler
    CK_SINCE_10 NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)fetchShareMetadataWithURL:(NSURL *)url
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKShareMetadata *_Nullable metadata, NSError *_Nullable error))completionHandler
    CK_SINCE_10 NS_REFINED_FOR_SWIFT_ASYNC(2);
- (void)acceptShareMetadata:(CKShareMetadata *)metadata
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKShare *_Nullable acceptedShare, NSError *_Nullable error))completionHandler
    NS_SWIFT_NAME(accept(_:completionHandler:)) CK_SINCE_10 NS_REFINED_FOR_SWIFT_ASYNC(2);

@end

@interface CKContainer (CKLongLivedOperations)

- (void)fetchAllLongLivedOperationIDsWithCompletionHandler:
    (void (NS_SWIFT_SENDABLE ^)(NSArray<CKOperationID> *_Nullable operationIDs, NSError *_Nullable error))completionHandler
    CK_SINCE_9_3 NS_REFINED_FOR_SWIFT_ASYNC(1);
- (void)fetchLongLivedOperationWithID:(CKOperationID)operationID
    completionHandler:(void (NS_SWIFT_SENDABLE ^)(
        CKOperation *_Nullable_result operation, NSError *_Nullable error))completionHandler
    CK_SINCE_9_3 NS_REFINED_FOR_SWIFT_ASYNC(2);

@end

NS_ASSUME_NONNULL_END
