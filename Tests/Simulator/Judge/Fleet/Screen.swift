import CoreData
import Seam3

/// An app's screen while its store syncs: objects in a context that follows the store, a list of
/// some of them, and the position in the file's history.
final class Screen {
    private let context: NSManagedObjectContext
    private let list: NSFetchedResultsController<NSManagedObject>
    private let follower = ListFollower()
    private let keepsHistory: Bool
    /// A context does not retain its objects.
    private var objects: [NSManagedObject] = []
    private var token: NSPersistentHistoryToken?

    init(_ container: NSPersistentContainer, keepsHistory: Bool) throws {
        context = container.newBackgroundContext()
        context.automaticallyMergesChangesFromParent = true
        self.keepsHistory = keepsHistory
        list = NSFetchedResultsController(
            fetchRequest: Self.listed, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        list.delegate = follower
        _ = try changes()
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
    func settle() { context.performAndWait {} }

    /// Whether nothing was read yet, or other contexts have saved since, because a context does not
    /// follow changes of objects that it has not registered.
    var isBehind = true

    /// Reads all objects and the list again, if the user has changed something.
    func catchUp() throws {
        guard isBehind else { return }
        _ = try snapshot()
        try App.perform(context) { _ in try list.performFetch() }
    }

    /// Merges the changes of a batch request, of which contexts are not notified.
    func merge(_ ids: [NSManagedObjectID], asValuesFor key: String) {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context])
        // The result does not include the objects that referred to deleted ones.
        if key == NSDeletedObjectsKey { refresh() }
    }

    /// Refreshes all objects.
    func refresh() { context.performAndWait { context.refreshAllObjects() } }

    /// The values of the context's objects.
    func snapshot() throws -> Snapshot {
        try App.perform(context) { context in
            var read: [NSManagedObject] = []
            let snapshot = try Snapshot(reading: context) { read.append($0) }
            objects = read
            isBehind = false
            return snapshot
        }
    }

    /// The actual and the expected objects of the list, by identity.
    func lists() throws -> (shown: [String], wanted: [String]) {
        try App.perform(context) { context in
            let wanted = try context.fetch(Self.listed).map(Snapshot.ident)
            return ((list.fetchedObjects ?? []).map(Snapshot.ident), wanted)
        }
    }

    /// The objects changed since the last call according to the history; nil if there is no
    /// history.
    func changes() throws -> Set<String>? {
        guard keepsHistory else { return nil }
        return try App.perform(context) { context in
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
            token = transactions.last?.token ?? token
            let changes = transactions.flatMap { $0.changes ?? [] }
            return Set(changes.map { $0.changedObjectID.uriRepresentation().absoluteString })
        }
    }
}

/// A fetched results controller tracks changes only if it has a delegate.
private final class ListFollower: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}
}
