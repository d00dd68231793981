import FoundationGaps

/// The queue that a context belongs to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: the thread that created the context. Deprecated on Apple's systems.
    case confinementConcurrencyType = 0
    /// A private queue of the context.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

/// A scratchpad of managed objects: it fetches them, keeps each row as one object, tracks changes
/// and saves them to its coordinator's stores or to its parent context.
///
/// A context and its objects are used on its queue only: within `perform` or `performAndWait`, or,
/// for a context of the main queue, on the main thread. The argument
/// `-com.apple.CoreData.ConcurrencyDebug 1` of the process turns on checks of this rule.
///
/// Unchecked because everything in it is used on its queue only, or guarded by a lock.
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    /// The queue that the context belongs to.
    public let concurrencyType: NSManagedObjectContextConcurrencyType

    let queue: DispatchQueue

    // MARK: - Where objects come from

    private var storedCoordinator: NSPersistentStoreCoordinator?
    private var storedParent: NSManagedObjectContext?

    /// Where rows are read from: the coordinator, or the parent context.
    var source: (any RowSource)?

    // MARK: - Objects

    /// The objects' reference to the context.
    let reference = ContextReference()

    /// The registered objects by their IDs; see `indexInsertions()`.
    let registry = ObjectRegistry()

    /// Whether there are new objects that the registry does not have yet.
    var hasUnindexedInsertions = false

    /// IDs that are reported to the stores together, when the current operation ends.
    var newlyRegistered: [NSManagedObjectID] = []
    var registrationDepth = 0

    /// The permanent IDs of objects that child contexts know by a temporary one.
    var permanentIDsByTemporaryID: [NSManagedObjectID.Key: NSManagedObjectID] = [:]

    var inserted = ObjectSet()
    var updated = ObjectSet()
    var deleted = ObjectSet()
    var locked = ObjectSet()

    /// Inserted objects that were deleted before their first save.
    var annihilated = ObjectSet()
    /// The objects that the merge policy has changed because of constraint conflicts during the
    /// current save.
    var resolvedObjects = ObjectSet()

    /// Deleted objects whose delete rules have not run yet.
    var unpropagatedDeletions: [NSManagedObject] = []

    /// The faults whose to-many relationships were changed through inverses.
    var faultsWithChanges: [NSManagedObject] = []

    /// What happened since the last `processPendingChanges()`.
    var event = ContextEvent(number: 1)
    /// The number of the event whose notification is being posted; 0 at other times.
    var postedEventNumber = 0
    var isProcessingScheduled = false

    /// The store that the last ID belonged to, known to be one of the coordinator's.
    var reachableStore: StoreReference?

    /// Kept alive on demand, see `retainsRegisteredObjects`.
    var retainedObjects: [NSManagedObjectID.Key: NSManagedObject] = [:]

    /// Rows that were read ahead for faults.
    var readAhead = RowsReadAhead()

    /// Whether another context of the coordinator has saved since they were read.
    let readAheadIsOutdated = Locked<Bool>(false)

    /// The entities that the coordinator's model has for classes, cached when first used.
    var entitiesByClass: [ObjectIdentifier: NSEntityDescription] = [:]

    var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]

    /// The contexts that have this one as their parent.
    let children = Locked<[ContextReference]>([])

    /// The merges that the parent has asked for.
    let awaitedMerges = Locked(AwaitedMerges())

    /// The migrations of stores whose new IDs the objects do not have yet.
    let storeMoves = Locked<[StoreMove]>([])

    /// The rows of the merge in progress.
    var rowsToMerge: [NSManagedObjectID.Key: Row] = [:]

    /// The objects whose deletion was merged since the last save; some of them may have been
    /// released.
    var mergedDeletions: [NSManagedObjectID.Key] = []

    // MARK: - Settings

    /// A name for debugging.
    open var name: String?

    /// The author of the context's saves, for histories of changes.
    open var transactionAuthor: String?

    /// Anything that the app keeps with the context.
    public let userInfo = NSMutableDictionary()

    /// What to do when another context has saved the same object; an `NSMergePolicy`.
    /// The save fails unless set.
    open var mergePolicy: Any = NSMergePolicy.error

    /// Whether objects whose row is gone count as deleted, with nil for all values. If false,
    /// touching such an object stops the process. True unless set.
    open var shouldDeleteInaccessibleFaults: Bool = true

    /// Whether delete rules run at the end of an event and not at once. True unless set.
    open var propagatesDeletesAtEndOfEvent: Bool = true

    /// The maximum age, in seconds, of a row that was read ahead by a fetch in batches or with
    /// prefetching, when a fault uses it; with 0 the row is always read again. The default is
    /// negative and allows any age. Objects in use are not affected, nor are the caches of stores.
    open var stalenessInterval: TimeInterval = -1

    /// The undo manager of the context's changes; nil unless set.
    ///
    /// `processPendingChanges()` registers changes with it, and so do the ends of events, fetches
    /// and saves.
    open var undoManager: UndoManager? {
        didSet { observeUndoManager() }
    }

    /// The observation of the undo manager.
    var undoObserver: (any NSObjectProtocol)?

    /// Whether changes are being undone, redone or merged; these are not registered.
    var isReplaying = false

    let automaticMerging = Locked<Bool>(false)
    /// Saves of others that this context has yet to merge automatically.
    let awaitedMerge = Locked<MergeableChanges?>(nil)

    /// Whether the fetch that runs is that of an asynchronous request.
    var fetchesAsynchronously = false

    /// Creates a context for a queue.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        // The queue targets a shared one, so that many busy contexts need few threads.
        queue =
            ct == .mainQueueConcurrencyType
            ? .main : DispatchQueue(label: "NSManagedObjectContext", target: .global())
        super.init()
        reference.context = self
    }

    /// Creates a context without a queue. Deprecated on Apple's systems.
    public override convenience init() {
        self.init(concurrencyType: .confinementConcurrencyType)
    }

    deinit {
        if let undoObserver { NotificationCenter.default.removeObserver(undoObserver) }
        reference.close()
        let (objects, objectIDs) = takeRegistered()
        for object in objects { object.dropValues() }
        if !objectIDs.isEmpty { source?.didUnregister(objectIDs, in: nil) }
    }

    /// The coordinator whose stores keep the objects; a child context has its parent's.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { storedCoordinator ?? storedParent?.persistentStoreCoordinator }
        set {
            guard storedParent == nil else {
                raise(
                    .invalidArgument,
                    "Can't set a persistent store coordinator on a context with a parent.")
            }
            guard storedCoordinator !== newValue else { return }
            storedCoordinator?.forget(self)
            storedCoordinator = newValue
            source = newValue
            reachableStore = nil
            entitiesByClass = [:]
            newValue?.remember(self)
        }
    }

    /// The context that this one reads from and saves to.
    open var parent: NSManagedObjectContext? {
        get { storedParent }
        set {
            guard storedCoordinator == nil else {
                raise(
                    .invalidArgument,
                    "Context already has a coordinator;  cannot replace.")
            }
            if let newValue, newValue.concurrencyType == .confinementConcurrencyType {
                raise(
                    .invalidArgument,
                    "Parent NSManagedObjectContext must use either "
                        + "NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType.")
            }
            storedParent?.children.withLock { $0.removeAll { $0.context === self } }
            storedParent = newValue
            reachableStore = nil
            source = newValue.map { ParentContextSource($0) }
            newValue?.children.withLock { children in
                children.removeAll { $0.context == nil }
                children.append(reference)
            }
        }
    }

    /// Whether saves of other contexts of the same parent or coordinator are merged automatically.
    /// False unless set.
    open var automaticallyMergesChangesFromParent: Bool {
        get { automaticMerging.withLock { $0 } }
        set { automaticMerging.withLock { $0 = newValue } }
    }

    /// Whether the context keeps all registered objects alive, and not only the changed ones. False
    /// unless set.
    open var retainsRegisteredObjects: Bool = false {
        didSet {
            retainedObjects.removeAll()
            guard retainsRegisteredObjects else { return }
            indexInsertions()
            for object in registry.objects { retainedObjects[.init(object.objectID)] = object }
        }
    }

    // MARK: - State

    /// The objects that have not been saved yet.
    open var insertedObjects: Set<NSManagedObject> {
        assertOnQueue()
        return Set(inserted.objects)
    }

    /// The saved objects with unsaved changes.
    open var updatedObjects: Set<NSManagedObject> {
        assertOnQueue()
        return Set(updated.objects)
    }

    /// The saved objects that the next save deletes, and those whose deletion was merged since
    /// the last one.
    open var deletedObjects: Set<NSManagedObject> {
        assertOnQueue()
        let merged = mergedDeletions.compactMap { registry.object(for: $0.objectID) }
            .filter { $0.state.contains(.vanished) }
        return Set(deleted.objects).union(merged)
    }

    /// All objects that are alive.
    open var registeredObjects: Set<NSManagedObject> {
        assertOnQueue()
        indexInsertions()
        return Set(registry.objects)
    }

    /// Whether there is anything to save.
    open var hasChanges: Bool {
        !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty)
    }

    // MARK: - Methods that a subclass may override

    /// Runs a block on the context's queue, later, and processes the changes after it.
    open func perform(_ block: @escaping @Sendable () -> Void) {
        runLater(block)
    }

    /// Runs a block on the context's queue and waits for it.
    ///
    /// It may be called within another block of the context, and then runs immediately.
    open func performAndWait(_ block: @Sendable () -> Void) {
        runAndWait(block)
    }

    /// Fetches objects, IDs, dictionaries or a count, as the request says.
    ///
    /// - Throws: Whatever a store throws.
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try fetchAny(request)
    }

    /// Marks an object for deletion by the next save. Delete rules run when the event ends.
    open func delete(_ object: NSManagedObject) {
        deleteObject(object)
    }

    /// Saves all changes, to the coordinator's stores or to the parent context.
    ///
    /// Delete rules run, `willSave()` is sent until nothing changes any longer, everything is
    /// validated, new objects get permanent IDs, and the stores write. Without changes the stores
    /// save their metadata, and the notifications are empty.
    ///
    /// - Throws: Validation errors (1550 to 1680; several in one with the code 1560),
    ///   `CocoaError.managedObjectMerge` (133020) with the conflicts if the merge policy does not
    ///   resolve them, and whatever a store throws. After a failure the changes are still there.
    open func save() throws {
        try saveChanges()
    }

    open override var description: String {
        "<\(type(of: self))\(name.map { " \($0)" } ?? "")>"
    }
}

