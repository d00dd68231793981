import CoreData
import Testing

@Suite struct CoordinatorTests {
    /// A class of an app, as Apple's declaration asks for it.
    private final class AppCoordinator: NSPersistentStoreCoordinator {
        override init(managedObjectModel model: NSManagedObjectModel) {
            super.init(managedObjectModel: model)
        }
    }

    @Test("A coordinator is made without arguments, or with the model of a subclass")
    func initializers() {
        #expect(NSPersistentStoreCoordinator().managedObjectModel.entities.isEmpty)
        #expect(NSPersistentStoreCoordinator().persistentStores.isEmpty)
        let coordinator = AppCoordinator(managedObjectModel: TestModel.make())
        #expect(!coordinator.managedObjectModel.entities.isEmpty)
    }

    @Test("A store is created, asked for its metadata once, added, and notified")
    func adding() throws {
        let stack = try TestStack()
        #expect(stack.database.calls == ["loadMetadata", "didAdd"])
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(store.persistentStoreCoordinator === stack.coordinator)
        #expect(store.type == RecordingStore.storeType)
        #expect(store.url == stack.url)
        #expect(store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
        #expect(!store.isReadOnly)
    }

    @Test("A new store gets a type, a UUID and the version hashes")
    func newMetadata() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first)
        let metadata = stack.coordinator.metadata(for: store)
        #expect(metadata[NSStoreTypeKey] as? String == RecordingStore.storeType)
        #expect(UUID(uuidString: try #require(metadata[NSStoreUUIDKey] as? String)) != nil)
        #expect(store.identifier == metadata[NSStoreUUIDKey] as? String)
        let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
        #expect(hashes == stack.coordinator.managedObjectModel.entityVersionHashesByName)
    }

    @Test("A store of an unknown type is 134000")
    func unknownType() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let error = #expect(throws: CocoaError.self) {
            try coordinator.addPersistentStore(
                ofType: "Nonsense", configurationName: nil, at: nil)
        }
        #expect(error?.code == .persistentStoreInvalidType)
    }

    @Test("A store of another type is 134010")
    func typeMismatch() throws {
        let stack = try TestStack()
        try stack.context.save()
        stack.database.with { $0.storeType = "Other" }
        let error = #expect(throws: CocoaError.self) { try TestStack(url: stack.url) }
        #expect(error?.code == .persistentStoreTypeMismatch)
    }

    @Test("A store that was written with another model is 134100")
    func otherModel() throws {
        let stack = try TestStack()
        try stack.context.save()
        let model = TestModel.make()
        model.entitiesByName["Tag"]?.properties.append(
            TestModel.attribute("more", .stringAttributeType))
        let error = #expect(throws: CocoaError.self) {
            try TestStack(model: model, url: stack.url)
        }
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        _ = try TestStack(url: stack.url)
    }

    @Test("What a store throws from loadMetadata reaches the caller")
    func loadFailure() {
        let url = URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        RecordingDatabase.at(url).with { $0.failure = CocoaError(.fileReadCorruptFile) }
        let error = #expect(throws: CocoaError.self) { try TestStack(url: url) }
        #expect(error?.code == .fileReadCorruptFile)
    }

    @Test("Adding and removing a store are announced")
    func notifications() throws {
        _ = RecordingStore.register
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let recorder = NotificationRecorder(
            coordinator, [.NSPersistentStoreCoordinatorStoresDidChange])
        let url = URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        let store = try coordinator.addPersistentStore(
            ofType: RecordingStore.storeType, configurationName: nil, at: url)
        var stores = recorder.last?.userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
        #expect(stores == [store])
        let removal = NotificationRecorder(store, [.NSPersistentStoreCoordinatorWillRemoveStore])
        try coordinator.remove(store)
        #expect(removal.all.count == 1)
        stores = recorder.last?.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
        #expect(stores == [store])
        #expect(coordinator.persistentStores.isEmpty)
        #expect(store.persistentStoreCoordinator == nil)
        #expect(RecordingDatabase.at(url).calls.last == "willRemove")
        #expect(throws: CocoaError.self) { try coordinator.remove(store) }
    }

    @Test("The same store cannot be added twice")
    func twice() throws {
        let stack = try TestStack()
        #expect(throws: CocoaError.self) {
            try stack.coordinator.addPersistentStore(
                ofType: RecordingStore.storeType, configurationName: nil, at: stack.url)
        }
    }

    @Test("Metadata can be read and written without adding the store")
    func metadataOfURL() throws {
        let stack = try TestStack()
        try stack.context.save()
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: RecordingStore.storeType, at: stack.url)
        #expect(metadata[NSStoreUUIDKey] != nil)
        try NSPersistentStoreCoordinator.setMetadata(
            ["a": "b"], forPersistentStoreOfType: RecordingStore.storeType, at: stack.url)
        #expect(stack.database.with { $0.metadata["a"] as? String } == "b")
    }

    @Test("New metadata is written by the next save")
    func setMetadata() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first)
        var metadata = stack.coordinator.metadata(for: store)
        metadata["mine"] = 1
        stack.coordinator.setMetadata(metadata, for: store)
        try stack.context.save()
        #expect(stack.database.with { $0.metadata["mine"] as? Int } == 1)
    }

    @Test("The newer methods do the same")
    func storeType() throws {
        let type = NSPersistentStore.StoreType(rawValue: "RecordingStoreByType")
        NSPersistentStoreCoordinator.registerStoreClass(RecordingStore.self, type: type)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] != nil)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let url = URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        let store = try coordinator.addPersistentStore(type: type, at: url)
        #expect(coordinator.persistentStore(for: url) === store)
        let storeURL: URL = coordinator.url(for: store)
        #expect(storeURL == url)
        NSPersistentStoreCoordinator.registerStoreClass(nil, type: type)
        #expect(NSPersistentStoreCoordinator.registeredStoreTypes[type.rawValue] == nil)
    }

    @Test("perform and performAndWait run blocks and hand on results and errors")
    func blocks() async throws {
        let coordinator = try TestStack().coordinator
        #expect(coordinator.performAndWait { coordinator.performAndWait { 4 } } == 4)
        #expect(await coordinator.perform { 5 } == 5)
        #expect(throws: CocoaError.self) {
            try coordinator.performAndWait { throw CocoaError(.coreData) }
        }
    }

    @Test("A read-only store refuses a save")
    func readOnly() throws {
        _ = RecordingStore.register
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: RecordingStore.storeType, configurationName: nil,
            at: URL(fileURLWithPath: "/recording/\(UUID().uuidString)"),
            options: [NSReadOnlyPersistentStoreOption: true])
        #expect(store.isReadOnly)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        _ = Clock(context: context)
        #expect(throws: CocoaError.self) { try context.save() }
    }
}

