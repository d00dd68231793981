import CoreData

/// Spells every signature of Apple's migration API with Apple's types.
private func mappingModelSignatures(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel, _ url: URL
) throws {
    let found: NSMappingModel? = NSMappingModel(
        from: [Bundle.main], forSourceModel: source, destinationModel: destination)
    let read: NSMappingModel? = NSMappingModel(contentsOf: url)
    let inferred: NSMappingModel = try NSMappingModel.inferredMappingModel(
        forSourceModel: source, destinationModel: destination)
    let model = NSMappingModel()
    let mappings: [NSEntityMapping]? = model.entityMappings
    model.entityMappings = mappings
    let byName: [String: NSEntityMapping] = model.entityMappingsByName
    _ = (found, read, inferred, byName)
}

private func entityMappingSignatures(_ expression: NSExpression) {
    let mapping = NSEntityMapping()
    let name: String? = mapping.name
    mapping.name = name
    let types: [NSEntityMappingType] = [
        .undefinedEntityMappingType, .customEntityMappingType, .addEntityMappingType,
        .removeEntityMappingType, .copyEntityMappingType, .transformEntityMappingType,
    ]
    let raw: [UInt] = types.map(\.rawValue)
    mapping.mappingType = types[0]
    let sourceName: String? = mapping.sourceEntityName
    mapping.sourceEntityName = sourceName
    let sourceHash: Data? = mapping.sourceEntityVersionHash
    mapping.sourceEntityVersionHash = sourceHash
    let destinationName: String? = mapping.destinationEntityName
    mapping.destinationEntityName = destinationName
    let destinationHash: Data? = mapping.destinationEntityVersionHash
    mapping.destinationEntityVersionHash = destinationHash
    let attributes: [NSPropertyMapping]? = mapping.attributeMappings
    mapping.attributeMappings = attributes
    let relationships: [NSPropertyMapping]? = mapping.relationshipMappings
    mapping.relationshipMappings = relationships
    let sourceExpression: NSExpression? = mapping.sourceExpression
    mapping.sourceExpression = sourceExpression
    let userInfo: [AnyHashable: Any]? = mapping.userInfo
    mapping.userInfo = userInfo
    let policy: String? = mapping.entityMigrationPolicyClassName
    mapping.entityMigrationPolicyClassName = policy
    let property = NSPropertyMapping()
    let propertyName: String? = property.name
    property.name = propertyName
    property.valueExpression = expression
    let value: NSExpression? = property.valueExpression
    let notes: [AnyHashable: Any]? = property.userInfo
    property.userInfo = notes
    _ = (raw, value)
}

private func managerSignatures(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel, _ url: URL,
    _ mappings: NSMappingModel, _ object: NSManagedObject, _ error: any Error
) throws {
    let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
    try manager.migrateStore(
        from: url, sourceType: NSSQLiteStoreType, options: nil, with: mappings,
        toDestinationURL: url, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    try manager.migrateStore(
        from: url, type: .sqlite, options: nil, mapping: mappings, to: url, type: .sqlite,
        options: nil)
    try manager.migrateStore(
        from: url, type: .sqlite, mapping: mappings, to: url, type: .sqlite)
    manager.reset()
    manager.cancelMigrationWithError(error)
    let uses: Bool = manager.usesStoreSpecificMigrationManager
    manager.usesStoreSpecificMigrationManager = uses
    let mappingModel: NSMappingModel = manager.mappingModel
    let models: [NSManagedObjectModel] = [manager.sourceModel, manager.destinationModel]
    let contexts: [NSManagedObjectContext] = [manager.sourceContext, manager.destinationContext]
    let current: NSEntityMapping = manager.currentEntityMapping
    let sourceEntity: NSEntityDescription? = manager.sourceEntity(for: current)
    let destinationEntity: NSEntityDescription? = manager.destinationEntity(for: current)
    manager.associate(sourceInstance: object, withDestinationInstance: object, for: current)
    let made: [NSManagedObject] = manager.destinationInstances(
        forEntityMappingName: "", sourceInstances: nil)
    let origins: [NSManagedObject] = manager.sourceInstances(
        forEntityMappingName: "", destinationInstances: made)
    let progress: Float = manager.migrationProgress
    let userInfo: [AnyHashable: Any]? = manager.userInfo
    manager.userInfo = userInfo
    let managerClass: AnyClass = NSPersistentStore.migrationManagerClass()
    _ = (mappingModel, models, contexts, sourceEntity, destinationEntity, origins, progress)
    _ = managerClass
}

private final class PolicySignatures: NSEntityMigrationPolicy {
    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {}
    override func endInstanceCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}
    override func createRelationships(
        forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping,
        manager: NSMigrationManager
    ) throws {}
    override func endRelationshipCreation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}
    override func performCustomValidation(
        forMapping mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {}
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
}

private let policyKeys: [String] = [
    NSMigrationManagerKey, NSMigrationSourceObjectKey, NSMigrationDestinationObjectKey,
    NSMigrationEntityMappingKey, NSMigrationPropertyMappingKey, NSMigrationEntityPolicyKey,
]
