import FoundationGaps
import Synchronization

/// A managed object model: the entities of an app's data and their relationships.
///
/// A model can be changed until a coordinator or a managed object uses it. After that, every setter
/// stops the process with Apple's exception text. A copy can be changed again.
open class NSManagedObjectModel: NSObject, NSCopying {
    let frozen = Atomic<Bool>(false)
    private var storedEntities: [NSEntityDescription] = []
    private(set) var entityNamesByConfiguration: [String: [String]] = [:]
    var templates: [String: NSFetchRequest<any NSFetchRequestResult>] = [:]

    /// Creates a model without entities.
    public override init() {
        super.init()
    }

    /// Creates a model with copies of other models' entities.
    ///
    /// If several models contain an entity, it must have the same version in all.
    ///
    /// - Parameter models: The models; nil for those of the main bundle, as in
    ///   `mergedModel(from:)`.
    public init?(byMerging models: [NSManagedObjectModel]?) {
        super.init()
        if let models {
            merge(models)
        } else {
            guard let found = NSManagedObjectModel.mergedModel(from: nil) else { return nil }
            merge([found])
        }
    }

    /// Merges the models that a store was written with.
    ///
    /// - Parameters:
    ///   - models: Models, which may include several versions of one.
    ///   - metadata: The store's metadata, with the version hashes of its entities.
    /// - Returns: nil if the models do not contain all the entities in the store's versions.
    public init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any])
    {
        guard let stored = NSManagedObjectModel.versionHashes(in: metadata) else { return nil }
        super.init()
        merge(
            models.filter { model in
                let hashes = model.entityVersionHashesByName
                return hashes.allSatisfy { stored[$0.key] == $0.value }
            })
        if entityVersionHashesByName != stored { return nil }
    }

    /// Whether the model is in use and cannot be changed.
    final var isFrozen: Bool { frozen.load(ordering: .acquiring) }

    /// The identifiers of the model's version.
    open var versionIdentifiers: Set<AnyHashable> = [] {
        willSet { requireEditable() }
    }

    /// Localized strings for the names and warnings of the model; stored, but not used here.
    open var localizationDictionary: [String: String]? {
        willSet { requireEditable() }
    }

    // MARK: - Entities

    /// The entities of the model. Subentities of the given ones are added automatically.
    open var entities: [NSEntityDescription] {
        get { storedEntities }
        set {
            requireEditable()
            for entity in storedEntities { entity.model = nil }
            storedEntities = []
            var seen = Set<ObjectIdentifier>()
            for entity in newValue.flatMap(\.hierarchy)
            where seen.insert(ObjectIdentifier(entity)).inserted {
                entity.model = self
                storedEntities.append(entity)
            }
        }
    }

    /// The entities of the model by name.
    public final var entitiesByName: [String: NSEntityDescription] {
        Dictionary(
            storedEntities.compactMap { entity in entity.name.map { ($0, entity) } },
            uniquingKeysWith: { $1 })
    }

    /// The version hashes of all entities by name.
    public final var entityVersionHashesByName: [String: Data] {
        entitiesByName.mapValues(\.versionHash)
    }

    // MARK: - Configurations

    /// The names of the model's configurations.
    public final var configurations: [String] { Array(entityNamesByConfiguration.keys) }

    /// The entities of a configuration.
    ///
    /// - Parameter configuration: The name of a configuration; nil for all entities.
    /// - Returns: The entities, or nil if there is no such configuration.
    open func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else {
            return storedEntities
        }
        guard let names = entityNamesByConfiguration[configuration] else { return nil }
        let byName = entitiesByName
        return names.compactMap { byName[$0] }
    }

    /// Defines a configuration: a named part of the entities, which a store can be limited to.
    ///
    /// - Parameters:
    ///   - entities: Entities of this model.
    ///   - configuration: The configuration's name; an existing one is replaced.
    open func setEntities(
        _ entities: [NSEntityDescription], forConfigurationName configuration: String
    ) {
        requireEditable()
        entityNamesByConfiguration[configuration] = entities.compactMap(\.name)
    }

    // MARK: - NSCopying

    /// An independent model that can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSManagedObjectModel()
        let roots = storedEntities.filter { $0.superentity == nil }
        copy.entities = roots.compactMap { $0.copy() as? NSEntityDescription }
        copy.relinkEntities()
        copy.versionIdentifiers = versionIdentifiers
        copy.entityNamesByConfiguration = entityNamesByConfiguration
        copy.copyTemplates(of: self)
        copy.localizationDictionary = localizationDictionary
        return copy
    }

    /// Stops the process if the model is in use.
    final func requireEditable() {
        if isFrozen {
            raise(.internalInconsistency, "Can't modify an immutable model.")
        }
    }

    /// Whether the other object is a model with the same contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectModel else { return false }
        return self === other || saysSame(as: other)
    }

    /// Derived from the names of the entities.
    open override var hash: Int { Set(storedEntities.compactMap(\.name)).hashValue }

    open override var description: String {
        "(<\(type(of: self))>) isEditable \(!isFrozen), entities "
            + "\(storedEntities.compactMap(\.name).sorted())"
    }
}

extension NSManagedObjectModel {
    /// Redirects references of copied relationships and indexes to this model, by name.
    final func relinkEntities() {
        let byName = entitiesByName
        for entity in entities {
            entity.relinkIndexes()
            for case let relationship as NSRelationshipDescription in entity.ownProperties {
                let destination = relationship.destinationEntity?.name.flatMap { byName[$0] }
                let inverse = relationship.inverseRelationship?.name
                relationship.destinationEntity = destination
                relationship.inverseRelationship = inverse.flatMap {
                    destination?.relationshipsByName[$0]
                }
            }
        }
    }
}
