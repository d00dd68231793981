import CoreData
import Testing

@Suite struct PrefetchingTests {
    let stack: TestStack
    let context: NSManagedObjectContext
    let folders = NSFetchRequest<NSManagedObject>(entityName: "Folder")
    let clocks = NSFetchRequest<Clock>(entityName: "Clock")

    /// Two folders with three clocks each, each clock with a dial.
    init() throws {
        stack = try TestStack()
        for name in ["A", "B"] {
            let folder = stack.insertFolder(name)
            for number in 0..<3 {
                let clock = stack.insertClock("\(name)\(number)")
                clock.folder = folder
                let dial = stack.insert("Dial")
                dial.setValue("red", forKey: "color")
                clock.setValue(dial, forKey: "dial")
            }
        }
        try stack.context.save()
        context = stack.newContext()
        folders.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        clocks.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
    }

    @Test("After prefetching a to-many, following it does not access the store")
    func toMany() throws {
        folders.relationshipKeyPathsForPrefetching = ["clocks"]
        let found = try context.fetch(folders)
        #expect(found.allSatisfy { $0.isFault })
        stack.database.clearCalls()
        let labels = found.flatMap { folder in
            (folder.value(forKey: "clocks") as? Set<Clock> ?? []).compactMap(\.label)
        }
        #expect(labels.sorted() == ["A0", "A1", "A2", "B0", "B1", "B2"])
        #expect(stack.database.calls.filter { !$0.hasPrefix("register") } == [])
    }

    @Test(
        "A prefetching path that the entity does not have is ignored",
        arguments: ["nonsense", "label", "folder.nonsense"])
    func unknownPath(path: String) throws {
        clocks.relationshipKeyPathsForPrefetching = [path]
        clocks.returnsObjectsAsFaults = false
        #expect(try context.fetch(clocks).count == 6)
    }

    @Test("A path leads further, and shared destinations are read once")
    func path() throws {
        clocks.relationshipKeyPathsForPrefetching = ["folder", "dial", "folder.stops"]
        stack.database.clearCalls()
        let found = try context.fetch(clocks)
        let calls = stack.database.calls
        #expect(calls.count { $0 == "values Folder" } <= 4)
        #expect(calls.count { $0 == "values Dial" } == 6)
        stack.database.clearCalls()
        for clock in found {
            #expect(clock.value(forKeyPath: "dial.color") as? String == "red")
            #expect(clock.value(forKeyPath: "folder.name") as? String != nil)
            #expect((clock.folder?.value(forKey: "stops") as? NSOrderedSet)?.count == 0)
        }
        #expect(stack.database.calls.filter { !$0.hasPrefix("register") } == [])
    }

    @Test("Objects with values keep them, and their relationships are read")
    func objectsInUse() throws {
        let found = try context.fetch(folders)
        found[0].setValue("changed", forKey: "name")
        folders.relationshipKeyPathsForPrefetching = ["clocks"]
        _ = try context.fetch(folders)
        #expect(found[0].value(forKey: "name") as? String == "changed")
        #expect(!found[0].hasFault(forRelationshipNamed: "clocks"))
    }

    @Test("Prefetching works together with batches")
    func batches() throws {
        clocks.fetchBatchSize = 2
        clocks.relationshipKeyPathsForPrefetching = ["dial"]
        let found = try context.fetch(clocks)
        stack.database.clearCalls()
        _ = found[0].label
        #expect(stack.database.calls.count { $0 == "values Dial" } == 2)
        #expect(
            found.map { $0.value(forKeyPath: "dial.color") as? String }
                == Array(repeating: "red", count: 6))
        #expect(stack.database.calls.count { $0 == "values Dial" } == 6)
    }

    @Test("A merge makes prefetched rows be read again")
    func merge() throws {
        folders.relationshipKeyPathsForPrefetching = ["clocks"]
        let found = try context.fetch(folders)
        stack.database.change(found[0].objectID, "name", to: "changed")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [found[0].objectID]], into: [context])
        #expect(found[0].value(forKey: "name") as? String == "changed")
    }

    @Test("Prefetching does not keep an object alive that nobody holds")
    func lifetimes() throws {
        folders.relationshipKeyPathsForPrefetching = ["clocks", "clocks.folder"]
        _ = try context.fetch(folders)
        context.performAndWait {}
        #expect(context.registeredObjects.isEmpty)
    }
}
