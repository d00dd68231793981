import FoundationGaps

/// An object of a model's entity, living in a context.
///
/// It mirrors Apple's class, with these differences: key-value coding reaches the modeled
/// properties and what a subclass adds by overriding `value(forKey:)`, but not accessors that a
/// subclass merely declares, because there is no Objective-C runtime to find them.
///
/// An object is used on its context's queue only.
open class NSManagedObject: NSObject, NSFetchRequestResult {
    /// The entity that describes the object.
    public final let entity: NSEntityDescription

    let layout: EntityLayout

    // The marked properties below skip the check for overlapping accesses. Every use of every
    // object needs them, nothing that is called during an access uses the same property again, and
    // the checks took 5% of a fetch.

    /// The context that the object lives in; nil for an object outside a context, and after a
    /// reset.
    @exclusivity(unchecked) var contextReference: ContextReference?

    /// The context itself; nil also once it is gone.
    var context: NSManagedObjectContext? { contextReference?.context }

    /// The object's current ID; nil until it is first used or set by the context. Most new objects
    /// are saved before their temporary ID is used.
    @exclusivity(unchecked) private(set) final var storedObjectID: NSManagedObjectID?

    @exclusivity(unchecked) var state: State = []

    /// The current values of attributes, by value index. Empty while the object is a fault.
    @exclusivity(unchecked) var attributes: [AttributeValue]

    /// The current values of relationships, by their position among the entity's relationships.
    @exclusivity(unchecked) var relationships: [RelationshipValue]

    /// The values when the object was last saved or read; nil before its first save and while
    /// it is a fault.
    @exclusivity(unchecked) var committed: Row? {
        didSet { committedVersion = committed?.version ?? 0 }
    }

    /// The version of the committed values; 0 if there are none. It is copied from the row, because
    /// accessing the row retains everything in it.
    @exclusivity(unchecked) private(set) final var committedVersion: UInt64 = 0

    /// The properties that were set since the last save or read.
    @exclusivity(unchecked) var changedProperties = PropertyIndexSet()

    /// The changes that other objects have made to this one's to-many relationships while it was a
    /// fault, by value index; nil if there are none.
    @exclusivity(unchecked) var changesOfFault: [Int: PendingMembers]?

    /// The results of fetched properties, stored when they were first read; nil if there are none.
    @exclusivity(unchecked) var fetchedPropertyValues: [String: [Any]]?

    /// The number of the context's event that the last change belongs to, and for which the next
    /// two properties are valid.
    @exclusivity(unchecked) var eventNumber = 0

    /// The properties that were changed in the event.
    @exclusivity(unchecked) var changedInEvent = PropertyIndexSet()

    /// The values before these changes, unless they were the committed ones.
    @exclusivity(unchecked) var valuesBeforeEvent: ValuesBeforeEvent?

    // MARK: - Creating

