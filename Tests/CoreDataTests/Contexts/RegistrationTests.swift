import CoreData
import Testing

@Suite struct RegistrationTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @Test("Fetching twice gives the same objects")
    func uniquing() throws {
        _ = stack.insertClock("a")
        try stack.context.save()
        let context = stack.newContext()
        let first = try stack.clocks(in: context)
        let second = try stack.clocks(in: context)
        #expect(first.first === second.first)
    }

    @Test("A fetch registers all its objects at once")
    func batch() throws {
        for index in 0..<10 { _ = stack.insertClock("\(index)") }
        try stack.context.save()
        let context = stack.newContext()
        stack.database.clearCalls()
        let clocks = try stack.clocks(in: context)
        #expect(stack.database.calls == ["fetch Clock", "register 10"])
        #expect(clocks.count == 10)
    }

    @Test("An unchanged object is not kept alive, and the store is notified when it goes")
    func weak() throws {
        let objectID = {
            let clock = stack.insertClock("a")
            try? stack.context.save()
            return clock.objectID
        }()
        #expect(stack.context.registeredObject(for: objectID) == nil)
        stack.database.clearCalls()
        #expect(try stack.context.count(for: NSFetchRequest<Clock>(entityName: "Clock")) == 1)
        #expect(stack.database.calls.first == "unregister 1")
    }

    @Test("A changed object is kept alive until the save")
    func strong() throws {
        let objectID = {
            let clock = stack.insertClock("a")
            try? stack.context.save()
            clock.label = "b"
            return clock.objectID
        }()
        #expect(stack.context.registeredObject(for: objectID) != nil)
        try stack.context.save()
        #expect(stack.context.registeredObject(for: objectID) == nil)
    }

    @Test("retainsRegisteredObjects keeps every object alive")
    func retaining() throws {
        stack.context.retainsRegisteredObjects = true
        let objectID = {
            let clock = stack.insertClock("a")
            try? stack.context.save()
            return clock.objectID
        }()
        #expect(stack.context.registeredObject(for: objectID) != nil)
        stack.context.retainsRegisteredObjects = false
        #expect(stack.context.registeredObject(for: objectID) == nil)
    }

    @Test("Each context's registration is counted")
    func counts() throws {
        let clock = stack.insertClock("a")
        try stack.context.save()
        let reference = RecordingStore.reference(of: clock.objectID)
        let contexts = (0..<3).map { _ in stack.newContext() }
        let copies = contexts.map { $0.object(with: clock.objectID) }
        #expect(stack.database.with { $0.registrations[reference] } == 4)
        for context in contexts { context.reset() }
        #expect(stack.database.with { $0.registrations[reference] } == 1)
        #expect(copies.count == 3)
    }

    @Test("A context that goes notifies the store, and its objects are faults without a context")
    func contextGoes() throws {
        let clock = stack.insertClock("a")
        try stack.context.save()
        let reference = RecordingStore.reference(of: clock.objectID)
        let orphan: Clock = try {
            let context = stack.newContext()
            let copy = try #require(context.object(with: clock.objectID) as? Clock)
            _ = copy.label
            return copy
        }()
        #expect(orphan.managedObjectContext == nil)
        #expect(orphan.label == nil)
        #expect(stack.database.with { $0.registrations[reference] } == 1)
    }

    @Test("A new object is found by its temporary ID, before and after it was first looked for")
    func temporaryID() throws {
        let first = stack.insertClock("a")
        #expect(stack.context.registeredObject(for: first.objectID) === first)
        let second = stack.insertClock("b")
        #expect(stack.context.object(with: second.objectID) === second)
        #expect(stack.context.registeredObjects == [first, second])
        stack.context.delete(first)
        stack.context.processPendingChanges()
        #expect(stack.context.registeredObject(for: first.objectID) == nil)
        #expect(stack.context.registeredObjects == [second])
    }

    @Test("An object that another thread releases is found complete or not at all")
    func releasedElsewhere() throws {
        let clocks = (0..<200).map { stack.insertClock("\($0)") }
        try stack.context.save()
        let objectIDs = clocks.map(\.objectID)
        let context = stack.newContext()
        for _ in 0..<20 {
            var objects = objectIDs.map { context.object(with: $0) }
            let held = HeldObjects(objects)
            objects = []
            let releasing = DispatchQueue.global()
            let done = DispatchSemaphore(value: 0)
            releasing.async {
                held.releaseAll()
                done.signal()
            }
            for objectID in objectIDs {
                if let object = context.registeredObject(for: objectID) {
                    #expect(object.objectID == objectID)
                }
            }
            done.wait()
        }
        for objectID in objectIDs { #expect(context.registeredObject(for: objectID) == nil) }
    }

    /// Objects that one thread passes to another, which only releases them.
    ///
    /// Unchecked because only one thread uses them at a time.
    private final class HeldObjects: @unchecked Sendable {
        private var objects: [NSManagedObject]

        init(_ objects: [NSManagedObject]) {
            self.objects = objects
        }

        func releaseAll() {
            while !objects.isEmpty { objects.removeLast() }
        }
    }

    @Test("Objects that refer to each other are released with their context")
    func cycles() throws {
        weak var weakClock: Clock?
        weak var weakFolder: NSManagedObject?
        try {
            let stack = try TestStack()
            let (clock, folder) = (stack.insertClock(), stack.insertFolder())
            clock.folder = folder
            try stack.context.save()
            #expect((folder.value(forKey: "clocks") as? Set<Clock>)?.count == 1)
            weakClock = clock
            weakFolder = folder
        }()
        #expect(weakClock == nil)
        #expect(weakFolder == nil)
    }
}
