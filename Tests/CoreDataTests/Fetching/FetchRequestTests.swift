import CoreData
import Testing

@Suite struct FetchRequestTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
        for label in ["b", "a", "c"] { _ = stack.insertClock(label) }
        try stack.context.save()
    }

    @Test("The defaults are Apple's")
    func defaults() {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        #expect(request.entityName == "Clock")
        #expect(request.predicate == nil)
        #expect(request.fetchLimit == 0)
        #expect(request.fetchOffset == 0)
        #expect(request.fetchBatchSize == 0)
        #expect(request.includesPendingChanges)
        #expect(request.includesPropertyValues)
        #expect(request.includesSubentities)
        #expect(request.returnsObjectsAsFaults)
        #expect(!request.returnsDistinctResults)
        #expect(!request.shouldRefreshRefetchedObjects)
        #expect(request.resultType == .managedObjectResultType)
        #expect(request.requestType == .fetchRequestType)
    }

    @Test("The raw values of result types are Apple's")
    func resultTypes() {
        #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
        #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
        #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
        #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
    }

    @Test("A copy has all settings and can be changed alone")
    func copy() throws {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.predicate = NSPredicate(format: "label == 'a'")
        request.fetchLimit = 3
        request.propertiesToFetch = ["label"]
        let copy = try #require(request.copy() as? NSFetchRequest<Clock>)
        #expect(copy.predicate != nil)
        #expect(copy.fetchLimit == 3)
        #expect(copy.propertiesToFetch?.count == 1)
        copy.fetchLimit = 5
        #expect(request.fetchLimit == 3)
    }

    @Test("The entity is known once the request has run")
    func entity() throws {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        _ = try stack.context.fetch(request)
        #expect(request.entity?.name == "Clock")
    }

    @Test("The store gets a copy without the static type of the results")
    func erasure() throws {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        _ = try stack.context.fetch(request)
        let sent = stack.database.with { $0.requests.last }
        #expect(sent is NSFetchRequest<any NSFetchRequestResult>)
        #expect(sent !== request)
    }

    @Test("A request for any result fetches, too")
    func untyped() throws {
        let request = Clock.fetchRequest()
        let results = try stack.context.fetch(request)
        #expect(results.count == 3)
        #expect(results.first is Clock)
        #expect(try stack.context.count(for: request) == 3)
    }

    @Test("A class's request and entity work in every copy of the model")
    func copiesOfModel() throws {
        let other = try TestStack()
        let request: NSFetchRequest<any NSFetchRequestResult> = Clock.fetchRequest()
        #expect(try stack.context.fetch(request).count == 3)
        #expect(try other.context.fetch(request).count == 0)
        let clock = Clock(entity: Clock.entity(), insertInto: stack.context)
        let model = stack.coordinator.managedObjectModel
        #expect(clock.entity === model.entitiesByName["Clock"])
        try stack.context.save()
        #expect(try stack.context.fetch(request).count == 4)
    }

    @Test("A count can be fetched as a number")
    func number() throws {
        let request = NSFetchRequest<NSNumber>(entityName: "Clock")
        request.resultType = .countResultType
        #expect(try stack.context.fetch(request).map(\.intValue) == [3])
    }

    @Test("Results are faults unless the request asks for their values")
    func faults() throws {
        let context = stack.newContext()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        let faults = try context.fetch(request)
        #expect(faults.allSatisfy { $0.isFault })
        request.returnsObjectsAsFaults = false
        #expect(try context.fetch(request).allSatisfy { !$0.isFault })
        #expect(faults.count == 3)
    }

    @Test("Known objects keep their values, unless the request refreshes them")
    func refetch() throws {
        let clocks = try stack.clocks()
        let clock = try #require(clocks.first { $0.label == "a" })
        stack.database.change(clock.objectID, "label", to: "z")
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        _ = try stack.context.fetch(request)
        #expect(clock.label == "a")
        request.shouldRefreshRefetchedObjects = true
        _ = try stack.context.fetch(request)
        #expect(clock.label == "z")
    }

    @Test("The error of a store reaches the caller")
    func failure() {
        stack.database.with { $0.failure = CocoaError(.persistentStoreTimeout) }
        let error = #expect(throws: CocoaError.self) { try stack.clocks() }
        #expect(error?.code == .persistentStoreTimeout)
    }

    @Test("An unknown entity stops the process")
    func unknownEntity() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            _ = try stack.context.fetch(NSFetchRequest<Clock>(entityName: "Nothing"))
        }
    }

    @Test("A batch request goes to the store, and its result comes back")
    func batch() throws {
        let request = NSBatchDeleteRequest(fetchRequest: Clock.fetchRequest())
        #expect(request.requestType == .batchDeleteRequestType)
        let result = try stack.context.execute(request) as? NSBatchDeleteResult
        #expect(result?.result as? Int == 7)
        #expect(result?.resultType == .resultTypeCount)
    }

    @Test("A request that the store does not support throws 134091")
    func unknownRequest() {
        let error = #expect(throws: CocoaError.self) {
            try stack.context.execute(NSBatchUpdateRequest(entityName: "Clock"))
        }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }

    @Test("The raw values of request types are Apple's")
    func requestTypes() {
        #expect(NSPersistentStoreRequestType.fetchRequestType.rawValue == 1)
        #expect(NSPersistentStoreRequestType.saveRequestType.rawValue == 2)
        #expect(NSPersistentStoreRequestType.batchInsertRequestType.rawValue == 5)
        #expect(NSPersistentStoreRequestType.batchUpdateRequestType.rawValue == 6)
        #expect(NSPersistentStoreRequestType.batchDeleteRequestType.rawValue == 7)
    }
}
