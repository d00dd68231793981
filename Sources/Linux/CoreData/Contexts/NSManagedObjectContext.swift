import FoundationGaps

/// The queue that a context belongs to.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// No queue: the thread that made the context. Deprecated on Apple's systems.
    case confinementConcurrencyType = 0
    /// A queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

/// A scratchpad of managed objects: it fetches them, keeps each row as one object, tracks
/// changes and saves them to its coordinator's stores or to its parent context.
///
/// A context and its objects are used on its queue only: within `perform` or `performAndWait`,
/// or, for a context of the main queue, on the main thread. Start the process with the argument
/// `-com.apple.CoreData.ConcurrencyDebug 1` to have that checked.
///
/// Unchecked because everything in it is touched on its queue only, except what a lock guards.
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

    /// How the objects know the context.
    let reference = ContextReference()

    /// The objects that live, by their IDs; see `indexInsertions()`.
    let registry = ObjectRegistry()

    /// Whether there are new objects that the registry does not have yet.
    var hasUnindexedInsertions = false

    /// IDs that the stores learn about together, at the end of what is going on.
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
    /// What the merge policy has changed of constraint conflicts during the present save.
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

    /// Rows that faults will ask for.
    var readAhead = RowsReadAhead()

    /// Whether another context of the coordinator has saved since they were read.
    let readAheadIsOutdated = Locked<Bool>(false)

    /// The entities that the coordinator's model has for classes, once asked for.
    var entitiesByClass: [ObjectIdentifier: NSEntityDescription] = [:]

    var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]

    /// The contexts that have this one as their parent.
    let children = Locked<[ContextReference]>([])

    /// What the parent has asked the context to merge.
    let awaitedMerges = Locked(AwaitedMerges())

    /// The rows that came with what is being merged.
    var rowsToMerge: [NSManagedObjectID.Key: Row] = [:]

    /// The objects whose deletion was merged since the last save; some of them may have died.
    var mergedDeletions: [NSManagedObjectID.Key] = []

    // MARK: - Settings

    /// A name for the developer.
    open var name: String?

    /// The author of the context's saves, for histories of changes.
    open var transactionAuthor: String?

    /// Whatever the app likes to keep with the context.
    public let userInfo = NSMutableDictionary()

    /// What to do when another context has saved the same object; an `NSMergePolicy`.
    /// The save fails unless set.
    open var mergePolicy: Any = NSMergePolicy.error

    /// Whether objects whose row is gone count as deleted, with nil for all values. If false,
    /// touching such an object stops the process. True unless set.
    open var shouldDeleteInaccessibleFaults: Bool = true

    /// Whether delete rules run at the end of an event and not at once. True unless set.
    open var propagatesDeletesAtEndOfEvent: Bool = true

    /// How old, in seconds, the row may be that a fault gets if it was read ahead by a fetch in
    /// batches or with prefetching; with 0 it is always read again. Negative, as it is unless
    /// set, for any age. Objects in use are not affected, nor are the caches of stores.
    open var stalenessInterval: TimeInterval = -1

    /// Who takes changes back; nil unless set.
    ///
    /// `processPendingChanges()` registers what happened with it, and so do the ends of events, fetches
    /// and saves.
    open var undoManager: UndoManager? {
        didSet { observeUndoManager() }
    }

    /// How the context hears from the undo manager.
    var undoObserver: (any NSObjectProtocol)?

    /// Whether changes are being taken back, or taken over from elsewhere: those are not registered.
    var isReplaying = false

    let automaticMerging = Locked<Bool>(false)
    /// What others have saved and this context is yet to merge by itself.
    let awaitedMerge = Locked<MergeableChanges?>(nil)

    /// Creates a context for a queue.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        concurrencyType = ct
        // With the shared queue behind it, many contexts that are busy need few threads.
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

    /// Whether saves of other contexts of the same parent or coordinator are merged by
    /// themselves. False unless set.
    open var automaticallyMergesChangesFromParent: Bool {
        get { automaticMerging.withLock { $0 } }
        set { automaticMerging.withLock { $0 = newValue } }
    }

    /// Whether the context keeps every object that it knows alive, and not only the changed
    /// ones. False unless set.
    open var retainsRegisteredObjects: Bool = false {
        didSet {
            retainedObjects.removeAll()
            guard retainsRegisteredObjects else { return }
            indexInsertions()
            for object in registry.objects { retainedObjects[.init(object.objectID)] = object }
        }
    }

    // MARK: - What there is

    /// The objects whose first save is to come.
    open var insertedObjects: Set<NSManagedObject> {
        assertOnQueue()
        return Set(inserted.objects)
    }

    /// The saved objects with changes that are not saved.
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

    /// All objects that live.
    open var registeredObjects: Set<NSManagedObject> {
        assertOnQueue()
        indexInsertions()
        return Set(registry.objects)
    }

    /// Whether there is anything to save.
    open var hasChanges: Bool {
        !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty)
    }

    // MARK: - What a subclass may do in its own way

    /// Runs a block on the context's queue, later, and processes the changes after it.
    open func perform(_ block: @escaping @Sendable () -> Void) {
        runLater(block)
    }

    /// Runs a block on the context's queue and waits for it.
    ///
    /// It may be called within another block of the context, and then runs at once.
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
    /// Delete rules run, `willSave()` is sent until nothing changes any more, everything is
    /// validated, new objects get permanent IDs, and the stores write. Without changes the stores
    /// save their metadata, and the notifications tell of nothing.
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

/// A context as it is known to its objects, and to whoever else does not keep it alive.
///
/// It is one for all: to share it costs less than a weak reference in each object would, and
/// whether objects belong to the same context is seen without asking for the context.
///
/// Unchecked because weak references are atomic, and this one is set once, before it is shared; the
/// number is touched on the context's queue only.
final class ContextReference: @unchecked Sendable {
    fileprivate(set) weak var context: NSManagedObjectContext?

    /// The number of the context's present event, where objects find it without asking for the
    /// context.
    var eventNumber = 1

    /// Whether objects that were not saved yet keep their values of before the event, too.
    var recordsUndo = false

    /// The IDs of objects that died, noted by whatever thread released them; nil once the context
    /// is gone.
    private let deallocated = Locked<[NSManagedObjectID]?>([])

    /// Notes that an object was released, on whatever thread.
    func noteDeallocation(of objectID: NSManagedObjectID) {
        deallocated.withLock { $0?.append(objectID) }
    }

    /// The IDs of the objects that were released since they were last asked for.
    func takeDeallocated() -> [NSManagedObjectID] {
        deallocated.withLock { noted in
            let objectIDs = noted ?? []
            if noted != nil { noted = [] }
            return objectIDs
        }
    }

    /// Forgets what was released, and no longer notes it.
    func close() {
        deallocated.withLock { $0 = nil }
    }
}
