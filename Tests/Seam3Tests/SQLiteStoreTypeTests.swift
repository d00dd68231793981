import CoreData
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
}
