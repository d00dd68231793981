#pragma once
#include "CKDefines.h"

NS_ASSUME_NONNULL_BEGIN

CK_EXTERN NSString *const CKErrorDomain CK_SINCE_8;
CK_EXTERN NSString *const CKPartialErrorsByItemIDKey CK_SINCE_8;
CK_EXTERN NSString *const CKRecordChangedErrorAncestorRecordKey CK_SINCE_8;
CK_EXTERN NSString *const CKRecordChangedErrorServerRecordKey CK_SINCE_8;
CK_EXTERN NSString *const CKRecordChangedErrorClientRecordKey CK_SINCE_8;
CK_EXTERN NSString *const CKErrorUserDidResetEncryptedDataKey CK_SINCE_15;
CK_EXTERN NSString *const CKErrorRetryAfterKey CK_SINCE_8;

typedef NS_ERROR_ENUM(CKErrorDomain, CKErrorCode) {
    CKErrorInternalError = 1,
    CKErrorPartialFailure = 2,
    CKErrorNetworkUnavailable = 3,
    CKErrorNetworkFailure = 4,
    CKErrorBadContainer = 5,
    CKErrorServiceUnavailable = 6,
    CKErrorRequestRateLimited = 7,
    CKErrorMissingEntitlement = 8,
    CKErrorNotAuthenticated = 9,
    CKErrorPermissionFailure = 10,
    CKErrorUnknownItem = 11,
    CKErrorInvalidArguments = 12,
    CKErrorResultsTruncated CK_8_UNTIL_10("It is not returned any more.") = 13,
    CKErrorServerRecordChanged = 14,
    CKErrorServerRejectedRequest = 15,
    CKErrorAssetFileNotFound = 16,
    CKErrorAssetFileModified = 17,
    CKErrorIncompatibleVersion = 18,
    CKErrorConstraintViolation = 19,
    CKErrorOperationCancelled = 20,
    CKErrorChangeTokenExpired = 21,
    CKErrorBatchRequestFailed = 22,
    CKErrorZoneBusy = 23,
    CKErrorBadDatabase = 24,
    CKErrorQuotaExceeded = 25,
    CKErrorZoneNotFound = 26,
    CKErrorLimitExceeded = 27,
    CKErrorUserDeletedZone = 28,
    CKErrorTooManyParticipants CK_SINCE_10 = 29,
    CKErrorAlreadyShared CK_SINCE_10 = 30,
    CKErrorReferenceViolation CK_SINCE_10 = 31,
    CKErrorManagedAccountRestricted CK_SINCE_10 = 32,
    CKErrorParticipantMayNeedVerification CK_SINCE_10 = 33,
    CKErrorServerResponseLost CK_SINCE_11 = 34,
    CKErrorAssetNotAvailable CK_SINCE_11_3 = 35,
    CKErrorAccountTemporarilyUnavailable CK_SINCE_15 = 36,
    CKErrorParticipantAlreadyInvited CK_SINCE_26 = 37,
} CK_SINCE_8;

NS_ASSUME_NONNULL_END
