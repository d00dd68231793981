#pragma once
#include "CKDefines.h"

NS_ASSUME_NONNULL_BEGIN

@class CKContainer, CKDatabase, CKOperationConfiguration, CKOperationGroup;

typedef NSString *CKOperationID;

CK_SINCE_8
@interface CKOperation : NSOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;

@property (nonatomic, copy, null_resettable) CKOperationConfiguration *configuration CK_SINCE_11;
@property (nonatomic, strong, nullable) CKOperationGroup *group CK_SINCE_11;
@property (nonatomic, readonly, copy) CKOperationID operationID CK_SINCE_9_3;
@property (nonatomic, copy, nullable) void (^longLivedOperationWasPersistedBlock)(void) CK_SINCE_9_3;

@end

CK_SINCE_11 NS_SWIFT_NAME(CKOperation.Configuration) CK_NOT_SENDABLE
@interface CKOperationConfiguration : NSObject

@property (nonatomic, strong, nullable) CKContainer *container;
@property (nonatomic, assign) NSQualityOfService qualityOfService;
@property (nonatomic, assign) BOOL allowsCellularAccess;
@property (nonatomic, assign, getter=isLongLived) BOOL longLived;
@property (nonatomic, assign) NSTimeInterval timeoutIntervalForRequest;
@property (nonatomic, assign) NSTimeInterval timeoutIntervalForResource;

@end

@interface CKOperation (CKOperationDeprecated)

@property (nonatomic, strong, nullable) CKContainer *container CK_8_UNTIL_11("Use CKOperationConfiguration");
@property (nonatomic, assign) BOOL allowsCellularAccess CK_8_UNTIL_11("Use CKOperationConfiguration");
@property (nonatomic, assign, getter=isLongLived) BOOL longLived CK_9_3_UNTIL_11("Use CKOperationConfiguration");
@property (nonatomic, assign) NSTimeInterval timeoutIntervalForRequest CK_10_UNTIL_11("Use CKOperationConfiguration");
@property (nonatomic, assign) NSTimeInterval timeoutIntervalForResource CK_10_UNTIL_11("Use CKOperationConfiguration");

@end

typedef NS_ENUM(NSInteger, CKOperationGroupTransferSize) {
    CKOperationGroupTransferSizeUnknown = 0,
    CKOperationGroupTransferSizeKilobytes = 1,
    CKOperationGroupTransferSizeMegabytes = 2,
    CKOperationGroupTransferSizeTensOfMegabytes = 3,
    CKOperationGroupTransferSizeHundredsOfMegabytes = 4,
    CKOperationGroupTransferSizeGigabytes = 5,
    CKOperationGroupTransferSizeTensOfGigabytes = 6,
    CKOperationGroupTransferSizeHundredsOfGigabytes = 7,
} NS_SWIFT_NAME(CKOperationGroup.TransferSize) CK_SINCE_11;

CK_SINCE_11 CK_NOT_SENDABLE
@interface CKOperationGroup : NSObject <NSSecureCoding, NSCopying>

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithCoder:(NSCoder *)aDecoder NS_DESIGNATED_INITIALIZER;

@property (nonatomic, readonly, copy) NSString *operationGroupID;
@property (nonatomic, copy, null_resettable) CKOperationConfiguration *defaultConfiguration;
@property (nonatomic, copy, nullable) NSString *name;
@property (nonatomic, assign) NSUInteger quantity;
@property (nonatomic, assign) CKOperationGroupTransferSize expectedSendSize;
@property (nonatomic, assign) CKOperationGroupTransferSize expectedReceiveSize;

@end

CK_SINCE_8
@interface CKDatabaseOperation : CKOperation

- (instancetype)init NS_DESIGNATED_INITIALIZER;

@property (nonatomic, strong, nullable) CKDatabase *database;

@end

NS_ASSUME_NONNULL_END
