import CoreData
import Testing

/// Moving all objects from one store to another.
@Suite struct StoreMigrationTests {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init() throws {
        _ = RecordingStore.register
        let (clocks, tags) = (TestModel.make(), ["Clock", "AlarmClock", "Folder", "Dial", "Stop"])
        let entities = clocks.entitiesByName
        clocks.setEntities(tags.compactMap { entities[$0] }, forConfigurationName: "Clocks")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: clocks)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    func newURL() -> URL { URL(fileURLWithPath: "/recording/\(UUID().uuidString)") }

    func insertFolder(stops: [String]) throws -> NSManagedObject {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("Home", forKey: "name")
        let objects = stops.map { title in
            let stop = NSEntityDescription.insertNewObject(forEntityName: "Stop", into: context)
            stop.setValue(title, forKey: "title")
            return stop
        }
        folder.setValue(NSOrderedSet(array: objects), forKey: "stops")
        try context.save()
        return folder
    }

    func titles() throws -> [String] {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let folders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
        let stops = folders.first?.value(forKey: "stops") as? NSOrderedSet
        return stops?.array.compactMap {
            ($0 as? NSManagedObject)?.value(forKey: "title") as? String
        } ?? []
    }

    @Test(
        "From memory to a store of a class, back, and on keeps the order of relationships",
        arguments: [
            [RecordingStore.storeType, NSInMemoryStoreType],
            [NSInMemoryStoreType, RecordingStore.storeType, NSInMemoryStoreType],
        ])
    func roundTrip(types: [String]) throws {
        var store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: newURL())
        _ = try insertFolder(stops: ["c", "a", "b"])
        for type in types {
            store = try coordinator.migratePersistentStore(store, to: newURL(), withType: type)
            #expect(store.type == type)
            #expect(coordinator.persistentStores == [store])
            #expect(try titles() == ["c", "a", "b"])
        }
    }

    @Test("The new store has the old one's configuration")
    func configuration() throws {
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "Clocks", at: newURL())
        let new = try coordinator.migratePersistentStore(
            store, to: newURL(), type: .init(rawValue: RecordingStore.storeType))
        #expect(new.configurationName == "Clocks")
    }

    @Test("If the new store refuses, the old one is unchanged")
    func failure() throws {
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: newURL())
        _ = try insertFolder(stops: ["a", "b"])
        let url = newURL()
        RecordingDatabase.at(url).with { $0.saveFailures = [CocoaError(.fileWriteOutOfSpace)] }
        let error = #expect(throws: CocoaError.self) {
            try coordinator.migratePersistentStore(
                store, to: url, withType: RecordingStore.storeType)
        }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(coordinator.persistentStores == [store])
        #expect(try titles() == ["a", "b"])
    }

    @Test("An unregistered type is 134000")
    func unknownType() throws {
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: newURL())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.migratePersistentStore(store, to: newURL(), withType: "Nonsense")
        }
        #expect(error?.code == .persistentStoreInvalidType)
        #expect(coordinator.persistentStores == [store])
    }
}
