import CoreData
import Testing

/// Stores that are limited to a part of the model.
@Suite struct ConfigurationTests {
    private func makeModel(
        _ configurations: [String: [String]]
    ) -> NSManagedObjectModel {
        let model = TestModel.make()
        let entities = model.entitiesByName
        for (name, members) in configurations {
            model.setEntities(members.compactMap { entities[$0] }, forConfigurationName: name)
        }
        return model
    }

    @Test(
        "A configuration may omit a subentity, or its parent",
        arguments: [["Clock"], ["AlarmClock"], ["Clock", "AlarmClock"]])
    func partOfHierarchy(names: [String]) throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: makeModel(["Part": names]))
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "Part", at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        for name in names {
            let clock = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
            clock.setValue("a", forKey: "label")
        }
        try context.save()
        context.reset()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        #expect(try context.fetch(request).count == names.count)
    }

    @Test("An object of an entity in no configuration cannot be saved")
    func withoutStore() throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: makeModel(["Part": ["Clock"]]))
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "Part", at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        _ = NSEntityDescription.insertNewObject(forEntityName: "AlarmClock", into: context)
        #expect(throws: CocoaError.self) { try context.save() }
    }

    @Test("Objects of a parent and of its subentity may be in different stores")
    func divided() throws {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: makeModel(["Parents": ["Clock"], "Children": ["AlarmClock"]]))
        for name in ["Parents", "Children"] {
            try coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: name, at: nil)
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let objects = ["Clock", "AlarmClock"].map {
            NSEntityDescription.insertNewObject(forEntityName: $0, into: context)
        }
        try context.save()
        let stores = coordinator.persistentStores
        #expect(objects.map { $0.objectID.persistentStore } == stores)
        context.reset()
        #expect(try context.count(for: NSFetchRequest<Clock>(entityName: "Clock")) == 2)
    }
}
