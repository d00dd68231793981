import FoundationGaps

/// A property of an entity: an attribute, a relationship, a fetched property or an expression.
///
/// A description can be changed until its model is in use; after that every setter stops the
/// process with Apple's exception text. One difference from Apple: a sub-entity lists the very
/// same descriptions as its parent, not proxies, so `entity` of an inherited property is the
/// entity that declares it.
open class NSPropertyDescription: NSObject, NSCopying {
    /// The entity that declares the property.
    weak var owner: NSEntityDescription?

    /// The place of the property's value in the arrays of its entity and of all sub-entities.
    /// Written once, when the model freezes; -1 for properties that hold no value.
    var valueIndex = -1

    private var storedRenamingIdentifier: String?
    private var storedPredicates: [NSPredicate] = []
    private var storedWarnings: [Any] = []

    /// Creates a description with an empty name that is optional and not transient.
    public override init() {
        super.init()
    }

    /// The entity that declares the property.
    ///
    /// Reading it while the property belongs to no entity is a programmer's error.
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

    /// Whether the property's value is kept in memory only.
    open var isTransient: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether a store should index the property. Apple prefers `NSEntityDescription.indexes`.
    open var isIndexed: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether Spotlight indexes the property; kept, but not used here.
    open var isIndexedBySpotlight: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether the property stands in an external record for Spotlight; kept, but not used here.
    open var isStoredInExternalRecord: Bool = false {
        willSet { requireEditable() }
    }

    // Unlike the rest they may be changed while the model is in use, by whatever thread.
    private let notes = Locked<[AnyHashable: Any]>([:])

    /// Notes of the app, without a meaning here. Never nil, and not immutable with the model.
    open var userInfo: [AnyHashable: Any]? {
        get { notes.withLock { $0 } }
        set { notes.withLock { $0 = newValue ?? [:] } }
    }

    /// A text that takes part in the version hash, for changes that the structure does not show.
    open var versionHashModifier: String? {
        willSet { requireEditable() }
    }

    /// The name by which a migration recognizes the property; `name` where none was set.
    open var renamingIdentifier: String? {
        get { storedRenamingIdentifier ?? name }
        set {
            requireEditable()
            storedRenamingIdentifier = newValue
        }
    }

    /// A digest of what the property means for a store.
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

    /// Adds to a version hash what the property means for a store.
    func combine(into digest: inout StructureDigest) {
        digest.combine(name)
        digest.combine(isOptional)
        digest.combine(isTransient)
        digest.combine(versionHashModifier)
    }

    /// Whether a property of the same class says the same.
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

    /// Whether the other object is a property that says the same, of an entity of the same name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        if self === other { return true }
        return Swift.type(of: self) == Swift.type(of: other)
            && owner?.name == other.owner?.name && saysSame(as: other)
    }

    /// Follows from the name.
    open override var hash: Int { name.hashValue }

    open override var description: String {
        "(<\(Swift.type(of: self))>), name \(name), isOptional \(isOptional), "
            + "isTransient \(isTransient), entity \(owner?.name ?? "(none)")"
    }
}
