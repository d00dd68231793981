import FoundationGaps

// Apple adds these names in CoreData's overlay of Foundation's `CocoaError`.

extension CocoaError.Code {
    /// The code `NSManagedObjectValidationError`.
    public static var managedObjectValidation: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectValidationError)
    }

    /// The code `NSValidationMultipleErrorsError`.
    public static var validationMultipleErrors: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationMultipleErrorsError)
    }

    /// The code `NSValidationMissingMandatoryPropertyError`.
    public static var validationMissingMandatoryProperty: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationMissingMandatoryPropertyError)
    }

    /// The code `NSValidationRelationshipLacksMinimumCountError`.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationRelationshipLacksMinimumCountError)
    }

    /// The code `NSValidationRelationshipExceedsMaximumCountError`.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationRelationshipExceedsMaximumCountError)
    }

    /// The code `NSValidationRelationshipDeniedDeleteError`.
    public static var validationRelationshipDeniedDelete: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationRelationshipDeniedDeleteError)
    }

    /// The code `NSValidationNumberTooLargeError`.
    public static var validationNumberTooLarge: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationNumberTooLargeError)
    }

    /// The code `NSValidationNumberTooSmallError`.
    public static var validationNumberTooSmall: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationNumberTooSmallError)
    }

    /// The code `NSValidationDateTooLateError`.
    public static var validationDateTooLate: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationDateTooLateError)
    }

    /// The code `NSValidationDateTooSoonError`.
    public static var validationDateTooSoon: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationDateTooSoonError)
    }

    /// The code `NSValidationInvalidDateError`.
    public static var validationInvalidDate: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationInvalidDateError)
    }

    /// The code `NSValidationStringTooLongError`.
    public static var validationStringTooLong: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationStringTooLongError)
    }

    /// The code `NSValidationStringTooShortError`.
    public static var validationStringTooShort: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationStringTooShortError)
    }

    /// The code `NSValidationStringPatternMatchingError`.
    public static var validationStringPatternMatching: CocoaError.Code {
        CocoaError.Code(rawValue: NSValidationStringPatternMatchingError)
    }

    /// The code `NSManagedObjectContextLockingError`.
    public static var managedObjectContextLocking: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectContextLockingError)
    }

    /// The code `NSPersistentStoreCoordinatorLockingError`.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreCoordinatorLockingError)
    }

    /// The code `NSManagedObjectReferentialIntegrityError`.
    public static var managedObjectReferentialIntegrity: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError)
    }

    /// The code `NSManagedObjectExternalRelationshipError`.
    public static var managedObjectExternalRelationship: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectExternalRelationshipError)
    }

    /// The code `NSManagedObjectMergeError`.
    public static var managedObjectMerge: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectMergeError)
    }

    /// The code `NSManagedObjectConstraintMergeError`.
    public static var managedObjectConstraintMerge: CocoaError.Code {
        CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
    }

    /// The code `NSPersistentStoreInvalidTypeError`.
    public static var persistentStoreInvalidType: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreInvalidTypeError)
    }

    /// The code `NSPersistentStoreTypeMismatchError`.
    public static var persistentStoreTypeMismatch: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreTypeMismatchError)
    }

    /// The code `NSPersistentStoreIncompatibleSchemaError`.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreIncompatibleSchemaError)
    }

    /// The code `NSPersistentStoreSaveError`.
    public static var persistentStoreSave: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreSaveError)
    }

    /// The code `NSPersistentStoreIncompleteSaveError`.
    public static var persistentStoreIncompleteSave: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreIncompleteSaveError)
    }

    /// The code `NSPersistentStoreSaveConflictsError`.
    public static var persistentStoreSaveConflicts: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreSaveConflictsError)
    }

    /// The code `NSCoreDataError`.
    public static var coreData: CocoaError.Code {
        CocoaError.Code(rawValue: NSCoreDataError)
    }

    /// The code `NSPersistentStoreOperationError`.
    public static var persistentStoreOperation: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreOperationError)
    }

    /// The code `NSPersistentStoreOpenError`.
    public static var persistentStoreOpen: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreOpenError)
    }

    /// The code `NSPersistentStoreTimeoutError`.
    public static var persistentStoreTimeout: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreTimeoutError)
    }

    /// The code `NSPersistentStoreUnsupportedRequestTypeError`.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
    }

    /// The code `NSPersistentStoreIncompatibleVersionHashError`.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError)
    }

    /// The code `NSMigrationError`.
    public static var migration: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationError)
    }

    /// The code `NSMigrationCancelledError`.
    public static var migrationCancelled: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationCancelledError)
    }

    /// The code `NSMigrationMissingSourceModelError`.
    public static var migrationMissingSourceModel: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationMissingSourceModelError)
    }

    /// The code `NSMigrationMissingMappingModelError`.
    public static var migrationMissingMappingModel: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationMissingMappingModelError)
    }

    /// The code `NSMigrationManagerSourceStoreError`.
    public static var migrationManagerSourceStore: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationManagerSourceStoreError)
    }

    /// The code `NSMigrationManagerDestinationStoreError`.
    public static var migrationManagerDestinationStore: CocoaError.Code {
        CocoaError.Code(rawValue: NSMigrationManagerDestinationStoreError)
    }

    /// The code `NSEntityMigrationPolicyError`.
    public static var entityMigrationPolicy: CocoaError.Code {
        CocoaError.Code(rawValue: NSEntityMigrationPolicyError)
    }

    /// The code `NSSQLiteError`.
    public static var sqlite: CocoaError.Code {
        CocoaError.Code(rawValue: NSSQLiteError)
    }

    /// The code `NSInferredMappingModelError`.
    public static var inferredMappingModel: CocoaError.Code {
        CocoaError.Code(rawValue: NSInferredMappingModelError)
    }

    /// The code `NSExternalRecordImportError`.
    public static var externalRecordImport: CocoaError.Code {
        CocoaError.Code(rawValue: NSExternalRecordImportError)
    }
}
