import CoreData
import Testing

/// A context on an empty in-memory store of the garden's model.
struct Garden {
    let context: NSManagedObjectContext

    init() throws {
        let url = try #require(
            Bundle.module.url(forResource: "Garden", withExtension: "xcdatamodeld"))
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Runs a test's body on the queue of a new garden's context.
    static func perform(_ body: @Sendable (NSManagedObjectContext) throws -> Void) throws {
        let context = try Garden().context
        try context.performAndWait { try body(context) }
    }
}
