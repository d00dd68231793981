import CoreData
import Seam3

/// An app's screen while its store syncs: objects in a context that follows the store, a list of
/// some of them, the position in the file's history, and the notifications of changes.
final class Screen {
    private let context: NSManagedObjectContext
    private let list: NSFetchedResultsController<NSManagedObject>
    private let follower = ListFollower()
    private let keepsHistory: Bool
    /// A context does not retain its objects.
    private var objects: [NSManagedObject] = []
    private var token: NSPersistentHistoryToken?
    private let announcements = Announcements()
    /// Whether other contexts' saves reach the context, too, and not only what the store pulls.
    private let followsSaves: Bool
    /// Keeps the context's queue busy; nil if it is not.
    private var gate: DispatchSemaphore?
    private var occasions = 0

    /// - Parameter store: The store that merges what it pulls into the context; nil if the context
    ///   merges all changes automatically.
    init(_ container: NSPersistentContainer, keepsHistory: Bool, mergingFrom store: SMStore?) throws
    {
        context = container.newBackgroundContext()
        followsSaves = store == nil
        context.automaticallyMergesChangesFromParent = followsSaves
        store?.mergeServerChanges(into: context)
        self.keepsHistory = keepsHistory
        if keepsHistory { announcements.observe(container.persistentStoreCoordinator) }
        list = NSFetchedResultsController(
            fetchRequest: Self.listed, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        list.delegate = follower
        _ = try changes()
    }

    deinit { freeQueue() }

    /// On every second occasion of its kind, keeps the context's queue busy until the context is used, so that it
    /// merges several changes at once. Occasions of the two kinds alternate: users save, and the store syncs.
    func mayBecomeBusy() {
        occasions += 1
        guard gate == nil, occasions % 4 < 2, BusyScreens.begin() else { return }
        let gate = DispatchSemaphore(value: 0)
        self.gate = gate
        context.perform { gate.wait() }
    }

    /// Runs a closure on the context's queue, after all that waits there.
    private func perform<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        freeQueue()
        return try App.perform(context, body)
    }

    private func freeQueue() {
        guard let gate else { return }
        gate.signal()
        self.gate = nil
        BusyScreens.end()
    }

    /// The list's request. Its contents and its order depend on values that syncing changes.
    private static var listed: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: Kind.node.entityName)
        request.predicate = NSPredicate(format: "title != nil AND count > 5")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: true),
            NSSortDescriptor(key: "ident", ascending: true),
        ]
        return request
    }

    /// Lets the context merge the store's changes.
    func settle() {
        freeQueue()
        context.performAndWait {}
    }

    /// Whether nothing was read yet, or other contexts have saved since, because a context does not
    /// follow changes of objects that it has not registered.
    var isBehind = true
    /// Whether a pass may have inserted objects that the context has not registered, because nothing was read
    /// since. The list need not notice that such an object begins to match.
    var mayLackObjects = false

    /// Reads all objects and the list again, if the user has changed something, or nobody has read what a pass
    /// has inserted. After such a pass the context keeps its values, because it has to follow the pass.
    func catchUp() throws {
        guard isBehind || mayLackObjects else { return }
        if isBehind, !followsSaves { refresh() }
        _ = try snapshot()
        try perform { _ in try list.performFetch() }
    }

    /// Merges the changes of a batch request, of which contexts are not notified.
    func merge(_ ids: [NSManagedObjectID], asValuesFor key: String) {
        freeQueue()
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context])
        // The result does not include the objects that referred to deleted ones.
        if key == NSDeletedObjectsKey { refresh() }
    }

    /// Refreshes all objects.
    func refresh() {
        freeQueue()
        context.performAndWait { context.refreshAllObjects() }
    }

    /// The values of the context's objects.
    func snapshot() throws -> Snapshot {
        try perform { context in
            var read: [NSManagedObject] = []
            let snapshot = try Snapshot(reading: context) { read.append($0) }
            objects = read
            isBehind = false
            mayLackObjects = false
            return snapshot
        }
    }

    /// The actual and the expected objects of the list, by identity.
    func lists() throws -> (shown: [String], wanted: [String]) {
        try perform { context in
            let wanted = try context.fetch(Self.listed).map(Snapshot.ident)
            return ((list.fetchedObjects ?? []).map(Snapshot.ident), wanted)
        }
    }

    /// Whether a change of the store was announced since the last call; nil if none ever is.
    func hasAnnouncement() -> Bool? { keepsHistory ? announcements.take() : nil }

    /// Whether a change of the store is announced within a number of seconds.
    func isAnnounced(within limit: Double) async -> Bool {
        await announcements.wait(limit)
        return announcements.take()
    }

    /// The objects that syncing has changed since the last call, according to the history; nil if
    /// there is no history.
    func changes() throws -> Set<String>? {
        guard keepsHistory else { return nil }
        return try perform { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            token = transactions.last?.token ?? token
            let changes = transactions.filter { $0.author == SMStore.SMSyncTransactionAuthor }
                .flatMap { $0.changes ?? [] }
            return Set(changes.map { $0.changedObjectID.uriRepresentation().absoluteString })
        }
    }
}

/// Limits the number of screens that are busy at once, because each takes one of the threads that all queues of the
/// process share. One fleet never reaches the limit, but tests run many.
private enum BusyScreens {
    private static let limit = 32
    private static let lock = NSLock()
    nonisolated(unsafe) private static var count = 0

    /// Whether another screen may be busy.
    static func begin() -> Bool {
        lock.withLock {
            if count == limit { return false }
            count += 1
            return true
        }
    }

    static func end() {
        lock.withLock { count -= 1 }
    }
}

/// Counts the notifications of changes of a coordinator's store.
private final class Announcements: @unchecked Sendable {
    // Unchecked because a lock protects the count and the continuation, and the observer is set once.

    private let lock = NSLock()
    private var count = 0
    private var waiting: CheckedContinuation<Void, Never>?
    private var observer: (any NSObjectProtocol)?

    deinit {
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    func observe(_ coordinator: NSPersistentStoreCoordinator) {
        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { [weak self] _ in self?.note() }
    }

    private func note() {
        lock.withLock { count += 1 }
        resume()
    }

    private func resume() {
        let continuation = lock.withLock { () -> CheckedContinuation<Void, Never>? in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume()
    }

    /// Waits for the next one, or until a number of seconds has passed.
    func wait(_ seconds: Double) async {
        let limit = Task {
            try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
            resume()
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isThere = lock.withLock { () -> Bool in
                if count == 0 { waiting = continuation }
                return count > 0
            }
            if isThere { continuation.resume() }
        }
        limit.cancel()
    }

    /// Whether there were any since the last call.
    func take() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        defer { count = 0 }
        return count > 0
    }
}

/// A fetched results controller tracks changes only if it has a delegate.
private final class ListFollower: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}
}
