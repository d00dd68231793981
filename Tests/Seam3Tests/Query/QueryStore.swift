import CloudKit
import CoreData
import LocalCloud

@testable import Seam3

/// A coordinator with an `SMStore` on its own file, and a context.
final class QueryStore {
    let store: SMStore
    let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let folder: URL

    init(model: NSManagedObjectModel) throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("QueryStore-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        SMStore.registerStoreClass()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let cloud = CloudPath.current.container(on: LocalCloud.inMemory())
        let added = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil,
            at: folder.appendingPathComponent("store.sqlite"),
            options: [SMStore.SMStoreContainerOption: cloud])
        guard let store = added as? SMStore else {
            throw SMStoreError.invalidRequest("\(added)")
        }
        store.syncAutomatically = false
        self.store = store
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// A new object, which ``save()`` saves.
    func insert(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    func save() throws {
        try context.save()
    }

    func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
        try context.fetch(request)
    }

    /// SQLite's query plan for a fetch.
    func plan(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> String {
        try store.lock.locked {
            let database = try store.database()
            guard let entity = database.schema.entity(named: request.entityName) else { return "" }
            var query = try FetchQuery(
                request, entity, in: database.schema, keyOf: store.key(of:))
            try query.sort(by: request.sortDescriptors ?? [], breakingTies: true)
            let sql = query.statement(selecting: query.source.key, window: .all)
            return try database.connection.rows("EXPLAIN QUERY PLAN " + sql.text, sql.values) {
                $0.text(at: 3)
            }.joined(separator: "\n")
        }
    }
}
