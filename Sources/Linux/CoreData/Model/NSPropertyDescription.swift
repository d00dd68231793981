import FoundationGaps

/// A property of an entity: an attribute, a relationship, a fetched property or an expression.
///
/// A description can be changed until its model is in use. After that, every setter stops the
/// process with Apple's exception text. One difference from Apple: a subentity lists its parent's
/// own descriptions, not proxies, so `entity` of an inherited property is the entity that declares
/// it.
open class NSPropertyDescription: NSObject, NSCopying {
    /// The entity that declares the property.
    @Light var owner: NSEntityDescription?

    /// The index of the property's value in the objects of its entity and of all subentities. Set
    /// once, when the model becomes immutable; -1 for properties without a value.
    var valueIndex = -1

    private var storedRenamingIdentifier: String?
    private var storedPredicates: [NSPredicate] = []
    private var storedWarnings: [Any] = []

    /// Creates a description with an empty name. It is optional and not transient.
    public override init() {
        super.init()
    }

    /// The entity that declares the property.
    ///
    /// Reading it while the property belongs to no entity is a programming error.
    public final var entity: NSEntityDescription {
        guard let owner else {
            raise(.internalInconsistency, "Property '\(name)' does not belong to an entity.")
        }
        return owner
    }

    /// The property's name, which is the key of its value.
    open var name: String = "" {
        willSet { requireEditable() }
    }

    /// Whether the property may be nil in a store.
    open var isOptional: Bool = true {
        willSet { requireEditable() }
    }

    /// Whether the property's value exists only in memory.
    open var isTransient: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether a store should index the property. Apple recommends `NSEntityDescription.indexes`
    /// instead.
    open var isIndexed: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether Spotlight indexes the property; stored, but not used here.
    open var isIndexedBySpotlight: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether the property is part of an external record for Spotlight; stored, but not used here.
    open var isStoredInExternalRecord: Bool = false {
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

    /// The name that a migration matches the property by; by default `name`.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? name }
        set {
            requireEditable()
            storedRenamingIdentifier = newValue
        }
    }

    /// A digest of the property's storage.
    open var versionHash: Data {
        var digest = StructureDigest()
        combine(into: &digest)
        return digest.finalize()
    }

    /// The conditions that a value must meet when it is saved.
    open var validationPredicates: [NSPredicate] { storedPredicates }

    /// For each validation predicate, the text or the number of the error when it fails.
    open var validationWarnings: [Any] { storedWarnings }

    /// Sets the conditions that a value must meet when it is saved.
    ///
    /// - Parameters:
    ///   - validationPredicates: Predicates that are evaluated with the value as their object.
    ///   - validationWarnings: One text for each predicate.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidation(validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    final func setValidation(_ predicates: [NSPredicate], warnings: [Any]) {
        requireEditable()
        guard predicates.count == warnings.count else {
            raise(
                .invalidArgument,
                "Validation predicates and validation warnings must have the same count.")
        }
        storedPredicates = predicates
        storedWarnings = warnings
    }

    // MARK: - For subclasses within the module

    /// A description of the same class without any settings.
    func emptyCopy() -> NSPropertyDescription {
        NSPropertyDescription()
    }

    /// Copies all settings, but not the owner, to an empty copy.
    func copySettings(to copy: NSPropertyDescription) {
        copy.name = name
        copy.isOptional = isOptional
        copy.isTransient = isTransient
        copy.isIndexed = isIndexed
        copy.isIndexedBySpotlight = isIndexedBySpotlight
        copy.isStoredInExternalRecord = isStoredInExternalRecord
        copy.userInfo = userInfo
        copy.versionHashModifier = versionHashModifier
        copy.storedRenamingIdentifier = storedRenamingIdentifier
        copy.storedPredicates = storedPredicates
        copy.storedWarnings = storedWarnings
    }

    /// Adds the property's storage to a version hash.
    func combine(into digest: inout StructureDigest) {
        digest.combine(name)
        digest.combine(isOptional)
        digest.combine(isTransient)
        digest.combine(versionHashModifier)
    }

    /// Whether a property of the same class has the same contents.
    func saysSame(as other: NSPropertyDescription) -> Bool {
        sharesSettings(with: other)
    }

    /// Stops the process if the model is in use.
    final func requireEditable() {
        owner?.requireEditable()
    }

    // MARK: - NSCopying

    /// An independent description with the same settings that belongs to no entity.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = emptyCopy()
        copySettings(to: copy)
        return copy
    }

    /// Whether the other object is a property with the same contents, of an entity of the same
    /// name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        if self === other { return true }
        return Swift.type(of: self) == Swift.type(of: other)
            && owner?.name == other.owner?.name && saysSame(as: other)
    }

    /// Derived from the name.
    open override var hash: Int { name.hashValue }

    open override var description: String {
        "(<\(Swift.type(of: self))>), name \(name), isOptional \(isOptional), "
            + "isTransient \(isTransient), entity \(owner?.name ?? "(none)")"
    }
}
