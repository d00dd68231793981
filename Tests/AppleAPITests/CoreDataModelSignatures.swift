import CoreData

// Spells the signatures of Core Data's model classes and errors as in Apple's documentation.
// Nothing here is called: if it compiles, code written for Apple's framework does.

// MARK: - NSManagedObjectModel

private func managedObjectModel(url: URL, bundles: [Bundle], metadata: [String: Any]) {
    let model: NSManagedObjectModel = NSManagedObjectModel()
    let read: NSManagedObjectModel? = NSManagedObjectModel(contentsOf: url)
    let merged: NSManagedObjectModel? = NSManagedObjectModel(byMerging: [model])
    let main: NSManagedObjectModel? = NSManagedObjectModel(byMerging: nil)
    let stored: NSManagedObjectModel? = NSManagedObjectModel(
        byMerging: [model], forStoreMetadata: metadata)
    let found: NSManagedObjectModel? = NSManagedObjectModel.mergedModel(from: bundles)
    let foundInMain: NSManagedObjectModel? = NSManagedObjectModel.mergedModel(from: nil)
    let foundForStore: NSManagedObjectModel? = NSManagedObjectModel.mergedModel(
        from: bundles, forStoreMetadata: metadata)
    let all: [NSEntityDescription]? = model.entities(forConfigurationName: nil)
    let some: [NSEntityDescription]? = model.entities(forConfigurationName: "Public")
    let isCompatible: Bool = model.isConfiguration(
        withName: nil, compatibleWithStoreMetadata: metadata)
    model.setEntities([NSEntityDescription](), forConfigurationName: "Public")
    let configurations: [String] = model.configurations
    var entities: [NSEntityDescription] = model.entities
    model.entities = entities
    let byName: [String: NSEntityDescription] = model.entitiesByName
    let hashes: [String: Data] = model.entityVersionHashesByName
    let checksum: String = model.versionChecksum
    var identifiers: Set<AnyHashable> = model.versionIdentifiers
    model.versionIdentifiers = identifiers
    let template: NSFetchRequest<any NSFetchRequestResult>? = model.fetchRequestTemplate(
        forName: "all")
    let request: NSFetchRequest<any NSFetchRequestResult>? = model.fetchRequestFromTemplate(
        withName: "all", substitutionVariables: ["NAME": "value"])
    model.setFetchRequestTemplate(template, forName: "all")
    let templates: [String: NSFetchRequest<any NSFetchRequestResult>] =
        model.fetchRequestTemplatesByName
    spelled(request, templates)
    model.localizationDictionary = model.localizationDictionary as [String: String]?
    let copy: Any = model.copy()
    (entities, identifiers) = ([], [])
    spelled(
        read, merged, main, stored, found, foundInMain, foundForStore, all, some, isCompatible,
        configurations, byName, hashes, checksum, copy, entities, identifiers)
}

// MARK: - NSEntityDescription

private func entityDescription(entity: NSEntityDescription) {
    let new: NSEntityDescription = NSEntityDescription()
    let isKind: Bool = entity.isKindOf(entity: new)
    let relationships: [NSRelationshipDescription] = entity.relationships(forDestination: new)
    let model: NSManagedObjectModel = entity.managedObjectModel
    let superentity: NSEntityDescription? = entity.superentity
    let attributesByName: [String: NSAttributeDescription] = entity.attributesByName
    let relationshipsByName: [String: NSRelationshipDescription] = entity.relationshipsByName
    let propertiesByName: [String: NSPropertyDescription] = entity.propertiesByName
    let subentitiesByName: [String: NSEntityDescription] = entity.subentitiesByName
    entity.compoundIndexes = entity.compoundIndexes as [[Any]]
    entity.indexes = entity.indexes as [NSFetchIndexDescription]
    entity.isAbstract = entity.isAbstract as Bool
    entity.managedObjectClassName = entity.managedObjectClassName as String?
    let className: String = entity.managedObjectClassName
    entity.name = entity.name as String?
    entity.properties = entity.properties as [NSPropertyDescription]
    entity.renamingIdentifier = entity.renamingIdentifier as String?
    entity.subentities = entity.subentities as [NSEntityDescription]
    entity.uniquenessConstraints = entity.uniquenessConstraints as [[Any]]
    entity.userInfo = entity.userInfo as [AnyHashable: Any]?
    let versionHash: Data = entity.versionHash
    entity.versionHashModifier = entity.versionHashModifier as String?
    let copy: Any = entity.copy()
    spelled(
        isKind, relationships, model, superentity, attributesByName, relationshipsByName,
        propertiesByName, subentitiesByName, className, versionHash, copy)
}

// MARK: - NSPropertyDescription

