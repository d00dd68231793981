import CoreData
import Seam3

extension Device {
    /// Migrates the store to another model by the mapping model that Core Data infers.
    func map(from old: NSManagedObjectModel, to new: NSManagedObjectModel) throws {
        close()
        let target = directory.appendingPathComponent("New.sqlite")
        try SMMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: file, sourceType: SMStore.type,
            with: .inferredMappingModel(forSourceModel: old, destinationModel: new),
            toDestinationURL: target, destinationType: SMStore.type)
        let coordinator = container.persistentStoreCoordinator
        try coordinator.replacePersistentStore(
            at: file, withPersistentStoreFrom: target, ofType: SMStore.type)
        try coordinator.destroyPersistentStore(at: target, ofType: SMStore.type)
        try open(model: new)
    }
}
