import CoreData
import Testing

/// A use of a context or of one of its objects that belongs on the context's queue.
enum QueueUse: String, CaseIterable, Codable, Sendable {
    case reading
    case writing
    case mutableSet
    case changedValues
    case insertion
    case deletion
    case objectWithID
    case fetch
    case save
    case registeredObjects

    func commit(_ clock: Clock, in context: NSManagedObjectContext) throws {
        switch self {
        case .reading: _ = clock.value(forKey: "label")
        case .writing: clock.setValue("b", forKey: "label")
        case .mutableSet: _ = clock.mutableSetValue(forKey: "tags")
        case .changedValues: _ = clock.changedValues()
        case .insertion: _ = Clock(context: context)
        case .deletion: context.delete(clock)
        case .objectWithID: _ = context.object(with: clock.objectID)
        case .fetch: _ = try context.fetch(NSFetchRequest<Clock>(entityName: "Clock"))
        case .save: try context.save()
        case .registeredObjects: _ = context.registeredObjects
        }
    }
}

@Suite(.serialized) struct QueueCheckTests {
    @Test(
        "With the debug check, use on another queue stops the process", arguments: QueueUse.allCases
    )
    func check(_ use: QueueUse) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [use] in
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            let stack = try TestStack()
            let clock = stack.context.performAndWait {
                nonisolated(unsafe) let clock = stack.insertClock()
                return clock
            }
            try use.commit(clock, in: stack.context)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            output.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"),
            "\(output.prefix(400))")
    }

    @Test("With the debug check, every use on the queue is allowed")
    func checkPasses() async {
        await #expect(processExitsWith: .success) {
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            for use in QueueUse.allCases {
                let stack = try TestStack()
                try stack.context.performAndWait {
                    try use.commit(stack.insertClock(), in: stack.context)
                }
            }
        }
    }
}
