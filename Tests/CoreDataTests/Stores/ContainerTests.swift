import CoreData
import Testing

@Suite struct ContainerTests {
    func container() -> NSPersistentContainer {
        _ = RecordingStore.register
        let container = NSPersistentContainer(
            name: "Clocks", managedObjectModel: TestModel.make())
        let url = URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        let description = NSPersistentStoreDescription(url: url)
        description.type = RecordingStore.storeType
        container.persistentStoreDescriptions = [description]
        return container
    }

    @Test("A new container describes one SQLite store in the default directory")
    func defaults() {
        let container = NSPersistentContainer(
            name: "Clocks", managedObjectModel: TestModel.make())
        let description = container.persistentStoreDescriptions.first
        #expect(container.name == "Clocks")
        #expect(container.persistentStoreDescriptions.count == 1)
        #expect(description?.type == NSSQLiteStoreType)
        #expect(description?.url?.lastPathComponent == "Clocks.sqlite")
        #expect(
            description?.url?.deletingLastPathComponent().path
                == NSPersistentContainer.defaultDirectoryURL().path)
        #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
    }

    @Test("Loading calls the block once per store, before it returns")
    func loading() {
        let container = container()
        var loaded: [NSPersistentStoreDescription] = []
        container.loadPersistentStores { description, error in
            #expect(error == nil)
            loaded.append(description)
        }
        #expect(loaded == container.persistentStoreDescriptions)
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("A store that cannot be loaded gives its error to the block")
    func failure() {
        let container = container()
        container.persistentStoreDescriptions.first?.type = "Nonsense"
        var code: CocoaError.Code?
        container.loadPersistentStores { _, error in code = (error as? CocoaError)?.code }
        #expect(code == .persistentStoreInvalidType)
    }

    @Test("A store can be added on another queue")
    func asynchronously() async {
        let container = container()
        container.persistentStoreDescriptions.first?.shouldAddStoreAsynchronously = true
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            container.loadPersistentStores { _, _ in continuation.resume() }
        }
        #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
    }

    @Test("Background work saves, and the view context sees it")
    func background() async throws {
        let container = container()
        container.loadPersistentStores { _, error in #expect(error == nil) }
        container.viewContext.automaticallyMergesChangesFromParent = true
        let objectID = try await container.performBackgroundTask { context in
            let clock = Clock(context: context)
            clock.label = "background"
            try context.save()
            return clock.objectID
        }
        let context = container.viewContext
        let label = await context.perform { (context.object(with: objectID) as? Clock)?.label }
        #expect(label == "background")
    }

    @Test("A background task without a result runs with a separate context")
    func backgroundBlock() async {
        let container = container()
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let type = await withCheckedContinuation { continuation in
            let run: (@escaping @Sendable (NSManagedObjectContext) -> Void) -> Void =
                container.performBackgroundTask
            run { continuation.resume(returning: $0.concurrencyType) }
        }
        #expect(type == .privateQueueConcurrencyType)
    }

    @Test("The settings of a description are its options")
    func description() {
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a"))
        #expect(description.shouldMigrateStoreAutomatically)
        #expect(description.shouldInferMappingModelAutomatically)
        #expect(!description.isReadOnly)
        #expect(!description.shouldAddStoreAsynchronously)
        #expect(description.timeout == 240)
        description.isReadOnly = true
        let options = description.options
        #expect((options[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue == true)
        description.shouldMigrateStoreAutomatically = false
        let migrates = description.options[NSMigratePersistentStoresAutomaticallyOption]
        #expect((migrates as? NSNumber)?.boolValue == false)
        description.setOption(NSString(string: "v"), forKey: "k")
        #expect(description.options["k"] == NSString(string: "v"))
        description.setOption(nil, forKey: "k")
        #expect(description.options["k"] == nil)
        description.setValue(NSString(string: "WAL"), forPragmaNamed: "journal_mode")
        #expect(description.sqlitePragmas["journal_mode"] == NSString(string: "WAL"))
        let copy = description.copy() as? NSPersistentStoreDescription
        #expect(copy?.isReadOnly == true)
    }

    @Test("The store gets the description's options")
    func options() throws {
        let container = container()
        container.persistentStoreDescriptions.first?.setOption(
            NSString(string: "v"), forKey: "k")
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let store = container.persistentStoreCoordinator.persistentStores.first
        #expect(store?.options?["k"] as? String == "v")
    }
}
