import CoreData
import Testing

/// A store that returns the batch and history requests that it gets.
final class HandedRequestStore: NSIncrementalStore {
    static let storeType = "HandedRequestStore"
    static let register: Void = NSPersistentStoreCoordinator.registerStoreClass(
        HandedRequestStore.self, forStoreType: storeType)

    private(set) var requests: [NSPersistentStoreRequest] = []

    override var type: String { Self.storeType }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString]
    }

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        requests.append(request)
        return switch request.requestType {
        case .batchInsertRequestType: InsertResult()
        case .batchUpdateRequestType: UpdateResult()
        case .batchDeleteRequestType: DeleteResult()
        default: HistoryResult()
        }
    }

    final class InsertResult: NSBatchInsertResult {
        override var result: Any? { NSNumber(value: 1) }
        override var resultType: NSBatchInsertRequestResultType { .count }
    }
    final class UpdateResult: NSBatchUpdateResult {
        override var result: Any? { NSNumber(value: 2) }
        override var resultType: NSBatchUpdateRequestResultType { .updatedObjectsCountResultType }
    }
    final class DeleteResult: NSBatchDeleteResult {
        override var result: Any? { NSNumber(value: 3) }
        override var resultType: NSBatchDeleteRequestResultType { .resultTypeCount }
    }
    final class HistoryResult: NSPersistentHistoryResult {
        override var result: Any? { [NSPersistentHistoryTransaction]() }
        override var resultType: NSPersistentHistoryResultType { .transactionsAndChanges }
    }
}

@Suite struct HandedRequestTests {
    let context: NSManagedObjectContext
    let stores: [HandedRequestStore]

    init() throws {
        _ = HandedRequestStore.register
        let model = TestModel.make()
        let entities = model.entitiesByName
        model.setEntities([entities["Tag"]].compactMap { $0 }, forConfigurationName: "Tags")
        model.setEntities([entities["Dial"]].compactMap { $0 }, forConfigurationName: "Dials")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        stores = try ["Tags", "Dials"].compactMap { name in
            try coordinator.addPersistentStore(
                ofType: HandedRequestStore.storeType, configurationName: name,
                at: URL(fileURLWithPath: "/handed/\(UUID().uuidString)")) as? HandedRequestStore
        }
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    @Test("A batch insertion goes to the store of its entity, in each of its forms")
    func insertion() throws {
        let entity = try #require(
            context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Tag"])
        let requests = [
            NSBatchInsertRequest(entityName: "Tag", objects: [["text": "a"]]),
            NSBatchInsertRequest(entity: entity, objects: [["text": "a"]]),
            NSBatchInsertRequest(entityName: "Tag", dictionaryHandler: { _ in true }),
            NSBatchInsertRequest(entity: entity, dictionaryHandler: { _ in true }),
            NSBatchInsertRequest(entityName: "Tag", managedObjectHandler: { _ in true }),
            NSBatchInsertRequest(entity: entity, managedObjectHandler: { _ in true }),
        ]
        for request in requests {
            request.resultType = .count
            let result = try context.execute(request) as? NSBatchInsertResult
            #expect(result?.resultType == .count)
            #expect(result?.result as? Int == 1)
            #expect(stores[0].requests.last === request)
            #expect(request.entityName == "Tag")
        }
        #expect(stores[1].requests.isEmpty)
    }

    @Test("A batch update goes to the store of its entity, with what it is to change")
    func update() throws {
        let request = NSBatchUpdateRequest(entityName: "Dial")
        request.predicate = NSPredicate(format: "color == 'red'")
        request.propertiesToUpdate = ["color": "blue"]
        request.resultType = .updatedObjectsCountResultType
        let result = try context.execute(request) as? NSBatchUpdateResult
        #expect(result?.result as? Int == 2)
        let handed = try #require(stores[1].requests.first as? NSBatchUpdateRequest)
        #expect(handed.entity.name == "Dial")
        #expect(handed.propertiesToUpdate?["color"] as? String == "blue")
        #expect(handed.includesSubentities)
        #expect(stores[0].requests.isEmpty)
    }

    @Test("A batch deletion goes to the store of its fetch's entity")
    func deletion() throws {
        let request = NSBatchDeleteRequest(
            fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag"))
        let result = try context.execute(request) as? NSBatchDeleteResult
        #expect(result?.result as? Int == 3)
        #expect(stores[0].requests.first === request)
        #expect(stores[1].requests.isEmpty)
    }

    @Test("affectedStores limits a request to stores")
    func affectedStores() throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.affectedStores = [stores[1]]
        let result = try context.execute(request) as? NSPersistentHistoryResult
        #expect(result?.resultType == .transactionsAndChanges)
        #expect(stores[1].requests.first === request)
        #expect(stores[0].requests.isEmpty)
    }

    @Test("The coordinator passes requests on as the context does")
    func coordinator() throws {
        let request = NSBatchUpdateRequest(entityName: "Dial")
        let coordinator = try #require(context.persistentStoreCoordinator)
        let result = try coordinator.execute(request, with: context)
        #expect(result is NSBatchUpdateResult)
    }

    @Test("The in-memory store refuses what only SQLite stores do, with 134091")
    func inMemory() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let requests: [NSPersistentStoreRequest] = [
            NSBatchInsertRequest(entityName: "Tag", objects: [["text": "a"]]),
            NSBatchUpdateRequest(entityName: "Tag"),
            NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")),
            NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast),
        ]
        for request in requests {
            let error = #expect(throws: CocoaError.self) { try context.execute(request) }
            #expect(error?.code == .persistentStoreUnsupportedRequestType)
        }
    }

    @Test("A request of a child is executed by the topmost context")
    func child() throws {
        _ = ContextNotingStore.registerNoting
        let stack = try TestStack(storeClass: ContextNotingStore.self)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        _ = try? child.execute(NSBatchInsertRequest(entityName: "Tag", objects: [["text": "a"]]))
        let store = stack.coordinator.persistentStores.first as? ContextNotingStore
        #expect(store?.context === stack.context)
    }
}

/// A store that records the context of each request.
private final class ContextNotingStore: RecordingStore {
    override class var storeType: String { "ContextNotingStore" }

    static let registerNoting: Void = NSPersistentStoreCoordinator.registerStoreClass(
        ContextNotingStore.self, forStoreType: storeType)

    private(set) weak var context: NSManagedObjectContext?

    override func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?
    ) throws -> Any {
        self.context = context
        return try super.execute(request, with: context)
    }
}
