import CoreData
import LocalCloud
import Seam3

extension Device {
    /// Migrates the store to another model by the mapping model that Core Data infers.
    func map(from old: NSManagedObjectModel, to new: NSManagedObjectModel) throws {
        try map(
            by: SMMigrationManager(sourceModel: old, destinationModel: new),
            .inferredMappingModel(forSourceModel: old, destinationModel: new))
    }

    /// Migrates the store by a mapping model.
    func map(by manager: NSMigrationManager, _ mappings: NSMappingModel) throws {
        close()
        let target = directory.appendingPathComponent("New.sqlite")
        try manager.migrateStore(
            from: file, sourceType: SMStore.type, with: mappings, toDestinationURL: target,
            destinationType: SMStore.type)
        let coordinator = container.persistentStoreCoordinator
        try coordinator.replacePersistentStore(
            at: file, withPersistentStoreFrom: target, ofType: SMStore.type)
        try coordinator.destroyPersistentStore(at: target, ofType: SMStore.type)
        try open(model: manager.destinationModel)
    }

    /// Two devices with a plant in a garden.
    ///
    /// - Parameter rank: The plant's rank; nil to leave it unset.
    static func pairWithPlant(
        on cloud: LocalCloud, policy: SMSyncConflictResolutionPolicy, model: NSManagedObjectModel,
        rank: Int? = nil
    ) async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: policy, model: model)
        let b = try Device("b", on: cloud, policy: policy, model: model)
        try a.edit { context in
            let plant = NSEntityDescription.insertNewObject(forEntityName: "Plant", into: context)
            let garden = NSEntityDescription.insertNewObject(
                forEntityName: "Garden", into: context)
            plant.setValue("fern", forKey: "name")
            garden.setValue(NSSet(object: plant), forKey: "plants")
            if let rank { plant.setValue(rank, forKey: "rank") }
        }
        try await settle(a, b)
        return (a, b)
    }
}
