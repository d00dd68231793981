import FoundationGaps

// The same names on `CocoaError` itself, for `catch CocoaError.managedObjectMerge`.

extension CocoaError {
    /// The code `NSManagedObjectValidationError`.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }

    /// The code `NSValidationMultipleErrorsError`.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }

    /// The code `NSValidationMissingMandatoryPropertyError`.
    public static var validationMissingMandatoryProperty: CocoaError.Code {
        .validationMissingMandatoryProperty
    }

    /// The code `NSValidationRelationshipLacksMinimumCountError`.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        .validationRelationshipLacksMinimumCount
    }

    /// The code `NSValidationRelationshipExceedsMaximumCountError`.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        .validationRelationshipExceedsMaximumCount
    }

    /// The code `NSValidationRelationshipDeniedDeleteError`.
    public static var validationRelationshipDeniedDelete: CocoaError.Code {
        .validationRelationshipDeniedDelete
    }

    /// The code `NSValidationNumberTooLargeError`.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }

    /// The code `NSValidationNumberTooSmallError`.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }

    /// The code `NSValidationDateTooLateError`.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }

    /// The code `NSValidationDateTooSoonError`.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }

    /// The code `NSValidationInvalidDateError`.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }

    /// The code `NSValidationStringTooLongError`.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }

    /// The code `NSValidationStringTooShortError`.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }

    /// The code `NSValidationStringPatternMatchingError`.
    public static var validationStringPatternMatching: CocoaError.Code {
        .validationStringPatternMatching
    }

    /// The code `NSManagedObjectContextLockingError`.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }

    /// The code `NSPersistentStoreCoordinatorLockingError`.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code {
        .persistentStoreCoordinatorLocking
    }

    /// The code `NSManagedObjectReferentialIntegrityError`.
    public static var managedObjectReferentialIntegrity: CocoaError.Code {
        .managedObjectReferentialIntegrity
    }

    /// The code `NSManagedObjectExternalRelationshipError`.
    public static var managedObjectExternalRelationship: CocoaError.Code {
        .managedObjectExternalRelationship
    }

    /// The code `NSManagedObjectMergeError`.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }

    /// The code `NSManagedObjectConstraintMergeError`.
    public static var managedObjectConstraintMerge: CocoaError.Code {
        .managedObjectConstraintMerge
    }

    /// The code `NSPersistentStoreInvalidTypeError`.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }

    /// The code `NSPersistentStoreTypeMismatchError`.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }

    /// The code `NSPersistentStoreIncompatibleSchemaError`.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code {
        .persistentStoreIncompatibleSchema
    }

    /// The code `NSPersistentStoreSaveError`.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }

    /// The code `NSPersistentStoreIncompleteSaveError`.
    public static var persistentStoreIncompleteSave: CocoaError.Code {
        .persistentStoreIncompleteSave
    }

    /// The code `NSPersistentStoreSaveConflictsError`.
    public static var persistentStoreSaveConflicts: CocoaError.Code {
        .persistentStoreSaveConflicts
    }

    /// The code `NSCoreDataError`.
    public static var coreData: CocoaError.Code { .coreData }

    /// The code `NSPersistentStoreOperationError`.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }

    /// The code `NSPersistentStoreOpenError`.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }

    /// The code `NSPersistentStoreTimeoutError`.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }

    /// The code `NSPersistentStoreUnsupportedRequestTypeError`.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
        .persistentStoreUnsupportedRequestType
    }

    /// The code `NSPersistentStoreIncompatibleVersionHashError`.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        .persistentStoreIncompatibleVersionHash
    }

    /// The code `NSMigrationError`.
    public static var migration: CocoaError.Code { .migration }

    /// The code `NSMigrationCancelledError`.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }

    /// The code `NSMigrationMissingSourceModelError`.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }

    /// The code `NSMigrationMissingMappingModelError`.
    public static var migrationMissingMappingModel: CocoaError.Code {
        .migrationMissingMappingModel
    }

    /// The code `NSMigrationManagerSourceStoreError`.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }

    /// The code `NSMigrationManagerDestinationStoreError`.
    public static var migrationManagerDestinationStore: CocoaError.Code {
        .migrationManagerDestinationStore
    }

    /// The code `NSEntityMigrationPolicyError`.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }

    /// The code `NSSQLiteError`.
    public static var sqlite: CocoaError.Code { .sqlite }

    /// The code `NSInferredMappingModelError`.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }

    /// The code `NSExternalRecordImportError`.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
