import CoreData
import Seam3

/// What an app shows while its store syncs: the objects of a context that follows the store, a list
/// of some of them, and its position in the file's history.
final class Screen {
    private let context: NSManagedObjectContext
    private let list: NSFetchedResultsController<NSManagedObject>
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
        try App.perform(context) { _ in try list.performFetch() }
        _ = try snapshot()
        _ = try changes()
    }

    /// The list's request. Synced values decide which objects it contains, and in which order.
    private static var listed: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: Kind.node.entityName)
        request.predicate = NSPredicate(format: "title != nil AND count > 5")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: true),
            NSSortDescriptor(key: "ident", ascending: true),
        ]
        return request
    }

    /// Waits until the context has merged what the store has passed to it.
    func settle() { context.performAndWait {} }

    /// The values of the context's objects.
    func snapshot() throws -> Snapshot {
        try App.perform(context) { context in
            var read: [NSManagedObject] = []
            let snapshot = try Snapshot(reading: context) { read.append($0) }
            objects = read
            return snapshot
        }
    }

    /// The identities of the objects that the list contains, and of those that it should contain.
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
