#pragma once
#import "CoreDataDefines.h"

NS_ASSUME_NONNULL_BEGIN

extern NSString *const NSDetailedErrorsKey;
extern NSString *const NSValidationObjectErrorKey;
extern NSString *const NSValidationKeyErrorKey;
extern NSString *const NSValidationPredicateErrorKey;
extern NSString *const NSValidationValueErrorKey;
extern NSString *const NSAffectedStoresErrorKey;
extern NSString *const NSAffectedObjectsErrorKey;
extern NSString *const NSPersistentStoreSaveConflictsErrorKey CORE_DATA_IOS_5;
extern NSString *const NSSQLiteErrorDomain;

// The numbers. The names that Swift's CocoaError.Code has for them are in the overlay.
enum : NSInteger {
    NSManagedObjectValidationError = 1550,
    NSManagedObjectConstraintValidationError CORE_DATA_IOS_9 = 1551,
    NSValidationMultipleErrorsError = 1560,
    NSValidationMissingMandatoryPropertyError = 1570,
    NSValidationRelationshipLacksMinimumCountError = 1580,
    NSValidationRelationshipExceedsMaximumCountError = 1590,
    NSValidationRelationshipDeniedDeleteError = 1600,
    NSValidationNumberTooLargeError = 1610,
    NSValidationNumberTooSmallError = 1620,
    NSValidationDateTooLateError = 1630,
    NSValidationDateTooSoonError = 1640,
    NSValidationInvalidDateError = 1650,
    NSValidationStringTooLongError = 1660,
    NSValidationStringTooShortError = 1670,
    NSValidationStringPatternMatchingError = 1680,
    NSValidationInvalidURIError = 1690,
    NSManagedObjectContextLockingError = 132000,
    NSPersistentStoreCoordinatorLockingError = 132010,
    NSManagedObjectReferentialIntegrityError = 133000,
    NSManagedObjectExternalRelationshipError = 133010,
    NSManagedObjectMergeError = 133020,
    NSManagedObjectConstraintMergeError CORE_DATA_IOS_9 = 133021,
    NSPersistentStoreInvalidTypeError = 134000,
    NSPersistentStoreTypeMismatchError = 134010,
    NSPersistentStoreIncompatibleSchemaError = 134020,
    NSPersistentStoreSaveError = 134030,
    NSPersistentStoreIncompleteSaveError = 134040,
    NSPersistentStoreSaveConflictsError = 134050,
    NSCoreDataError = 134060,
    NSPersistentStoreOperationError = 134070,
    NSPersistentStoreOpenError = 134080,
    NSPersistentStoreTimeoutError = 134090,
    NSPersistentStoreUnsupportedRequestTypeError = 134091,
    NSPersistentStoreIncompatibleVersionHashError = 134100,
    NSMigrationError = 134110,
    NSMigrationConstraintViolationError CORE_DATA_IOS_9 = 134111,
    NSMigrationCancelledError = 134120,
    NSMigrationMissingSourceModelError = 134130,
    NSMigrationMissingMappingModelError = 134140,
    NSMigrationManagerSourceStoreError = 134150,
    NSMigrationManagerDestinationStoreError = 134160,
    NSEntityMigrationPolicyError = 134170,
    NSSQLiteError = 134180,
    NSInferredMappingModelError = 134190,
    NSExternalRecordImportError = 134200,
    NSPersistentHistoryTokenExpiredError CORE_DATA_IOS_11 = 134301,
    NSManagedObjectModelReferenceNotFoundError CORE_DATA_IOS_17 = 134504,
    NSStagedMigrationFrameworkVersionMismatchError CORE_DATA_IOS_17 = 134505,
    NSStagedMigrationBackwardMigrationError CORE_DATA_IOS_17 = 134506,
};

NS_ASSUME_NONNULL_END
