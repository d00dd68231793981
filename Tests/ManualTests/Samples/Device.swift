import CloudKit
import CoreData
import Seam3
import Seam3Testing
import Testing

/// An app on one of a test's devices.
struct Device {
    let cloudContainer: LocalContainer
    let container: NSPersistentContainer
    let store: SMStore
    let context: NSManagedObjectContext

    init(
        _ name: String, in directory: URL, on cloud: LocalCloud,
        model: NSManagedObjectModel = clockModel(["label", "note"])
    ) throws {
        cloudContainer = LocalContainer(
            identifier: "iCloud.org.example.Clocks", service: cloud, device: name)
        SMStore.registerStoreClass()
        container = NSPersistentContainer(name: "Clocks", managedObjectModel: model)
        let description = NSPersistentStoreDescription(
            url: directory.appendingPathComponent("\(name).sqlite"))
        description.type = SMStore.type
        description.setOption(cloudContainer, forKey: SMStore.SMStoreContainerOption)
        container.persistentStoreDescriptions = [description]
        var failure: Error?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        store = try SMStore.store(in: container)
        store.syncAutomatically = false
        context = container.newBackgroundContext()
    }

    func add(_ label: String) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                .setValue(label, forKey: "label")
            try context.save()
        }
    }

    func labels() throws -> [String] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
            return try context.fetch(request).compactMap { $0.value(forKey: "label") as? String }
        }
    }
}