private func propertyDescription(property: NSPropertyDescription, predicate: NSPredicate) {
    property.setValidationPredicates([predicate], withValidationWarnings: ["warning"])
    property.setValidationPredicates(nil, withValidationWarnings: nil)
    let entity: NSEntityDescription = property.entity
    property.isIndexed = property.isIndexed as Bool
    property.isOptional = property.isOptional as Bool
    property.isTransient = property.isTransient as Bool
    property.name = property.name as String
    property.renamingIdentifier = property.renamingIdentifier as String?
    property.userInfo = property.userInfo as [AnyHashable: Any]?
    let predicates: [NSPredicate] = property.validationPredicates
    let warnings: [Any] = property.validationWarnings
    let versionHash: Data = property.versionHash
    property.versionHashModifier = property.versionHashModifier as String?
    let copy: Any = property.copy()
    spelled(NSPropertyDescription(), entity, predicates, warnings, versionHash, copy)
}

// MARK: - NSAttributeDescription

private func attributeDescription(attribute: NSAttributeDescription) {
    attribute.allowsCloudEncryption = attribute.allowsCloudEncryption as Bool
    attribute.allowsExternalBinaryDataStorage = attribute.allowsExternalBinaryDataStorage as Bool
    attribute.attributeType = attribute.attributeType as NSAttributeType
    attribute.attributeValueClassName = attribute.attributeValueClassName as String?
    attribute.defaultValue = attribute.defaultValue as Any?
    attribute.preservesValueInHistoryOnDeletion =
        attribute.preservesValueInHistoryOnDeletion as Bool
    attribute.type = attribute.type as NSAttributeDescription.AttributeType
    attribute.valueTransformerName = attribute.valueTransformerName as String?
    let versionHash: Data = attribute.versionHash
    let types: [NSAttributeDescription.AttributeType] = [
        .binaryData, .boolean, .date, .decimal, .double, .float, .integer16, .integer32,
        .integer64, .objectID, .string, .transformable, .undefined, .uri, .uuid, .composite,
    ]
    let oldTypes: [NSAttributeType] = [
        .binaryDataAttributeType, .booleanAttributeType, .dateAttributeType,
        .decimalAttributeType, .doubleAttributeType, .floatAttributeType,
        .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
        .stringAttributeType, .undefinedAttributeType, .compositeAttributeType,
        .objectIDAttributeType, .transformableAttributeType, .URIAttributeType,
        .UUIDAttributeType,
    ]
    spelled(NSAttributeDescription(), versionHash, types, oldTypes)
}

private func otherAttributeDescriptions(
    derived: NSDerivedAttributeDescription, composite: NSCompositeAttributeDescription
) {
    derived.derivationExpression = derived.derivationExpression as NSExpression?
    composite.elements = composite.elements as [NSAttributeDescription]
    let attributes: [NSAttributeDescription] = [derived, composite]
    spelled(NSDerivedAttributeDescription(), NSCompositeAttributeDescription(), attributes)
}

// MARK: - NSRelationshipDescription

private func relationshipDescription(relationship: NSRelationshipDescription) {
    relationship.destinationEntity = relationship.destinationEntity as NSEntityDescription?
    relationship.inverseRelationship =
        relationship.inverseRelationship as NSRelationshipDescription?
    relationship.deleteRule = relationship.deleteRule as NSDeleteRule
    relationship.isOrdered = relationship.isOrdered as Bool
    relationship.maxCount = relationship.maxCount as Int
    relationship.minCount = relationship.minCount as Int
    let isToMany: Bool = relationship.isToMany
    let versionHash: Data = relationship.versionHash
    let rules: [NSDeleteRule] = [
        .cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule, .nullifyDeleteRule,
    ]
    spelled(NSRelationshipDescription(), isToMany, versionHash, rules)
}

// MARK: - Expressions and indexes

private func expressionDescription(description: NSExpressionDescription) {
    description.expression = description.expression as NSExpression?
    description.expressionResultType = description.expressionResultType as NSAttributeType
    description.resultType = description.resultType as NSAttributeDescription.AttributeType
    let property: NSPropertyDescription = description
    spelled(NSExpressionDescription(), property)
}

private func fetchedPropertyDescription(description: NSFetchedPropertyDescription) {
    description.fetchRequest =
        description.fetchRequest as NSFetchRequest<any NSFetchRequestResult>?
    let property: NSPropertyDescription = description
    spelled(NSFetchedPropertyDescription(), property)
}

