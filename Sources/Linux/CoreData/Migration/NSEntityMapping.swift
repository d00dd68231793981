import FoundationGaps

/// How the objects of an entity are migrated.
public enum NSEntityMappingType: UInt, Sendable {
    /// Unspecified; treated as `customEntityMappingType`.
    case undefinedEntityMappingType = 0
    /// A policy class of the app decides.
    case customEntityMappingType = 1
    /// The entity is new, and there is nothing to migrate.
    case addEntityMappingType = 2
    /// The entity was removed, and so are its objects.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The entity has changed.
    case transformEntityMappingType = 5
}

/// The conversion of a source entity's objects to a destination entity's objects.
open class NSEntityMapping: NSObject {
    private var storedName: String?

    /// The name of the mapping, unique in its mapping model; by default derived from the names of
    /// the entities.
    open var name: String! {
        get {
            storedName
                ?? [sourceEntityName, destinationEntityName].compactMap { $0 }
                .joined(separator: "To")
        }
        set { storedName = newValue }
    }

    /// How the objects are migrated.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType

    /// The name of the entity in the source model; nil for a new entity.
    open var sourceEntityName: String?

    /// The version hash of the source entity.
    open var sourceEntityVersionHash: Data?

    /// The name of the entity in the destination model; nil for a removed entity.
    open var destinationEntityName: String?

    /// The version hash of the destination entity.
    open var destinationEntityVersionHash: Data?

    /// The values of the destination's attributes.
    open var attributeMappings: [NSPropertyMapping]?

    /// The values of the destination's relationships, which are set after all objects have been
    /// created.
    open var relationshipMappings: [NSPropertyMapping]?

    /// The objects to migrate: an expression with the variable `$manager` whose value is a
    /// collection of source objects. Nil means all objects of the source entity, without
    /// subentities.
    open var sourceExpression: NSExpression?

    /// Information of the app for its migration policy.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// The name of the subclass of `NSEntityMigrationPolicy` that does the work, with or without
    /// its module; nil for the standard policy.
    open var entityMigrationPolicyClassName: String?

    /// Creates an empty mapping.
    public override init() {
        super.init()
    }

    /// Whether the other object is a mapping with the same contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityMapping else { return false }
        return name == other.name && mappingType == other.mappingType
            && sourceEntityName == other.sourceEntityName
            && sourceEntityVersionHash == other.sourceEntityVersionHash
            && destinationEntityName == other.destinationEntityName
            && destinationEntityVersionHash == other.destinationEntityVersionHash
            && attributeMappings ?? [] == other.attributeMappings ?? []
            && relationshipMappings ?? [] == other.relationshipMappings ?? []
            && sourceExpression == other.sourceExpression
            && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
            && _areEqual(userInfo ?? [:], other.userInfo ?? [:])
    }

    /// A hash that agrees with ``isEqual(_:)``.
    open override var hash: Int { name.hashValue }

    open override var description: String {
        "(<\(type(of: self))>) name \(name ?? ""), mappingType \(mappingType.rawValue), "
            + "sourceEntityName \(sourceEntityName ?? "nil"), destinationEntityName "
            + "\(destinationEntityName ?? "nil")"
    }
}
