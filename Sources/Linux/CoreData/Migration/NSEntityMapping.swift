import FoundationGaps

/// What a migration does with the objects of an entity.
public enum NSEntityMappingType: UInt, Sendable {
    /// Not said; treated as `customEntityMappingType`.
    case undefinedEntityMappingType = 0
    /// A policy class of the app decides.
    case customEntityMappingType = 1
    /// The entity is new, and there is nothing to migrate.
    case addEntityMappingType = 2
    /// The entity is gone, and so are its objects.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The entity has changed.
    case transformEntityMappingType = 5
}

/// How the objects of a source entity become objects of a destination entity.
open class NSEntityMapping: NSObject {
    private var storedName: String?

    /// The name of the mapping, unique in its mapping model; made of the names of the entities
    /// where none was set.
    open var name: String! {
        get {
            storedName
                ?? [sourceEntityName, destinationEntityName].compactMap { $0 }
                .joined(separator: "To")
        }
        set { storedName = newValue }
    }

    /// What is done with the objects.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType

    /// The name of the entity in the source model; nil for an entity that is new.
    open var sourceEntityName: String?

    /// The version hash of the source entity.
    open var sourceEntityVersionHash: Data?

    /// The name of the entity in the destination model; nil for an entity that is gone.
    open var destinationEntityName: String?

    /// The version hash of the destination entity.
    open var destinationEntityVersionHash: Data?

    /// How the destination's attributes get their values.
    open var attributeMappings: [NSPropertyMapping]?

    /// How the destination's relationships get their values, after all objects were made.
    open var relationshipMappings: [NSPropertyMapping]?

    /// Which objects are migrated: an expression with the variable `$manager` whose value is a
    /// collection of source objects. Nil means all of the source entity, without sub-entities.
    open var sourceExpression: NSExpression?

    /// Notes of the app, for its migration policy.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// The name of the subclass of `NSEntityMigrationPolicy` that does the work, with or without
    /// its module; nil for the standard one.
    open var entityMigrationPolicyClassName: String?

    /// Creates a mapping of nothing.
    public override init() {
        super.init()
    }

    open override var description: String {
        "(<\(type(of: self))>) name \(name ?? ""), mappingType \(mappingType.rawValue), "
            + "sourceEntityName \(sourceEntityName ?? "nil"), destinationEntityName "
            + "\(destinationEntityName ?? "nil")"
    }
}
