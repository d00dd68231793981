import CoreData
import Seam3

/// What an application has on its screen while its store syncs: objects in a context that
/// follows the store, a list of some of them, and how far it has read the file's history.
final class Screen {
    private let context: NSManagedObjectContext
    private let list: NSFetchedResultsController<NSManagedObject>
    private let follower = ListFollower()
    private let keepsHistory: Bool
    /// A context holds its objects weakly.
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

    /// What the list is of: values that syncing changes decide what it has, and in which order.
    private static var listed: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: Kind.node.entityName)
        request.predicate = NSPredicate(format: "title != nil AND count > 5")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: true),
            NSSortDescriptor(key: "ident", ascending: true),
        ]
        return request
    }

    /// Lets the context take over what the store has told it.
    func settle() { context.performAndWait {} }

    /// Whether nothing was read yet, or other contexts have saved since: a context does not follow
    /// changes of objects that it has not.
    var isBehind = true

    /// Reads all objects and the list afresh, if the user has changed some.
    func catchUp() throws {
        guard isBehind else { return }
        _ = try snapshot()
        try App.perform(context) { _ in try list.performFetch() }
    }

    /// Takes over what a batch request has changed, of which contexts hear nothing by themselves.
    func merge(_ ids: [NSManagedObjectID], asValuesFor key: String) {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context])
        // What referred to deleted objects is not among these.
        if key == NSDeletedObjectsKey { refresh() }
    }

    /// Lets all objects be read afresh.
    func refresh() { context.performAndWait { context.refreshAllObjects() } }

    /// What the objects of the context have.
    func snapshot() throws -> Snapshot {
        try App.perform(context) { context in
            var read: [NSManagedObject] = []
            let snapshot = try Snapshot(reading: context) { read.append($0) }
            objects = read
            isBehind = false
            return snapshot
        }
    }

    /// The objects that the list has, and those that it ought to have, by identity.
    func lists() throws -> (shown: [String], wanted: [String]) {
        try App.perform(context) { context in
            let wanted = try context.fetch(Self.listed).map(Snapshot.ident)
            return ((list.fetchedObjects ?? []).map(Snapshot.ident), wanted)
        }
    }

    /// The objects that the history says were changed since the last call; nil if there is none.
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

/// A list follows its context only if it has somebody to tell.
private final class ListFollower: NSObject, NSFetchedResultsControllerDelegate {
    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {}
}
