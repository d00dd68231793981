import CoreData
import Testing

@Suite struct QueueTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @Test("performAndWait returns and throws what its block does")
    func performAndWait() throws {
        let context = stack.context
        #expect(context.performAndWait { 3 } == 3)
        #expect(throws: CocoaError.self) {
            try context.performAndWait { throw CocoaError(.coreData) }
        }
    }

    @Test("performAndWait can be nested, also across contexts")
    func nested() {
        let (first, second) = (stack.context, stack.newContext())
        let value = first.performAndWait {
            second.performAndWait { first.performAndWait { second.performAndWait { 5 } } }
        }
        #expect(value == 5)
    }

    @Test("perform returns and throws what its block does, on the queue")
    func perform() async throws {
        let context = stack.context
        #expect(await context.perform { 3 } == 3)
        #expect(await context.perform(schedule: .enqueued) { 4 } == 4)
        await #expect(throws: CocoaError.self) {
            try await context.perform { throw CocoaError(.coreData) }
        }
    }

    @Test("perform without a result runs later, in order")
    func performLater() async {
        let context = stack.context
        await confirmation(expectedCount: 3) { confirmed in
            let performLater: (@escaping @Sendable () -> Void) -> Void = context.perform
            for _ in 0..<3 { performLater { confirmed() } }
            await context.perform {}
        }
    }

    @Test("The end of a block processes its changes")
    func processing() async {
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange])
        let context = stack.context
        await context.perform { _ = Clock(context: context) }
        await context.perform {}
        #expect(recorder.all.count == 1)
    }

    @Test("A context of the main queue works from any thread through performAndWait")
    func mainQueue() async {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        #expect(context.concurrencyType == .mainQueueConcurrencyType)
        #expect(context.performAndWait { 1 } == 1)
        let nested = await MainActor.run { context.performAndWait { 2 } }
        #expect(nested == 2)
    }

    @Test("Changes on the main queue are processed when its turn ends")
    func mainQueueTurn() async {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextObjectsDidChange])
        await MainActor.run {
            _ = Clock(context: context)
            #expect(recorder.all.isEmpty)
        }
        await MainActor.run {}
        await context.perform {}
        #expect(recorder.all.count == 1)
    }

    @Test("Many contexts on many threads never call the store at once")
    func concurrentContexts() async throws {
        let coordinator = stack.coordinator
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let context = NSManagedObjectContext(.privateQueue)
                    context.persistentStoreCoordinator = coordinator
                    for round in 0..<10 {
                        try await context.perform {
                            let clock = Clock(context: context)
                            clock.label = "\(index).\(round)"
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(stack.database.with { $0.overlapped } == false)
        #expect(stack.database.with { $0.rows.count } == 80)
    }

    @Test("Objects released on another thread are removed from their context")
    func releasedElsewhere() async throws {
        let (context, database) = (stack.context, stack.database)
        for index in 0..<100 { _ = stack.insertClock("\(index)") }
        try context.save()
        context.reset()
        for _ in 0..<20 {
            nonisolated(unsafe) var fetched: [Clock]? = try context.performAndWait {
                nonisolated(unsafe) let clocks = try context.fetch(
                    NSFetchRequest<Clock>(entityName: "Clock"))
                return clocks
            }
            #expect(fetched?.count == 100)
            await Task.detached { fetched = nil }.value
        }
        context.performAndWait {}
        #expect(context.performAndWait { context.registeredObjects.count } == 0)
        #expect(database.with { $0.registrations.values.allSatisfy { $0 == 0 } })
    }

    @Test("A request executes in the context whose block is running")
    func requestExecute() throws {
        _ = stack.insertClock()
        try stack.context.save()
        let count = try stack.context.performAndWait {
            try NSFetchRequest<Clock>(entityName: "Clock").execute().count
        }
        #expect(count == 1)
    }

    @Test("With the debug check, use outside of the queue stops the process")
    func debugCheck() async {
        await #expect(processExitsWith: .failure) {
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            let stack = try TestStack()
            let clock = stack.context.performAndWait {
                nonisolated(unsafe) let clock = stack.insertClock()
                return clock
            }
            _ = clock.label
        }
    }

    @Test("With the debug check, use on the queue is allowed")
    func debugCheckPasses() async {
        await #expect(processExitsWith: .success) {
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            let stack = try TestStack()
            try stack.context.performAndWait {
                stack.insertClock().label = "a"
                try stack.context.save()
            }
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = stack.context
            try child.performAndWait {
                let clock = try child.fetch(NSFetchRequest<Clock>(entityName: "Clock")).first
                clock?.label = "b"
                try child.save()
            }
        }
    }
}