/// A context as its objects refer to it, and others that do not keep it alive.
///
/// All share one instance: that costs less than a weak reference in each object, and whether
/// objects belong to the same context is known without accessing the context.
///
/// Unchecked because weak references are atomic, and this one is set once, before it is shared; the
/// number is used on the context's queue only.
final class ContextReference: @unchecked Sendable {
    fileprivate(set) weak var context: NSManagedObjectContext?

    /// The number of the context's current event, which objects read without accessing the context.
    var eventNumber = 1

    /// Whether unsaved objects also keep the values that they had before the event.
    var recordsUndo = false

    /// The IDs of released objects, recorded by the threads that released them; nil once the
    /// context is gone.
    private let deallocated = Locked<[NSManagedObjectID]?>([])

    /// Records that an object was released, on any thread.
    func noteDeallocation(of objectID: NSManagedObjectID) {
        deallocated.withLock { $0?.append(objectID) }
    }

    /// The IDs of the objects that were released since the last call.
    func takeDeallocated() -> [NSManagedObjectID] {
        deallocated.withLock { noted in
            let objectIDs = noted ?? []
            if noted != nil { noted = [] }
            return objectIDs
        }
    }

    /// Discards the recorded IDs, and records no more.
    func close() {
        deallocated.withLock { $0 = nil }
    }
}
