import CoreData
import Testing

/// Counts the changes that a controller announces.
private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
    var changeCount = 0
    var log: [String] = []

    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        changeCount += 1
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        log.append("\(type) \(sectionInfo.name)")
    }
}

@Suite("Sections that are named after related objects") struct FetchedResultsRelatedTests {
    @Test("follow the objects of the results, and not the related ones")
    func sections() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            func insert(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity, into: context)
                object.setValue(value, forKey: key)
                return object
            }
            let folders = ["x", "y"].map { insert("Folder", "name", $0) }
            let clocks = ["b", "d", "f"].map { insert("Clock", "label", $0) }
            for (clock, folder) in zip(clocks, [folders[0], folders[0], folders[1]]) {
                clock.setValue(folder, forKey: "folder")
            }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            request.sortDescriptors = ["folder.name", "label"].map {
                NSSortDescriptor(key: $0, ascending: true)
            }
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context,
                sectionNameKeyPath: "folder.name", cacheName: nil)
            let delegate = Delegate()
            controller.delegate = delegate
            try controller.performFetch()
            folders[0].setValue("z", forKey: "name")
            try context.save()
            #expect(delegate.changeCount == 0)
            #expect(controller.sections?.map(\.name) == ["x", "y"])
            for clock in clocks { context.refresh(clock, mergeChanges: true) }
            context.processPendingChanges()
            #expect(delegate.changeCount == 1)
            #expect(controller.sections?.map(\.name) == ["y", "z"])
            #expect(controller.fetchedObjects == [clocks[2], clocks[0], clocks[1]])
            delegate.log = []
            clocks[2].setValue(folders[0], forKey: "folder")
            context.processPendingChanges()
            #expect(controller.sections?.map(\.name) == ["z"])
            #expect(delegate.log.count == 1)
        }
    }
}
