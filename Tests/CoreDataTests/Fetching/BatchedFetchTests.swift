import CoreData
import Testing

@Suite struct BatchedFetchTests {
    let stack: TestStack
    /// A context that has not registered any of the 25 saved clocks.
    let context: NSManagedObjectContext
    let request = NSFetchRequest<Clock>(entityName: "Clock")

    init() throws {
        stack = try TestStack()
        for number in 0..<25 {
            let clock = stack.insertClock("\(number)")
            clock.position = number
        }
        try stack.context.save()
        context = stack.newContext()
        request.sortDescriptors = [NSSortDescriptor(key: "position", ascending: true)]
        request.fetchBatchSize = 10
        stack.database.clearCalls()
    }

    func calls(_ name: String) -> Int {
        stack.database.calls.count { $0 == name }
    }

    @Test("All results are there immediately, as faults, and only their IDs were read")
    func identifiersFirst() throws {
        let clocks = try context.fetch(request)
        #expect(clocks.count == 25)
        #expect(clocks.allSatisfy { $0.isFault })
        #expect(stack.database.calls.filter { $0 != "register 25" } == ["fetch Clock"])
        let sent = stack.database.with { $0.requests.last }
        let fetch = try #require(sent as? NSFetchRequest<any NSFetchRequestResult>)
        #expect(fetch.resultType == .managedObjectIDResultType)
        #expect(request.fetchBatchSize == 10)
        #expect(request.resultType == .managedObjectResultType)
    }

    @Test("The first use of an object reads its batch, and no other")
    func oneBatch() throws {
        let clocks = try context.fetch(request)
        stack.database.clearCalls()
        #expect(clocks[12].label == "12")
        #expect(calls("fetch Clock") == 1)
        #expect(calls("values Clock") == 10)
        #expect(clocks[10].label == "10")
        #expect(clocks[19].label == "19")
        #expect(calls("values Clock") == 10)
        #expect(clocks[20].label == "20")
        #expect(calls("fetch Clock") == 2)
        #expect(calls("values Clock") == 15)
        #expect(clocks[0].isFault)
    }

    @Test("Reading every object takes one request for each batch")
    func everything() throws {
        let clocks = try context.fetch(request)
        stack.database.clearCalls()
        #expect(clocks.map(\.position) == Array(0..<25))
        #expect(calls("fetch Clock") == 3)
        #expect(calls("values Clock") == 25)
    }

    @Test("A batch that was read leaves faults, unless the request asks for values")
    func faults() throws {
        var clocks = try context.fetch(request)
        _ = clocks[0].label
        #expect(clocks[1].isFault)
        #expect(!clocks[0].isFault)
        clocks = []
        context.reset()
        request.returnsObjectsAsFaults = false
        clocks = try context.fetch(request)
        #expect(clocks[0].isFault)
        _ = clocks[0].label
        #expect(clocks[0..<10].allSatisfy { !$0.isFault })
        #expect(clocks[10].isFault)
        #expect(clocks[5].log == ["awakeFromFetch"])
    }

    @Test("Unsaved changes are in the results of a fetch in batches")
    func pendingChanges() throws {
        let first = try #require(try context.fetch(request).first)
        first.position = 100
        let new = Clock(context: context)
        new.position = -1
        let clocks = try context.fetch(request)
        #expect(clocks.count == 26)
        #expect(clocks.first === new)
        #expect(clocks.last === first)
        #expect(clocks.map(\.position) == [-1] + Array(1..<25) + [100])
    }

    @Test("A limit within the first batch makes the fetch an ordinary one")
    func limit() throws {
        request.fetchLimit = 5
        #expect(try context.fetch(request).count == 5)
        let sent = stack.database.with { $0.requests.last }
        let fetch = try #require(sent as? NSFetchRequest<any NSFetchRequestResult>)
        #expect(fetch.resultType == .managedObjectResultType)
        #expect(fetch.fetchLimit == 5)
    }

    @Test("A row that is gone when its batch is read fails like any other fault")
    func missingRow() throws {
        let clocks = try context.fetch(request)
        stack.database.remove(clocks[3].objectID)
        #expect(clocks[4].label == "4")
        #expect(clocks[3].label == nil)
        #expect(clocks[3].isDeleted)
    }

    @Test("Values that others saved after a batch was read are not hidden by it")
    func savedElsewhere() throws {
        let clocks = try context.fetch(request)
        _ = clocks[0].label
        let original = try #require(
            stack.context.object(with: clocks[1].objectID) as? Clock)
        original.label = "changed"
        try stack.context.save()
        #expect(clocks[1].label == "changed")
        clocks[1].note = "mine"
        #expect(throws: Never.self) { try context.save() }
    }

    @Test("With a staleness interval of 0 every fault reads its row when it fires")
    func noStaleness() throws {
        context.stalenessInterval = 0
        let clocks = try context.fetch(request)
        _ = clocks[0].label
        stack.database.change(clocks[1].objectID, "label", to: "changed")
        #expect(clocks[1].label == "changed")
    }

    @Test("With an unlimited staleness interval the values are those of the batch")
    func unlimitedStaleness() throws {
        #expect(context.stalenessInterval == -1)
        let clocks = try context.fetch(request)
        _ = clocks[0].label
        stack.database.change(clocks[1].objectID, "label", to: "changed")
        #expect(clocks[1].label == "1")
        context.refresh(clocks[1], mergeChanges: true)
        #expect(clocks[1].label == "changed")
    }

    @Test("A child context fetches in batches, too")
    func child() throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        let clocks = try child.fetch(request)
        #expect(clocks.allSatisfy { $0.isFault })
        #expect(clocks.map(\.position) == Array(0..<25))
        #expect(clocks.allSatisfy { $0.managedObjectContext === child })
    }

    @Test("A fetched results controller shows a fetch in batches")
    func controller() throws {
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        try controller.performFetch()
        stack.database.clearCalls()
        #expect(controller.fetchedObjects?.count == 25)
        #expect(controller.object(at: [0, 7]).label == "7")
        #expect(calls("values Clock") == 10)
    }
}