private func fetchIndexDescription(property: NSPropertyDescription, predicate: NSPredicate) {
    let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
    element.collationType = .rTree
    element.isAscending = element.isAscending as Bool
    let index = NSFetchIndexDescription(name: "index", elements: [element])
    index.name = index.name as String
    index.elements = index.elements as [NSFetchIndexElementDescription]
    index.partialIndexPredicate = predicate as NSPredicate?
    let entity: NSEntityDescription? = index.entity
    let indexed: NSPropertyDescription? = element.property
    let name: String? = element.propertyName
    let owner: NSFetchIndexDescription? = element.indexDescription
    spelled(entity, indexed, name, owner)
}

// MARK: - Errors

private func errorNumbersAndKeys() {
    let numbers: [Int] = [
        NSManagedObjectValidationError, NSManagedObjectConstraintValidationError,
        NSValidationMultipleErrorsError, NSValidationMissingMandatoryPropertyError,
        NSValidationRelationshipLacksMinimumCountError,
        NSValidationRelationshipExceedsMaximumCountError,
        NSValidationRelationshipDeniedDeleteError, NSValidationNumberTooLargeError,
        NSValidationNumberTooSmallError, NSValidationDateTooLateError,
        NSValidationDateTooSoonError, NSValidationInvalidDateError,
        NSValidationStringTooLongError, NSValidationStringTooShortError,
        NSValidationStringPatternMatchingError, NSValidationInvalidURIError,
        NSManagedObjectContextLockingError, NSPersistentStoreCoordinatorLockingError,
        NSManagedObjectReferentialIntegrityError, NSManagedObjectExternalRelationshipError,
        NSManagedObjectMergeError, NSManagedObjectConstraintMergeError,
        NSPersistentStoreInvalidTypeError, NSPersistentStoreTypeMismatchError,
        NSPersistentStoreIncompatibleSchemaError, NSPersistentStoreSaveError,
        NSPersistentStoreIncompleteSaveError, NSPersistentStoreSaveConflictsError,
        NSCoreDataError, NSPersistentStoreOperationError, NSPersistentStoreOpenError,
        NSPersistentStoreTimeoutError, NSPersistentStoreUnsupportedRequestTypeError,
        NSPersistentStoreIncompatibleVersionHashError, NSMigrationError,
        NSMigrationConstraintViolationError, NSMigrationCancelledError,
        NSMigrationMissingSourceModelError, NSMigrationMissingMappingModelError,
        NSMigrationManagerSourceStoreError, NSMigrationManagerDestinationStoreError,
        NSEntityMigrationPolicyError, NSSQLiteError, NSInferredMappingModelError,
        NSExternalRecordImportError, NSPersistentHistoryTokenExpiredError,
    ]
    let keys: [String] = [
        NSSQLiteErrorDomain, NSDetailedErrorsKey, NSValidationObjectErrorKey,
        NSValidationKeyErrorKey, NSValidationPredicateErrorKey, NSValidationValueErrorKey,
        NSAffectedStoresErrorKey, NSAffectedObjectsErrorKey,
        NSPersistentStoreSaveConflictsErrorKey,
    ]
    spelled(numbers, keys)
}

private func errorCodes() {
    let codes: [CocoaError.Code] = [
        .managedObjectValidation, .validationMultipleErrors, .validationMissingMandatoryProperty,
        .validationRelationshipLacksMinimumCount, .validationRelationshipExceedsMaximumCount,
        .validationRelationshipDeniedDelete, .validationNumberTooLarge,
        .validationNumberTooSmall, .validationDateTooLate, .validationDateTooSoon,
        .validationInvalidDate, .validationStringTooLong, .validationStringTooShort,
        .validationStringPatternMatching, .managedObjectContextLocking,
        .persistentStoreCoordinatorLocking, .managedObjectReferentialIntegrity,
        .managedObjectExternalRelationship, .managedObjectMerge, .managedObjectConstraintMerge,
        .persistentStoreInvalidType, .persistentStoreTypeMismatch,
        .persistentStoreIncompatibleSchema, .persistentStoreSave, .persistentStoreIncompleteSave,
        .persistentStoreSaveConflicts, .coreData, .persistentStoreOperation,
        .persistentStoreOpen, .persistentStoreTimeout, .persistentStoreUnsupportedRequestType,
        .persistentStoreIncompatibleVersionHash, .migration, .migrationCancelled,
        .migrationMissingSourceModel, .migrationMissingMappingModel,
        .migrationManagerSourceStore, .migrationManagerDestinationStore, .entityMigrationPolicy,
        .sqlite, .inferredMappingModel, .externalRecordImport,
    ]
    do {
        throw CocoaError(.managedObjectMerge)
    } catch CocoaError.managedObjectMerge {
        spelled(codes)
    } catch {
        spelled(error)
    }
}

/// Consumes a value, so that the compiler does not report it as unused.
private func spelled(_ values: Any?...) {}
