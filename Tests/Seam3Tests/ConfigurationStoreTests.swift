import CoreData
import Seam3
import Testing

/// Files that contain more entities than the store's configuration.
@Suite struct ConfigurationStoreTests {
    private func model(_ members: [String]) -> NSManagedObjectModel {
        let model = ShopModel.make()
        let entities = model.entitiesByName
        model.setEntities(members.compactMap { entities[$0] }, forConfigurationName: "Part")
        return model
    }

    @Test(
        "A configuration that omits entities of the file opens it, and leaves their objects alone",
        arguments: [["Vehicle"], ["Vehicle", "Person"], ["Car"]], [false, true])
    func smaller(members: [String], migrates: Bool) throws {
        SMStore.registerStoreClass()
        let folder = try TestFolder()
        for configuration in [nil, "Part", nil] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(members))
            let store = try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: configuration, at: folder.store,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: migrates,
                    NSInferMappingModelAutomaticallyOption: migrates,
                ])
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                let names = configuration == nil ? ["Vehicle", "Car", "Truck"] : members
                for name in names {
                    _ = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
                }
                try context.save()
            }
            try coordinator.remove(store)
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model([]))
        try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: folder.store)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { () throws in
            let trucks = NSFetchRequest<NSManagedObject>(entityName: "Truck")
            #expect(try context.count(for: trucks) == 2)
            let vehicles = NSFetchRequest<NSManagedObject>(entityName: "Vehicle")
            let added = members.filter { $0 != "Person" }.count
            #expect(try context.count(for: vehicles) == 6 + added)
        }
    }
}