@Suite struct SeveralStoresTests {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    let stores: [NSPersistentStore]

    init() throws {
        _ = RecordingStore.register
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: TestModel.makeWithConfigurations())
        self.coordinator = coordinator
        stores = try ["Clocks", "Tags", "Clocks"].map { name in
            try coordinator.addPersistentStore(
                ofType: RecordingStore.storeType, configurationName: name,
                at: URL(fileURLWithPath: "/recording/\(UUID().uuidString)"))
        }
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    func rows(_ index: Int) -> Int {
        let url: URL = coordinator.url(for: stores[index])
        return RecordingDatabase.at(url).with { $0.rows.count }
    }

    @Test("A new object goes to the first store that contains its entity, or to the assigned one")
    func assignment() throws {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        let first = Clock(context: context)
        let second = Clock(context: context)
        context.assign(second, to: stores[2])
        try context.save()
        let counts: [Int] = (0..<3).map(rows)
        #expect(counts == [1, 1, 1])
        #expect(tag.objectID.persistentStore === stores[1])
        #expect(first.objectID.persistentStore === stores[0])
        #expect(second.objectID.persistentStore === stores[2])
    }

    @Test("A fetch puts the results of all stores in one order, with one window")
    func fetch() throws {
        for index in 0..<10 {
            let clock = Clock(context: context)
            clock.position = index
            context.assign(clock, to: stores[index % 2 == 0 ? 0 : 2])
        }
        try context.save()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "position", ascending: false)]
        request.fetchLimit = 4
        request.fetchOffset = 1
        #expect(try context.fetch(request).map(\.position) == [8, 7, 6, 5])
        #expect(try context.count(for: request) == 4)
        request.affectedStores = [stores[2]]
        #expect(try context.fetch(request).map(\.position) == [7, 5, 3, 1])
    }

    @Test("An object of an entity in no store cannot be saved")
    func noStore() throws {
        try coordinator.remove(stores[1])
        _ = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        #expect(throws: CocoaError.self) { try context.save() }
    }

    /// What is done to an object whose store is gone.
    enum Change: CaseIterable {
        case edit, deletion
    }

    @Test(
        "An object whose store was removed cannot be saved, and nothing else is either",
        arguments: Change.allCases,
        [NSMergePolicyType.errorMergePolicyType, .overwriteMergePolicyType])
    func removedStore(change: Change, policy: NSMergePolicyType) throws {
        let (kept, lost) = (Clock(context: context), Clock(context: context))
        context.assign(kept, to: stores[0])
        context.assign(lost, to: stores[2])
        try context.save()
        try coordinator.remove(stores[2])
        context.mergePolicy = NSMergePolicy(merge: policy)
        kept.label = "edited"
        if change == .edit { lost.label = "edited" } else { context.delete(lost) }
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(context.hasChanges)
        let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        other.persistentStoreCoordinator = coordinator
        try other.performAndWait {
            let copy = try other.existingObject(with: kept.objectID) as? Clock
            #expect(copy?.label != "edited")
        }
    }

    @Test("IDs and URIs lead to the store that they name")
    func identity() throws {
        let clock = Clock(context: context)
        context.assign(clock, to: stores[2])
        try context.save()
        let objectID = coordinator.managedObjectID(
            forURIRepresentation: clock.objectID.uriRepresentation())
        #expect(objectID == clock.objectID)
        #expect(objectID?.persistentStore === stores[2])
    }
}
