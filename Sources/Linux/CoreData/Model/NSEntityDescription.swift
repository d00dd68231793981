import FoundationGaps

/// An entity: the description of a kind of managed object.
///
/// A description can be changed until its model is in use, that is, until a coordinator or a
/// managed object uses it. After that, every setter stops the process with Apple's exception text.
open class NSEntityDescription: NSObject, NSCopying {
    weak var model: NSManagedObjectModel?
    @Light var parent: NSEntityDescription?
    let layoutReference = SetOnceReference<EntityLayout>()
    private let versionHashReference = SetOnceReference<VersionHash>()

    /// The properties that the entity declares itself.
    private(set) var ownProperties: [NSPropertyDescription] = []
    private var storedSubentities: [NSEntityDescription] = []
    private var storedIndexes: [NSFetchIndexDescription] = []
    private var storedRenamingIdentifier: String?
    private var storedClassName: String?

    /// Creates an entity without a name and without properties.
    public override init() {
        super.init()
    }

    /// The entity's name, unique within its model.
    open var name: String? {
        willSet { requireEditable() }
    }

    /// The name of the class of the entity's objects; by default `NSManagedObject`.
    open var managedObjectClassName: String! {
        get { storedClassName ?? "NSManagedObject" }
        set {
            requireEditable()
            storedClassName = newValue
        }
    }

    /// Whether the entity has no objects of its own, only those of its subentities.
    open var isAbstract: Bool = false {
        willSet { requireEditable() }
    }

    // Unlike the rest, they may be changed while the model is in use, by any thread.
    private let notes = Locked<[AnyHashable: Any]>([:])

    /// Information of the app, which has no effect here. Never nil, and mutable even when the model is not.
    open var userInfo: [AnyHashable: Any]? {
        get { notes.withLock { $0 } }
        set { notes.withLock { $0 = newValue ?? [:] } }
    }

    /// A string that is part of the version hash, for changes that the structure does not show.
    open var versionHashModifier: String? {
        willSet { requireEditable() }
    }

