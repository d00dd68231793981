import FoundationGaps

/// The domain of SQLite's own error codes, used for underlying errors and as a key.
public let NSSQLiteErrorDomain: String = "NSSQLiteErrorDomain"

/// The errors (`[any Error]`) that an error combines.
public let NSDetailedErrorsKey: String = "NSDetailedErrors"

/// The object that failed validation.
public let NSValidationObjectErrorKey: String = "NSValidationErrorObject"

/// The name of the property that failed validation.
public let NSValidationKeyErrorKey: String = "NSValidationErrorKey"

/// The predicate that a value failed, or the text of the condition.
public let NSValidationPredicateErrorKey: String = "NSValidationErrorPredicate"

/// The value that failed validation.
public let NSValidationValueErrorKey: String = "NSValidationErrorValue"

/// The affected stores.
public let NSAffectedStoresErrorKey: String = "NSAffectedStoresErrorKey"

/// The affected objects.
public let NSAffectedObjectsErrorKey: String = "NSAffectedObjectsErrorKey"

/// The merge conflicts that stopped a save.
public let NSPersistentStoreSaveConflictsErrorKey: String = "conflictList"
