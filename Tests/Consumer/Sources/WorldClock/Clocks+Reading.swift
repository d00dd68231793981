import CoreData
import Seam3

extension Clocks {
    /// The labels in a file that another process writes.
    static func labels(in url: URL) throws -> [String] {
        guard let model else { throw CocoaError(.fileReadNoSuchFile) }
        SMStore.registerStoreClass()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait {
            let request = NSFetchRequest<Clock>(entityName: "Clock")
            request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
            return try context.fetch(request).map { $0.label ?? "" }
        }
    }
}
