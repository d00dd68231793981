import CoreData
import Testing

/// Stores that read and write everything at once.
@Suite("An atomic store") struct AtomicStoreTests {
    private let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("AtomicStoreTests-\(UUID().uuidString)")

    private struct Stack {
        let coordinator: NSPersistentStoreCoordinator
        let store: TextStore
        let context: NSManagedObjectContext

        init(at url: URL, model: NSManagedObjectModel = TestModel.make()) throws {
            TextStore.register
            coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            store = try #require(
                try coordinator.addPersistentStore(
                    ofType: TextStore.storeType, configurationName: nil, at: url) as? TextStore)
            context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
        }

        func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            return object
        }

        func fetch(
            _ entity: String, _ format: String = "TRUEPREDICATE", _ arguments: Any...
        ) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            return try context.fetch(request)
        }
    }

    @Test("keeps objects and relationships of every kind over relaunches")
    func relaunch() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        let folder = stack.insert("Folder", ["name": "f"])
        let clock = stack.insert("Clock", ["label": "c", "position": 3])
        let alarm = stack.insert("AlarmClock", ["label": "a"])
        folder.setValue(NSSet(array: [clock, alarm]), forKey: "clocks")
        clock.setValue(stack.insert("Dial", ["color": "red"]), forKey: "dial")
        clock.setValue(
            NSSet(array: ["x", "y"].map { stack.insert("Tag", ["text": $0]) }), forKey: "tags")
        let stops = ["s2", "s1", "s3"].map { stack.insert("Stop", ["title": $0]) }
        folder.setValue(NSOrderedSet(array: stops), forKey: "stops")
        try stack.context.save()
        let uri = clock.objectID.uriRepresentation()

        let again = try Stack(at: url)
        #expect(again.store.identifier == stack.store.identifier)
        let id = try #require(again.coordinator.managedObjectID(forURIRepresentation: uri))
        let read = try again.context.existingObject(with: id)
        #expect(read.value(forKey: "label") as? String == "c")
        #expect(read.value(forKey: "position") as? Int == 3)
        #expect(read.value(forKeyPath: "dial.color") as? String == "red")
        #expect(read.value(forKeyPath: "folder.name") as? String == "f")
        let tags = read.value(forKeyPath: "tags.text") as? NSSet
        #expect(tags == NSSet(array: ["x", "y"]))
        let titles = read.value(forKeyPath: "folder.stops.title") as? NSOrderedSet
        #expect(titles?.array as? [String] == ["s2", "s1", "s3"])
        #expect(try again.fetch("AlarmClock").count == 1)
    }

    @Test("answers fetches of every form from its nodes") func fetches() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        let folder = stack.insert("Folder", ["name": "f"])
        for position in 1...4 {
            let clock = stack.insert("Clock", ["label": "c\(position)", "position": position])
            if position > 2 { clock.setValue(folder, forKey: "folder") }
        }
        _ = stack.insert("AlarmClock", ["label": "alarm", "position": 5])
        try stack.context.save()
        stack.context.reset()
        func labels(_ objects: [NSManagedObject]) -> [String] {
            objects.compactMap { $0.value(forKey: "label") as? String }.sorted()
        }
        #expect(labels(try stack.fetch("Clock", "position > 3")) == ["alarm", "c4"])
        #expect(labels(try stack.fetch("Clock", "folder.name == 'f'")) == ["c3", "c4"])
        #expect(try stack.fetch("Folder", "ANY clocks.label == 'c3'").count == 1)
        #expect(try stack.fetch("Folder", "clocks.@count == 2").count == 1)
        let third = try #require(try stack.fetch("Clock", "label == 'c3'").first)
        #expect(try stack.fetch("Clock", "SELF IN %@", [third]) == [third])
        #expect(try stack.fetch("Folder", "clocks CONTAINS %@", third).count == 1)
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "position", ascending: false)]
        request.includesSubentities = false
        request.fetchLimit = 2
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["position", "folder"]
        let rows = try stack.context.fetch(request) as? [NSDictionary]
        #expect(rows?.map { $0["position"] as? Int } == [4, 3])
        #expect(rows?.first?["folder"] is NSManagedObjectID)
        request.fetchLimit = 0
        #expect(try stack.context.count(for: request) == 4)
    }

    @Test("gets Apple's calls in Apple's order") func order() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        #expect(stack.store.calls == ["load"])
        let clock = stack.insert("Clock")
        try stack.context.save()
        let tag = stack.insert("Tag")
        clock.setValue("b", forKey: "label")
        try stack.context.save()
        stack.context.delete(tag)
        try stack.context.save()
        #expect(
            Array(stack.store.calls.dropFirst()) == [
                "newReferenceObject Clock", "newCacheNode Clock", "save",
                "newReferenceObject Tag", "newCacheNode Tag", "updateCacheNode Clock", "save",
                "willRemoveCacheNodes 1", "save",
            ])
        #expect(stack.store.cacheNodes().map(\.objectID) == [clock.objectID])
        #expect(stack.store.cacheNode(for: tag.objectID) == nil)
    }

    @Test("is unchanged after a save that fails") func failure() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        let clock = stack.insert("Clock", ["label": "a"])
        let gone = stack.insert("Tag")
        try stack.context.save()
        stack.store.failure = CocoaError(.fileWriteOutOfSpace)
        clock.setValue("b", forKey: "label")
        stack.context.delete(gone)
        _ = stack.insert("Folder", ["name": "f"])
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .fileWriteOutOfSpace)
        let node = try #require(stack.store.cacheNode(for: clock.objectID))
        #expect(node.value(forKey: "label") as? String == "a")
        #expect(stack.store.cacheNodes().count == 2)
        stack.store.failure = nil
        try stack.context.save()
        #expect(node.value(forKey: "label") as? String == "b")
        #expect(
            Set(stack.store.cacheNodes().map { $0.objectID.entity.name }) == ["Clock", "Folder"])
    }

    @Test("finds that an object was changed by another context") func conflict() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        let clock = stack.insert("Clock", ["label": "a"])
        try stack.context.save()
        let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        other.persistentStoreCoordinator = stack.coordinator
        let copy = try other.existingObject(with: clock.objectID)
        clock.setValue("b", forKey: "label")
        try stack.context.save()
        copy.setValue("c", forKey: "label")
        let error = #expect(throws: CocoaError.self) { try other.save() }
        #expect(error?.code == .managedObjectMerge)
        other.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try other.save()
        stack.context.refreshAllObjects()
        #expect(clock.value(forKey: "label") as? String == "c")
        stack.context.delete(clock)
        try stack.context.save()
        other.reset()
        #expect(throws: CocoaError.self) { try other.existingObject(with: clock.objectID) }
    }

    @Test("finds that an object was deleted and inserted again since a context has read it")
    func insertedAgain() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        let clock = stack.insert("Clock", ["label": "a"])
        try stack.context.save()
        let others = (0..<2).map { _ in
            NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        }
        for other in others { other.persistentStoreCoordinator = stack.coordinator }
        others[0].mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let copies = try others.map { try $0.existingObject(with: clock.objectID) }
        for copy in copies { copy.setValue("b", forKey: "label") }
        stack.context.delete(clock)
        try stack.context.save()
        try others[0].save()
        let error = #expect(throws: CocoaError.self) { try others[1].save() }
        #expect(error?.code == .managedObjectMerge)
        // The context that has inserted it knows its version.
        copies[0].setValue("d", forKey: "label")
        others[0].mergePolicy = NSMergePolicy.error
        try others[0].save()
        #expect(try stack.fetch("Clock").map { $0.value(forKey: "label") as? String } == ["d"])
    }

    @Test("is refused if it was written with another model")
    func migration() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        _ = stack.insert("Clock", ["label": "a"])
        try stack.context.save()
        let model = TestModel.make()
        model.entitiesByName["Tag"]?.properties.append(
            TestModel.attribute("size", .integer64AttributeType))
        let error = #expect(throws: CocoaError.self) { try Stack(at: url, model: model) }
        #expect(error?.code == .persistentStoreIncompatibleVersionHash)
        #expect(
            TestModel.make().isConfiguration(
                withName: nil,
                compatibleWithStoreMetadata:
                    try NSPersistentStoreCoordinator
                    .metadataForPersistentStore(ofType: TextStore.storeType, at: url)))
    }

    @Test("may contain the destinations of another store's objects") func migrate() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        TextStore.register
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let memory = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        folder.setValue("f", forKey: "name")
        let clock = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
        clock.setValue(folder, forKey: "folder")
        try context.save()
        _ = try coordinator.migratePersistentStore(
            memory, to: url, options: nil, withType: TextStore.storeType)
        let stack = try Stack(at: url)
        #expect(try stack.fetch("Clock", "folder.name == 'f'").count == 1)
    }

    @Test("A request that is neither a fetch nor a save is 134091") func otherRequests() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        let request = NSBatchUpdateRequest(entityName: "Clock")
        request.propertiesToUpdate = ["label": "a"]
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }

    @Test("A node keeps values of the entity's properties only") func node() async throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let stack = try Stack(at: url)
        let clock = try #require(stack.coordinator.managedObjectModel.entitiesByName["Clock"])
        let id = stack.store.objectID(for: clock, withReferenceObject: "a")
        #expect(stack.store.referenceObject(for: id) as? String == "a")
        let node = NSAtomicStoreCacheNode(objectID: id)
        #expect(node.propertyCache == nil)
        #expect(node.value(forKey: "label") == nil)
        node.setValue("l", forKey: "label")
        #expect(node.propertyCache?["label"] as? String == "l")
        node.setValue(nil, forKey: "label")
        #expect(node.propertyCache?.count == 0)
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let model = TestModel.make()
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = NSAtomicStore(
                persistentStoreCoordinator: coordinator, configurationName: nil,
                at: URL(fileURLWithPath: "/dev/null"))
            let clock = try #require(model.entitiesByName["Clock"])
            let id = store.objectID(for: clock, withReferenceObject: 1)
            NSAtomicStoreCacheNode(objectID: id).setValue(1, forKey: "size")
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains("this class is not key value coding-compliant for the key size"),
            "\(output.prefix(400))")
    }
}
