import FoundationGaps

// Core Data's error codes in `NSCocoaErrorDomain`, with the names of Apple's header.

/// A property failed a validation predicate, or validation failed without a more specific code.
public let NSManagedObjectValidationError: Int = 1550

/// Uniqueness constraints were violated.
public let NSManagedObjectConstraintValidationError: Int = 1551

/// Several errors occurred; they are listed under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError: Int = 1560

/// A property that is not optional has no value.
public let NSValidationMissingMandatoryPropertyError: Int = 1570

/// A to-many relationship has fewer destinations than its minimum count.
public let NSValidationRelationshipLacksMinimumCountError: Int = 1580

/// A relationship has more destinations than its maximum count.
public let NSValidationRelationshipExceedsMaximumCountError: Int = 1590

/// A relationship whose rule is deny still has destinations.
public let NSValidationRelationshipDeniedDeleteError: Int = 1600

/// A number is above its maximum.
public let NSValidationNumberTooLargeError: Int = 1610

/// A number is below its minimum.
public let NSValidationNumberTooSmallError: Int = 1620

/// A date is after its maximum.
public let NSValidationDateTooLateError: Int = 1630

/// A date is before its minimum.
public let NSValidationDateTooSoonError: Int = 1640

/// A date is invalid.
public let NSValidationInvalidDateError: Int = 1650

/// A string is longer than its maximum length.
public let NSValidationStringTooLongError: Int = 1660

/// A string is shorter than its minimum length.
public let NSValidationStringTooShortError: Int = 1670

/// A string does not match its regular expression.
public let NSValidationStringPatternMatchingError: Int = 1680

/// A URI is invalid.
public let NSValidationInvalidURIError: Int = 1690

/// A context could not be locked.
public let NSManagedObjectContextLockingError: Int = 132_000

/// A coordinator could not be locked.
public let NSPersistentStoreCoordinatorLockingError: Int = 132_010

/// A referenced object does not exist in its store.
public let NSManagedObjectReferentialIntegrityError: Int = 133_000

/// An object is related to an object of another store.
public let NSManagedObjectExternalRelationshipError: Int = 133_010

/// The store's row has changed since the context read it, and the merge policy is the error policy.
public let NSManagedObjectMergeError: Int = 133_020

/// Uniqueness constraints were violated, and the merge policy does not resolve it.
public let NSManagedObjectConstraintMergeError: Int = 133_021

/// No class is registered for a store type.
public let NSPersistentStoreInvalidTypeError: Int = 134_000

/// The file is of another store type.
public let NSPersistentStoreTypeMismatchError: Int = 134_010

/// The store cannot hold the model or answer the request.
public let NSPersistentStoreIncompatibleSchemaError: Int = 134_020

/// A store could not be saved.
public let NSPersistentStoreSaveError: Int = 134_030

/// Only some of the stores were saved.
public let NSPersistentStoreIncompleteSaveError: Int = 134_040

/// A save has unresolved conflicts.
public let NSPersistentStoreSaveConflictsError: Int = 134_050

/// Core Data failed without a more specific code.
public let NSCoreDataError: Int = 134_060

/// An operation on a store failed.
public let NSPersistentStoreOperationError: Int = 134_070

/// A store could not be opened.
public let NSPersistentStoreOpenError: Int = 134_080

/// A store did not answer in time.
public let NSPersistentStoreTimeoutError: Int = 134_090

/// A store does not support a request's type.
public let NSPersistentStoreUnsupportedRequestTypeError: Int = 134_091

/// The store was written with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError: Int = 134_100

/// A migration failed.
public let NSMigrationError: Int = 134_110

/// A migration violated uniqueness constraints.
public let NSMigrationConstraintViolationError: Int = 134_111

/// A migration was canceled.
public let NSMigrationCancelledError: Int = 134_120

/// The model that the store was written with was not found.
public let NSMigrationMissingSourceModelError: Int = 134_130

/// There is no mapping model from the store's model to the current one.
public let NSMigrationMissingMappingModelError: Int = 134_140

/// A migration could not read its source store.
public let NSMigrationManagerSourceStoreError: Int = 134_150

/// A migration could not write its destination store.
public let NSMigrationManagerDestinationStoreError: Int = 134_160

/// An entity migration policy failed.
public let NSEntityMigrationPolicyError: Int = 134_170

/// SQLite failed; its code is under `NSSQLiteErrorDomain`.
public let NSSQLiteError: Int = 134_180

/// No mapping model could be inferred.
public let NSInferredMappingModelError: Int = 134_190

/// External records could not be imported.
public let NSExternalRecordImportError: Int = 134_200

/// A history token is older than the available history.
public let NSPersistentHistoryTokenExpiredError: Int = 134_301
