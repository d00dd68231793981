import CoreData
import CoreDataFiles
import Seam3
import Testing

@Suite("Code that names Core Data's SQLite store") struct SQLiteStoreTypeTests {
    // In a separate process, because other tests register no class for the type.
    @Test("runs on a local store after one call")
    func container() async {
        await #expect(processExitsWith: .success) {
            SMStore.registerForSQLiteStoreType()
            let folder = try TestFolder()
            for count in [0, 1] {
                let container = NSPersistentContainer(
                    name: "Shop", managedObjectModel: ShopModel.make())
                container.persistentStoreDescriptions = [
                    NSPersistentStoreDescription(url: folder.store)
                ]
                container.loadPersistentStores { _, error in
                    if let error { fatalError("\(error)") }
                }
                let store = container.persistentStoreCoordinator.persistentStores.first
                precondition(store?.type == NSSQLiteStoreType)
                precondition((store as? SMStore)?.syncAutomatically == false)
                let context = container.newBackgroundContext()
                try context.performAndWait {
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
                    let found = try context.count(for: request)
                    precondition(found == count)
                    _ = NSEntityDescription.insertNewObject(forEntityName: "Box", into: context)
                    try context.save()
                }
                if let store { try container.persistentStoreCoordinator.remove(store) }
            }
        }
    }

    @Test("A file that Core Data wrote is adopted under the type of SQLite stores")
    func fileOfCoreData() async {
        await #expect(processExitsWith: .success) {
            SMStore.registerForSQLiteStoreType()
            let folder = try TestFolder()
            _ = try CoreDataFixture(at: folder.store)
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: CoreDataFixture.model())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.store)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = coordinator
            let count = try context.performAndWait {
                try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person"))
            }
            precondition(count == 3)
            let store = coordinator.persistentStores.first
            precondition(store?.metadata?["appKey"] as? String == "appValue")
        }
    }

    @Test("A file that Core Data wrote is adopted by a configuration that omits a subentity")
    func configuration() async {
        await #expect(processExitsWith: .success) {
            SMStore.registerForSQLiteStoreType()
            let folder = try TestFolder()
            try CoreDataFileWriter(CoreDataFixture.model()).write(
                [.init("Car", 1, ["name": .text("plain")])], to: folder.store)
            for _ in 0..<2 {
                let model = CoreDataFixture.model()
                model.setEntities(
                    model.entities.filter { $0.name == "Car" }, forConfigurationName: "Cars")
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                let store = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: "Cars", at: folder.store)
                let context = NSManagedObjectContext(.privateQueue)
                context.persistentStoreCoordinator = coordinator
                let count = try context.performAndWait {
                    try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Car"))
                }
                precondition(count == 1)
                try coordinator.remove(store)
            }
        }
    }

    @Test("The metadata of a file that Core Data wrote can be read without opening it")
    func metadataOfCoreData() async {
        await #expect(processExitsWith: .success) {
            SMStore.registerForSQLiteStoreType()
            let folder = try TestFolder()
            let model = CoreDataFixture.model()
            try CoreDataFileWriter(model).write([], to: folder.store)
            let before = try Data(contentsOf: folder.store)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: folder.store)
            precondition(metadata[NSStoreUUIDKey] is String)
            precondition(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
            precondition(
                model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            precondition(
                !ShopModel.make().isConfiguration(
                    withName: nil, compatibleWithStoreMetadata: metadata))
            let after = try Data(contentsOf: folder.store)
            precondition(after == before)
        }
    }

    @Test("A file that Core Data wrote is refused if adoption is switched off")
    func withoutAdoption() async {
        await #expect(processExitsWith: .success) {
            SMStore.registerForSQLiteStoreType()
            let folder = try TestFolder()
            _ = try CoreDataFixture(at: folder.store)
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: CoreDataFixture.model())
            do {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: folder.store,
                    options: [SMStore.SMStoreAdoptionOption: false])
                fatalError("The file was adopted.")
            } catch let SMStoreError.unknownFile(path, _) {
                precondition(path == folder.store.path)
            }
        }
    }
}
