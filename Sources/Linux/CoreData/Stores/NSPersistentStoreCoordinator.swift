import FoundationGaps

/// Connects contexts and stores. It knows the model, passes requests to the stores of the entities
/// concerned, and combines their results.
///
/// Stores are never called by two threads at once. Calls run on the caller's thread, and a store
/// may call back during a call.
///
/// Unchecked because the stores are used only while the lock is held, the rest is guarded by locks,
/// and a model in use is immutable.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    /// The model that describes all objects.
    public let managedObjectModel: NSManagedObjectModel

    /// Held during every call to a store.
    private let lock = NSRecursiveLock()

    /// The queue of the blocks of `perform`.
    private let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")

    private var stores: [NSPersistentStore] = []

    /// The stores that can be asked for rows, by their references in IDs.
    private var storesByReference: [(reference: StoreReference, store: any RowStore)] = []
    private var entitiesByStore: [ObjectIdentifier: Set<ObjectIdentifier>] = [:]
    private let entitiesByName: [String: NSEntityDescription]
    private let contexts = Locked<[ContextReference]>([])
    private let storedName = Locked<String?>(nil)

    /// What differs from the module's own decisions, for tests. To be set before there are contexts.
    var alternatives = AlternativeBehaviors.ofProcess

    /// Creates a coordinator without stores. The model can no longer be changed.
    public init(managedObjectModel model: NSManagedObjectModel) {
        model.freeze()
        managedObjectModel = model
        entitiesByName = model.entitiesByName
        super.init()
        EntityRegistry.shared.register(model)
    }

    /// Creates a coordinator without stores and entities.
    public override convenience init() {
        self.init(managedObjectModel: NSManagedObjectModel())
    }

    /// A name for the developer.
    open var name: String? {
        get { storedName.withLock { $0 } }
        set { storedName.withLock { $0 = newValue } }
    }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { locked { stores } }

    /// Runs a block while no other thread can call a store.
    func locked<T>(_ block: () throws -> T) rethrows -> T {
        lock.lock()
        defer { lock.unlock() }
        return try block()
    }

    func entity(named name: String) -> NSEntityDescription? { entitiesByName[name] }

    /// The model's own entity for an entity of another copy of the model.
    ///
    /// `NSManagedObject.entity()` knows only the class. If a process loads a model more than once,
    /// as tests do, it may return the entity of another copy.
    func own(_ entity: NSEntityDescription) -> NSEntityDescription {
        if entity.model === managedObjectModel { return entity }
        return entity.name.flatMap { entitiesByName[$0] } ?? entity
    }

    // MARK: - Blocks

    /// Runs a block later, while no other thread can call a store.
    public func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async { self.locked(block) }
    }

    /// Runs a block while no other thread can call a store, and waits for it.
    public func performAndWait(_ block: @Sendable () -> Void) {
        locked(block)
    }

    /// Runs a block while no other thread can call a store, and returns its result.
    @preconcurrency
    public func performAndWait<T>(_ block: @Sendable () throws -> T) rethrows -> T {
        try locked(block)
    }

    /// Runs a block later, while no other thread can call a store, and returns its result.
    @preconcurrency
    public func perform<T>(_ block: @escaping @Sendable () throws -> T) async rethrows -> T {
        try await rethrowing(block, rescue: { throw $0 })
    }

    private func rethrowing<T>(
        _ block: @escaping @Sendable () throws -> T, rescue: (any Error) throws -> T
    ) async rethrows -> T {
        let outcome: Outcome<T> = await withCheckedContinuation { continuation in
            queue.async {
                let result = self.locked { Result { try block() } }
                continuation.resume(returning: Outcome(result: result))
            }
        }
        return try outcome.value(rescue: rescue)
    }

    // MARK: - Stores and entities

    /// Adds an open store.
    func append(_ store: NSPersistentStore) {
        let entities =
            managedObjectModel.entities(forConfigurationName: store.configurationName) ?? []
        locked {
            stores.append(store)
            if let store = store as? any RowStore {
                storesByReference.append((store.reference, store))
            }
            entitiesByStore[ObjectIdentifier(store)] = Set(entities.map(ObjectIdentifier.init))
        }
    }

    /// Puts the last store in the place of another, which is removed: new objects are saved to the
    /// first store that keeps them.
    func replace(_ old: NSPersistentStore) {
        locked {
            if let index = stores.firstIndex(where: { $0 === old }), let new = stores.popLast() {
                stores.insert(new, at: index)
            }
            drop(old)
        }
    }

    /// Removes a store.
    func drop(_ store: NSPersistentStore) {
        locked {
            stores.removeAll { $0 === store }
            storesByReference.removeAll { $0.store === store }
            entitiesByStore[ObjectIdentifier(store)] = nil
        }
    }

    /// The store of an ID; nil if it is not one of the coordinator's. The lock must be held.
    func rowStore(of reference: StoreReference?) -> (any RowStore)? {
        storesByReference.first { $0.reference === reference }?.store
    }

    /// The stores that can be asked for rows. The lock must be held.
    var rowStores: [any RowStore] { storesByReference.map(\.store) }

    /// Whether a store keeps objects of an entity, or of an entity that inherits from it.
    func keeps(_ store: NSPersistentStore, objectsOf entity: NSEntityDescription) -> Bool {
        let entities = locked { entitiesByStore[ObjectIdentifier(store)] } ?? []
        return entity.hierarchy.contains { entities.contains(ObjectIdentifier($0)) }
    }

    /// The store at a URL.
    open func persistentStore(for URL: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url == URL }
    }

    /// Where a store keeps its data.
    open func url(for store: NSPersistentStore) -> URL {
        store.url ?? URL(fileURLWithPath: "/dev/null")
    }

    /// Changes the URL of a store.
    ///
    /// - Returns: Always true.
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        locked { store.url = url }
        return true
    }

    /// The metadata of a store.
    open func metadata(for store: NSPersistentStore) -> [String: Any] {
        locked { store.metadata ?? [:] }
    }

    /// Sets what a store notes about itself; the next save writes it.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        locked {
            store.metadata = metadata ?? [:]
            store.noteIdentifier()
        }
    }

    // MARK: - Contexts

    func remember(_ context: NSManagedObjectContext) {
        let reference = context.reference
        contexts.withLock { contexts in
            contexts.removeAll { $0.context == nil }
            contexts.append(reference)
        }
    }

    func forget(_ context: NSManagedObjectContext) {
        contexts.withLock { $0.removeAll { $0.context === context } }
    }

    /// Gives the objects of all contexts their new IDs. It waits for the contexts' queues, but not for one
    /// that is busy: it may be waiting for the caller.
    func follow(_ move: StoreMove) {
        let followers = DispatchGroup()
        for reference in contexts.withLock({ $0 }) { reference.context?.follow(move, followers) }
        _ = followers.wait(timeout: .now() + .seconds(1))
    }

    /// Makes other contexts merge a save, if they are configured to.
    func propagate(_ userInfo: [AnyHashable: Any], from saver: NSManagedObjectContext) {
        let contexts = contexts.withLock { $0 }
        for reference in contexts where reference.context !== saver {
            reference.context?.mergeAutomatically(userInfo)
        }
    }
}
