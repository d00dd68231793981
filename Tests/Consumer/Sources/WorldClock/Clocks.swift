import CoreData
import Seam3

/// The user's clocks, in a file that syncs with the user's other devices.
struct Clocks: Sendable {
    /// One model for all containers of the process. Nothing changes it.
    nonisolated(unsafe) static let model = NSManagedObjectModel.mergedModel(from: [Bundle.module])

    let container: NSPersistentContainer
    let store: SMStore

    init(
        at url: URL = NSPersistentContainer.defaultDirectoryURL()
            .appendingPathComponent("WorldClock.sqlite"),
        cloud: NSObject = "iCloud.org.example.WorldClock" as NSString,
        model: NSManagedObjectModel? = Self.model
    ) throws {
        guard let model else { throw CocoaError(.fileReadNoSuchFile) }
        SMStore.registerStoreClass()
        container = NSPersistentContainer(name: "WorldClock", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.type = SMStore.type
        description.setOption(cloud, forKey: SMStore.SMStoreContainerOption)
        container.persistentStoreDescriptions = [description]

        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        store = try SMStore.store(in: container)
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    func add(_ label: String) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            Clock(context: context).label = label
            try context.save()
        }
    }

    func labels() throws -> [String] {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let request = NSFetchRequest<Clock>(entityName: "Clock")
            request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
            return try context.fetch(request).map { $0.label ?? "" }
        }
    }
}
