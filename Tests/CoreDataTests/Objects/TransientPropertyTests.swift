import CoreData
import Testing

/// Properties that are kept in memory only, in parents and children.
@Suite struct TransientPropertyTests {
    let stack: TestStack
    let child: NSManagedObjectContext

    init() throws {
        stack = try TestStack()
        child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
    }

    private func cache(of clock: NSManagedObject?) -> String? {
        clock?.value(forKey: "cache") as? String
    }

    @Test("A child's save passes transient values to the parent; a new fault has none")
    func parent() throws {
        let (stack, child) = (stack, child)
        let objectID = try Library.perform(on: child) { child in
            let clock = Clock(context: child)
            clock.label = "noon"
            clock.setValue("50", forKey: "cache")
            try child.save()
            #expect(cache(of: clock) == "50")
            // Nothing but this change keeps the object alive.
            clock.setValue("20", forKey: "cache")
            return clock.objectID
        }
        let original = Library.perform(on: stack.context) { $0.object(with: objectID) }
        #expect(cache(of: original) == "50")
        try Library.perform(on: child) { child in
            #expect(child.registeredObjects.count == 1)
            #expect(cache(of: child.object(with: objectID)) == "20")
            try child.save()
        }
        #expect(cache(of: original) == "20")
        try Library.perform(on: child) { child in
            #expect(child.registeredObjects.isEmpty)
            let request = NSFetchRequest<Clock>(entityName: "Clock")
            let fetched = try child.fetch(request)
            #expect(fetched.map(cache) == [nil])
        }
    }

    @Test("A transient value that is set in a separate block outlives the object's holder")
    func laterBlock() throws {
        let objectID = try Library.perform(on: stack.context) { context in
            let clock = Clock(context: context)
            try context.save()
            return clock.objectID
        }
        for context in [stack.context, child] {
            Library.perform(on: context) {
                $0.object(with: objectID).setValue("kept", forKey: "cache")
            }
            Library.perform(on: context) { context in
                #expect(context.registeredObject(for: objectID)?.isUpdated == true)
                #expect(cache(of: context.object(with: objectID)) == "kept")
            }
        }
    }

    @Test("A refresh of a child takes only the parent's saved properties")
    func refresh() throws {
        let clock = stack.insertClock("noon")
        try stack.context.save()
        let copy = try #require(child.object(with: clock.objectID) as? Clock)
        #expect(copy.label == "noon")
        clock.setValue("parent", forKey: "cache")
        clock.label = "one"
        child.refresh(copy, mergeChanges: true)
        #expect(copy.label == "one")
        #expect(cache(of: copy) == nil)
    }
}
