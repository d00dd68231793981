import CoreData
import LocalCloud
import Seam3
import Testing

/// An app's Save As: its store is migrated while contexts have its objects.
@Suite("Objects in contexts while their store is migrated") struct SaveAsTests {
    enum Kind: CaseIterable {
        case memory
        case file

        var type: String { self == .memory ? NSInMemoryStoreType : SMStore.type }
    }

    let folder = try? TestFolder()

    private func url() throws -> URL {
        let url = try #require(folder).store
        return url.deletingLastPathComponent().appendingPathComponent("\(UUID().uuidString).sqlite")
    }

    private func noSync(_ store: NSPersistentStore) {
        (store as? SMStore)?.syncAutomatically = false
    }

    @Test(
        "Unsaved changes are saved to the new store, which goes on alone",
        arguments: [(Kind.memory, Kind.file), (.file, .file), (.file, .memory)])
    func unsaved(from old: Kind, to new: Kind) throws {
        SMStore.registerStoreClass()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BatchModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: old.type, configurationName: nil, at: try url())
        noSync(store)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        func insert(_ entity: String, _ name: String) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(name, forKey: "name")
            return object
        }
        let (ada, changed, deleted) = (
            insert("Author", "ada"), insert("Book", "changed"), insert("Book", "deleted")
        )
        let tag = insert("Tag", "tag")
        changed.setValue(ada, forKey: "author")
        changed.setValue(Set([tag]), forKey: "tags")
        try context.save()
        changed.setValue(7, forKey: "pages")
        context.delete(deleted)
        let inserted = insert("Book", "inserted")
        inserted.setValue(ada, forKey: "author")
        inserted.setValue(Set([tag]), forKey: "tags")
        let newURL = try url()
        let migrated = try coordinator.migratePersistentStore(
            store, to: newURL, options: nil, withType: new.type)
        noSync(migrated)
        #expect(coordinator.persistentStores == [migrated])
        for object in [ada, changed, deleted, tag] {
            #expect(object.objectID.persistentStore === migrated)
        }
        try context.save()
        changed.setValue(8, forKey: "pages")
        try context.save()
        let reader = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        reader.persistentStoreCoordinator = coordinator
        try reader.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let books = try reader.fetch(request)
            #expect(books.map { $0.value(forKey: "name") as? String } == ["changed", "inserted"])
            #expect(books.map { $0.value(forKey: "pages") as? Int } == [8, 10])
            #expect(books.allSatisfy { $0.value(forKeyPath: "author.name") as? String == "ada" })
            #expect(books.allSatisfy { ($0.value(forKey: "tags") as? NSSet)?.count == 1 })
        }
        // The objects are those of the new store.
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        #expect(Set(try context.fetch(request)) == [changed, inserted])
        try coordinator.remove(migrated)
    }

    @Test(
        "The copy of a synced store does not sync, which would send every object a second time, until it is told to"
    )
    func syncedCopy() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        try await device.store.sync()
        let coordinator = device.container.persistentStoreCoordinator
        let options = [SMStore.SMStoreContainerOption: device.cloudContainer]
        var copy = try #require(
            coordinator.migratePersistentStore(
                device.store, to: try url(), options: options, withType: SMStore.type) as? SMStore)
        noSync(copy)
        await #expect(throws: SMStoreError.copyOfSyncedStore) { try await copy.sync() }
        // The file itself knows.
        let file = try #require(copy.url)
        try coordinator.remove(copy)
        copy = try #require(
            coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil, at: file, options: options)
                as? SMStore)
        noSync(copy)
        await #expect(throws: SMStoreError.copyOfSyncedStore) { try await copy.sync() }
        #expect(try await RawClient(cloud).records().count == 1)
        try copy.resetCloudFieldsInBackingStore()
        try await copy.sync()
        #expect(try await RawClient(cloud).records().count == 2)
        try coordinator.remove(copy)
    }

    @Test("The copy of a store that was never synced syncs")
    func unsyncedCopy() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        let coordinator = device.container.persistentStoreCoordinator
        let copy = try #require(
            coordinator.migratePersistentStore(
                device.store, to: try url(),
                options: [SMStore.SMStoreContainerOption: device.cloudContainer],
                withType: SMStore.type) as? SMStore)
        noSync(copy)
        try await copy.sync()
        #expect(try await RawClient(cloud).records().count == 1)
        try coordinator.remove(copy)
    }
}
