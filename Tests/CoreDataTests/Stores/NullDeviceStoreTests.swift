import CoreData
import Testing

/// The URL that Xcode's template and many tests use for an in-memory store.
@Suite struct NullDeviceStoreTests {
    @Test("An SQLite store at /dev/null keeps its objects in memory")
    func container() throws {
        let container = NSPersistentContainer(name: "Clocks", managedObjectModel: TestModel.make())
        container.persistentStoreDescriptions.first?.url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { #expect($1 == nil) }
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        #expect(store.type == NSSQLiteStoreType)
        #expect(store.metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        let context = container.newBackgroundContext()
        let count = try context.performAndWait {
            _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            try context.save()
            return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
        }
        #expect(count == 1)
    }

    @Test("Two such stores are separate, in one coordinator or in two")
    func independence() throws {
        let url = URL(fileURLWithPath: "/dev/null")
        let coordinators = (0..<2).map { _ in
            NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        }
        for coordinator in coordinators {
            for _ in 0..<2 {
                try coordinator.addPersistentStore(type: .sqlite, at: url)
            }
            #expect(coordinator.persistentStores.count == 2)
        }
        let identifiers = coordinators.flatMap(\.persistentStores).compactMap(\.identifier)
        #expect(Set(identifiers).count == 4)
    }

    @Test("An SQLite store with a file needs a class that is registered for it")
    func file() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                type: .sqlite, at: URL(fileURLWithPath: "/tmp/clocks.sqlite"))
        }
        #expect(error?.code == .persistentStoreInvalidType)
        #expect(error?.localizedDescription.contains("'SQLite'") == true)
    }
}