    /// The name that a migration matches the entity by; by default `name`.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? name }
        set {
            requireEditable()
            storedRenamingIdentifier = newValue
        }
    }

    /// The groups of attributes (by name or as descriptions) whose values are unique together.
    open var uniquenessConstraints: [[Any]] = [] {
        willSet { requireEditable() }
    }

    private var storedCompoundIndexes: [[Any]] = []

    /// Groups of properties to index together. Apple recommends `indexes` instead.
    ///
    /// The setter takes properties or their names, and also `self` and `entity`, which represent
    /// the key of the object and of its entity. The getter returns properties, and these two names.
    open var compoundIndexes: [[Any]] {
        get {
            let properties = propertiesByName
            return storedCompoundIndexes.map { group in
                group.map { member in (member as? String).flatMap { properties[$0] } ?? member }
            }
        }
        set {
            requireEditable()
            // Names, so that a copy refers to its own properties.
            storedCompoundIndexes = newValue.map { group in
                group.map { ($0 as? NSPropertyDescription)?.name ?? $0 }
            }
        }
    }

    /// The indexes that a store should create.
    open var indexes: [NSFetchIndexDescription] {
        get { storedIndexes }
        set {
            requireEditable()
            storedIndexes = newValue
            for index in newValue { index.owner = self }
        }
    }

    /// The expression for an object's name in Spotlight; stored, but not used here.
    open var coreSpotlightDisplayNameExpression = NSExpression(forConstantValue: nil) {
        willSet { requireEditable() }
    }

    /// The model that the entity belongs to.
    ///
    /// Reading it while the entity belongs to no model is a programming error.
    public final var managedObjectModel: NSManagedObjectModel {
        guard let model else {
            raise(.internalInconsistency, "Entity '\(name ?? "")' does not belong to a model.")
        }
        return model
    }

    // MARK: - Properties

    /// All properties of the entity, inherited ones first.
    ///
    /// Setting it replaces the properties that the entity declares itself. Inherited properties in
    /// the new value stay with the entity that declares them.
    open var properties: [NSPropertyDescription] {
        get { (parent?.properties ?? []) + ownProperties }
        set {
            requireEditable()
            let inherited = Set((parent?.properties ?? []).map(ObjectIdentifier.init))
            for property in ownProperties { property.owner = nil }
            ownProperties = newValue.filter { !inherited.contains(ObjectIdentifier($0)) }
            for property in ownProperties { property.owner = self }
        }
    }

    /// All properties by name, inherited ones included.
    public final var propertiesByName: [String: NSPropertyDescription] {
        layoutReference.load()?.propertiesByName
            ?? Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// The attributes by name, inherited ones included.
    public final var attributesByName: [String: NSAttributeDescription] {
        layoutReference.load()?.attributesByName
            ?? propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    }

    /// The relationships by name, inherited ones included.
    public final var relationshipsByName: [String: NSRelationshipDescription] {
        layoutReference.load()?.relationshipsByName
            ?? propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    }

    /// The relationships whose destination is the given entity or one of its ancestors.
    open func relationships(
        forDestination entity: NSEntityDescription
    ) -> [NSRelationshipDescription] {
        properties.compactMap { $0 as? NSRelationshipDescription }.filter {
            guard let destination = $0.destinationEntity else { return false }
            return entity.isKindOf(entity: destination)
        }
    }

    // MARK: - Inheritance

    /// The entity that this one inherits from.
    public final var superentity: NSEntityDescription? { parent }

    /// The entities that inherit from this one directly.
    open var subentities: [NSEntityDescription] {
        get { storedSubentities }
        set {
            requireEditable()
            for entity in storedSubentities { entity.parent = nil }
            storedSubentities = newValue
            for entity in newValue { entity.parent = self }
        }
    }

    /// The entities that inherit from this one directly, by name.
    public final var subentitiesByName: [String: NSEntityDescription] {
        Dictionary(
            storedSubentities.compactMap { entity in entity.name.map { ($0, entity) } },
            uniquingKeysWith: { $1 })
    }

    /// Whether the entity is the given one or inherits from it.
    public final func isKindOf(entity: NSEntityDescription) -> Bool {
        if self === entity { return true }
        if let layout = layoutReference.load() { return layout.descends(from: entity) }
        return parent?.isKindOf(entity: entity) ?? false
    }

    // MARK: - Versions

    /// A digest of the entity's storage.
    ///
    /// The names of classes, defaults, validation and user info are not part of it.
    open var versionHash: Data {
        if let cached = versionHashReference.load() { return cached.data }
        let hash = computeVersionHash()
        // A model in use cannot change any more.
        guard layoutReference.load() != nil else { return hash }
        return versionHashReference.storeIfNil(VersionHash(data: hash)).data
    }

    private func computeVersionHash() -> Data {
        var digest = StructureDigest()
        digest.combine(name)
        digest.combine(parent?.name)
        digest.combine(isAbstract)
        digest.combine(versionHashModifier)
        let persistent = properties.filter { !$0.isTransient && $0.isPersistentKind }
        for property in persistent.sorted(by: { $0.name < $1.name }) {
            property.combine(into: &digest)
        }
        let constraints = uniquenessConstraints.map { constraint in
            constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }
                .joined(separator: ",")
        }
        for constraint in constraints.sorted() {
            digest.combine(constraint)
        }
        return digest.finalize()
    }

    // MARK: - NSCopying

    /// An independent entity with copies of the properties that this one declares and of its
    /// subentities. It belongs to no model and has no parent.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSEntityDescription()
        copy.name = name
        copy.storedClassName = storedClassName
        copy.isAbstract = isAbstract
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.storedRenamingIdentifier = storedRenamingIdentifier
        copy.uniquenessConstraints = uniquenessConstraints.map { constraint in
            constraint.map { ($0 as? NSPropertyDescription)?.name ?? $0 }
        }
        copy.storedCompoundIndexes = storedCompoundIndexes
        copy.coreSpotlightDisplayNameExpression = coreSpotlightDisplayNameExpression
        copy.properties = ownProperties.compactMap { $0.copy() as? NSPropertyDescription }
        copy.indexes = storedIndexes.compactMap { $0.copy() as? NSFetchIndexDescription }
        copy.relinkIndexes()
        copy.subentities = storedSubentities.compactMap { $0.copy() as? NSEntityDescription }
        return copy
    }

    /// Makes the columns of copied indexes refer to this entity's properties, by name.
    final func relinkIndexes() {
        let properties = propertiesByName
        for index in storedIndexes {
            index.elements = index.elements.map { element in
                guard let own = element.propertyName.flatMap({ properties[$0] }) else {
                    return element
                }
                return NSFetchIndexElementDescription(copying: element, property: own)
            }
        }
    }

    /// Whether the other object is an entity with the same contents.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityDescription else { return false }
        return self === other || saysSame(as: other)
    }

    /// Derived from the name.
    open override var hash: Int { name.hashValue }

    open override var description: String {
        "(<\(type(of: self))>) name \(name ?? ""), managedObjectClassName "
            + "\(managedObjectClassName ?? ""), isAbstract \(isAbstract), superentity name "
            + "\(parent?.name ?? ""), properties \(properties.map(\.name).sorted())"
    }
}

/// The version hash of an entity in use.
private final class VersionHash: Sendable {
    let data: Data

    init(data: Data) {
        self.data = data
    }
}

extension NSPropertyDescription {
    /// Whether stores store values of properties of this kind.
    final var isPersistentKind: Bool {
        self is NSAttributeDescription || self is NSRelationshipDescription
    }
}