    /// Creates an object with the default values of its entity.
    ///
    /// With a context the object is inserted, and `awakeFromInsert()` is called.
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        let entity = context?.persistentStoreCoordinator?.own(entity) ?? entity
        self.entity = entity
        layout = entity.layout
        attributes = layout.initialValues
        relationships = layout.initialRelationships
        super.init()
        context?.insertNew(self)
    }

    /// Called by the framework to create an object of a class that is known at run time only.
    ///
    /// It calls `init(entity:insertInto:)`, which a subclass may override. Linux-only.
    public required convenience init(_entity entity: NSEntityDescription) {
        self.init(entity: entity, insertInto: nil)
    }

    /// Stands in for `init(entity:insertInto:)` when that is called on a class that is known at run
    /// time only.
    ///
    /// It calls that initializer. Linux-only.
    public required convenience init(
        _entity entity: NSEntityDescription, insertedInto context: NSManagedObjectContext?
    ) {
        self.init(entity: entity, insertInto: context)
    }

    /// Creates an object of the entity that the context's model has for this class.
    public convenience init(context moc: NSManagedObjectContext) {
        self.init(_insertedInto: moc)
    }

    /// Stands in for `init(context:)` when that is called on a class that is known at run time
    /// only.
    ///
    /// It calls `init(entity:insertInto:)`. Linux-only.
    public required convenience init(_insertedInto context: NSManagedObjectContext) {
        self.init(entity: context.requireEntity(for: Self.self), insertInto: context)
    }

    deinit {
        if let storedObjectID { contextReference?.noteDeallocation(of: storedObjectID) }
    }

    /// The entity of this class in the models in use.
    ///
    /// If several models have one, the model that was put into use last counts. If none has, the
    /// reason is written to standard error, and the entity has no name and no properties.
    open class func entity() -> NSEntityDescription {
        if let entity = EntityRegistry.shared.entity(for: self) { return entity }
        EntityRegistry.reportMissingEntity(of: self)
        return NSEntityDescription()
    }

    /// A request for all objects of this class's entity.
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        let entity = entity()
        if entity.name != nil { request.entity = entity }
        return request
    }

    /// Whether a change of a property that is not in the model marks the object as changed.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    // MARK: - State

    /// The context that the object lives in.
    public final var managedObjectContext: NSManagedObjectContext? { context }

    /// The object's identity. It changes once, when a new object is saved.
    public final var objectID: NSManagedObjectID {
        if let storedObjectID { return storedObjectID }
        let objectID = NSManagedObjectID(temporaryFor: entity)
        storedObjectID = objectID
        return objectID
    }

    /// Gives the object its identity.
    final func identify(as objectID: NSManagedObjectID) {
        storedObjectID = objectID
    }

    /// Whether the object was inserted and not saved yet.
    public final var isInserted: Bool { state.contains(.inserted) }

    /// Whether the object has changes that are not saved yet.
    public final var isUpdated: Bool { state.contains(.updated) }

    /// Whether the next save deletes the object, or another context's has.
    public final var isDeleted: Bool { !state.isDisjoint(with: [.deleted, .vanished]) }

    /// Whether the object was inserted, changed or deleted since the last save.
    public final var hasChanges: Bool {
        !state.isDisjoint(with: [.inserted, .updated, .deleted])
    }

    /// Whether the object's values are not in memory.
    public final var isFault: Bool { state.contains(.fault) }

    /// 0 if the object's values are in memory.
    public final var faultingState: Int { isFault ? 1 : 0 }

    /// Whether a persistent property differs from its saved value. Does not fire faults.
    public final var hasPersistentChangedValues: Bool { !changedIndexes().isEmpty }

    // MARK: - Life cycle

    /// Called once after the object was inserted, with its default values in place. A subclass
    /// calls super and may set further values.
    open func awakeFromInsert() {}

    /// Called after the object's values were read. A subclass calls super and may compute
    /// transient values; primitive setters do not mark the object as changed.
    open func awakeFromFetch() {}

    /// Called when values were replaced by a refresh, a rollback or a merge.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called before a save of the object. Changes made here are saved too.
    open func willSave() {}

    /// Called after a save of the object.
    open func didSave() {}

    /// Called when the object is about to be deleted, while its relationships are in place.
    open func prepareForDeletion() {}

    /// Called before the object's values are dropped.
    open func willTurnIntoFault() {}

    /// Called after the object's values were dropped.
    open func didTurnIntoFault() {}

    // MARK: - Values

    /// The value of a property: what Apple returns, in the same types.
    ///
    /// Numbers come back as `NSNumber`, a to-many as `NSSet` or `NSOrderedSet`.
    open func value(forKey key: String) -> Any? {
        assertOnQueue()
        if state.contains(.probe) { return KeyPathProbe.sample(of: self, forKey: key) }
        guard let index = layout.indexByName[key] else { return unmodeledValue(forKey: key) }
        fireFault()
        return storedValue(at: index)
    }

    /// Sets a property, updates the inverse of a relationship, and marks the object as
    /// changed. A value of a wrong type stops the process, as on Apple's systems.
    open func setValue(_ value: Any?, forKey key: String) {
        assertOnQueue()
        guard let index = layout.indexByName[key] ?? layout.indexOfSetter(forKey: key) else {
            return setValue(value, forUndefinedKey: key)
        }
        fireFault()
        changeValue(at: index, to: value)
    }

    /// Called for a key that is not a property. A subclass may return a value; otherwise the
    /// process stops with Apple's text.
    open func value(forUndefinedKey key: String) -> Any? {
        raise(.undefinedKey, undefinedKeyReason("valueForUndefinedKey:", key))
    }

    /// Called for a key that is not a property. A subclass may take the value; otherwise the
    /// process stops with Apple's text.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        raise(.undefinedKey, undefinedKeyReason("setValue:forUndefinedKey:", key))
    }

    /// The value at a path of keys. A step through a to-many relationship gives the set of its members'
    /// values, an ordered one if the relationship is ordered; nil is no member.
    open func value(forKeyPath keyPath: String) -> Any? {
        pathValue(keyPath)
    }

    /// Sets the last key of a path on the object that the rest of the path leads to.
    open func setValue(_ value: Any?, forKeyPath keyPath: String) {
        setPathValue(value, keyPath)
    }

    /// The value of a property, for use in accessors: no change is marked, and no other method is
    /// called.
    ///
    /// The value of a to-many relationship is an `NSMutableSet`, that of an ordered one an
    /// `NSMutableOrderedSet`, which change the primitive value.
    open func primitiveValue(forKey key: String) -> Any? {
        if state.contains(.probe) { return KeyPathProbe.sample(of: self, forKey: key) }
        guard let index = layout.indexByName[key] else { return unmodeledValue(forKey: key) }
        fireFault()
        return primitiveValue(at: index)
    }

    /// Sets the value of a property, for use in accessors between `willChangeValue(forKey:)` and
    /// `didChangeValue(forKey:)`. Without these the object is not marked as changed.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard let index = layout.indexByName[key] else {
            return setValue(value, forUndefinedKey: key)
        }
        fireFault()
        storePrimitive(value, at: index)
    }

    /// The value of a property, as `value(forKey:)` and `setValue(_:forKey:)`.
    public final subscript(key: String) -> Any? {
        get { value(forKey: key) }
        set { setValue(newValue, forKey: key) }
    }

    /// Makes sure that the object's values are in memory, before a primitive value is read.
    open func willAccessValue(forKey key: String?) {
        assertOnQueue()
        fireFault()
    }

    /// The counterpart of `willAccessValue(forKey:)`.
    open func didAccessValue(forKey key: String?) {}

    /// Announces a change made with `setPrimitiveValue(_:forKey:)`.
    open func willChangeValue(forKey key: String) {
        assertOnQueue()
        fireFault()
        noteUpcomingChange(forKey: key)
    }

    /// Marks the object as changed, and updates the inverse of a relationship.
    open func didChangeValue(forKey key: String) {
        noteFinishedChange(forKey: key)
    }

    /// Announces a change of a to-many relationship.
    open func willChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        willChangeValue(forKey: inKey)
    }

    /// Marks the object as changed by a change of a to-many relationship.
    open func didChangeValue(
        forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        didChangeValue(forKey: inKey)
    }

    /// Announces a change of an ordered relationship.
    open func willChange(
        _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
        willChangeValue(forKey: key)
    }

    /// Marks the object as changed by a change of an ordered relationship.
    open func didChange(
        _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String
    ) {
        didChangeValue(forKey: key)
    }

    /// A set that reads and changes an unordered to-many relationship.
    open func mutableSetValue(forKey key: String) -> NSMutableSet {
        context?.assertOnQueue()
        return RelationshipSet(of: self, at: requireToMany(key, ordered: false))
    }

    /// An ordered set that reads and changes an ordered to-many relationship.
    open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        context?.assertOnQueue()
        return RelationshipOrderedSet.set(of: self, at: requireToMany(key, ordered: true))
    }

    // MARK: - Validation

    /// Checks one value against the property's description. A subclass may override it.
    ///
    /// - Parameters:
    ///   - value: The value; a subclass may replace it. A save sets the new value and validates
    ///     again, so a valid value should not be replaced.
    ///   - key: The property's name.
    open func validateValue(_ value: UnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try validateModeledValue(value.pointee, forKey: key)
    }

    /// Checks all values before the object's first save.
    open func validateForInsert() throws {
        try validateAllValues()
    }

    /// Checks all values before a later save.
    open func validateForUpdate() throws {
        try validateAllValues()
    }

    /// Checks that the object may be deleted.
    open func validateForDelete() throws {
        try validateDeletion()
    }

    /// The object's address: objects are distinguished by their identity.
    open override var hash: Int { Int(bitPattern: ObjectIdentifier(self)) }

    /// Whether the other object is this one.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let object, type(of: object) == type(of: self) else { return false }
        return object as? NSManagedObject === self
    }

    /// The entity, the ID, and the values if they are in memory. An error that has the object can be
    /// printed on any thread.
    open override var description: String {
        let values = describedValues().map { "\($0)" } ?? "<fault>"
        return "<\(type(of: self))> (entity: \(entity.name ?? ""); id: \(objectID); "
            + "data: \(values))"
    }
}
