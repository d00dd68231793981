import CoreData
import Seam3

/// A Core Data stack on a store file, without a cloud.
final class StoreStack {
    let container: NSPersistentContainer
    let context: NSManagedObjectContext

    init(
        at url: URL, model: NSManagedObjectModel, options: [String: NSObject] = [:]
    ) throws {
        SMStore.registerStoreClass()
        container = NSPersistentContainer(name: "Store", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = SMStore.type
        for (key, option) in options { description.setOption(option, forKey: key) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        context = container.newBackgroundContext()
        for store in container.persistentStoreCoordinator.persistentStores {
            (store as? SMStore)?.syncAutomatically = false
        }
    }

    /// Runs a closure on the context's queue.
    func perform<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            let context = context
            return try context.performAndWait { try body(context) }
        }
    }

    /// Adds objects of an entity with names, and saves.
    func add(_ entity: String, _ names: String...) throws {
        try perform { context in
            for name in names {
                NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                    .setValue(name, forKey: "name")
            }
            try context.save()
        }
    }

    /// The names of all objects of an entity.
    func names(_ entity: String) throws -> [String] {
        try perform { context in
            try Device.all(entity, in: context)
                .compactMap { $0.value(forKey: "name") as? String }
        }
    }

    /// Closes the store.
    func close() throws {
        try perform { $0.reset() }
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

/// A test's temporary folder, removed when this object is deallocated.
final class TestFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("Seam3Tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var store: URL { url.appendingPathComponent("Store.sqlite") }
}
