import CoreData
import Testing

@Suite struct ChildContextTests {
    let stack: TestStack
    let child: NSManagedObjectContext

    init() throws {
        stack = try TestStack()
        child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
    }

    @Test("A child's save reaches the parent, and the store with the parent's save")
    func insertion() throws {
        let folder = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: child)
        folder.setValue("Home", forKey: "name")
        let clock = Clock(context: child)
        clock.label = "noon"
        clock.folder = folder
        stack.database.clearCalls()
        try child.save()
        #expect(!child.hasChanges)
        #expect(stack.database.calls.isEmpty)
        #expect(stack.context.insertedObjects.count == 2)
        let parentClock = stack.context.object(with: clock.objectID)
        #expect(parentClock.value(forKeyPath: "folder.name") as? String == "Home")
        try stack.context.save()
        #expect(stack.database.with { $0.rows.count } == 2)
    }

    @Test("A child sees the parent's unsaved state")
    func parentState() throws {
        let clock = stack.insertClock("unsaved")
        let copy = try #require(child.object(with: clock.objectID) as? Clock)
        #expect(copy.label == "unsaved")
        #expect(copy !== clock)
        let folder = stack.insertFolder()
        clock.folder = folder
        let folderCopy = child.object(with: folder.objectID)
        #expect(folderCopy.value(forKey: "clocks") as? Set<Clock> == [copy])
    }

    @Test("A child's fetch includes the parent's unsaved objects and its own")
    func fetch() throws {
        _ = stack.insertClock("saved")
        try stack.context.save()
        _ = stack.insertClock("parent")
        Clock(context: child).label = "child"
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        #expect(try child.fetch(request).map(\.label) == ["child", "parent", "saved"])
        #expect(try child.count(for: request) == 3)
        #expect(try stack.context.count(for: request) == 2)
    }

    @Test("Changes and deletions of a child become the parent's")
    func changes() throws {
        let (kept, gone) = (stack.insertClock("kept"), stack.insertClock("gone"))
        try stack.context.save()
        let copy = try #require(child.object(with: kept.objectID) as? Clock)
        copy.label = "changed"
        child.delete(child.object(with: gone.objectID))
        try child.save()
        #expect(kept.label == "changed")
        #expect(kept.isUpdated)
        #expect(gone.isDeleted)
        try stack.context.save()
        #expect(stack.database.row(kept.objectID)?.values["label"] as? String == "changed")
        #expect(stack.database.with { $0.rows.count } == 1)
    }

    @Test("Only what a child changed reaches the parent")
    func properties() throws {
        let clock = stack.insertClock("base")
        try stack.context.save()
        let copy = try #require(child.object(with: clock.objectID) as? Clock)
        copy.label = "child"
        clock.note = "parent"
        try child.save()
        #expect(clock.label == "child")
        #expect(clock.note == "parent")
    }

    @Test("To-many changes of a child reach the parent")
    func relationships() throws {
        let folder = stack.insertFolder()
        let clock = stack.insertClock()
        try stack.context.save()
        let folderCopy = child.object(with: folder.objectID)
        folderCopy.mutableSetValue(forKey: "clocks").add(child.object(with: clock.objectID))
        try child.save()
        #expect(clock.folder === folder)
        #expect(folder.value(forKey: "clocks") as? Set<Clock> == [clock])
    }

    @Test("The child still finds its object after the parent gave it a permanent ID")
    func temporaryID() throws {
        let clock = Clock(context: child)
        clock.label = "a"
        try child.save()
        let temporary = clock.objectID
        try stack.context.save()
        #expect(stack.context.object(with: temporary).objectID.isTemporaryID == false)
        clock.label = "b"
        try child.save()
        try stack.context.save()
        #expect(stack.database.with { $0.rows.count } == 1)
        #expect(try stack.clocks().first?.label == "b")
    }

    @Test("A child validates its own changes")
    func validation() {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: child)
        #expect(throws: CocoaError.self) { try child.save() }
        #expect(stack.context.insertedObjects.isEmpty)
    }

    @Test("Discarding a child discards its changes")
    func discard() throws {
        let clock = stack.insertClock("base")
        try stack.context.save()
        (child.object(with: clock.objectID) as? Clock)?.label = "child"
        child.rollback()
        #expect(clock.label == "base")
        #expect(!stack.context.hasChanges)
    }

    @Test("A child has the parent's coordinator, and can have children")
    func grandchild() throws {
        #expect(child.persistentStoreCoordinator === stack.coordinator)
        let grandchild = NSManagedObjectContext(.privateQueue)
        grandchild.parent = child
        Clock(context: grandchild).label = "deep"
        try grandchild.save()
        try child.save()
        try stack.context.save()
        #expect(stack.database.with { $0.rows.count } == 1)
    }

    @Test("A sibling merges automatically if it is set to")
    func siblings() async throws {
        let clock = stack.insertClock("base")
        try stack.context.save()
        let sibling = NSManagedObjectContext(.privateQueue)
        sibling.parent = stack.context
        sibling.automaticallyMergesChangesFromParent = true
        let copy = try #require(sibling.object(with: clock.objectID) as? Clock)
        _ = copy.label
        (child.object(with: clock.objectID) as? Clock)?.label = "child"
        try child.save()
        await sibling.perform {}
        #expect(copy.label == "child")
    }

    @Test("A child of a background parent and one on the main queue work together")
    func queues() async throws {
        let parent = stack.context
        let objectID = try await parent.perform {
            let clock = Clock(context: parent)
            clock.label = "a"
            try parent.save()
            return clock.objectID
        }
        let main = NSManagedObjectContext(.mainQueue)
        main.parent = parent
        try await MainActor.run {
            let clock = try #require(main.object(with: objectID) as? Clock)
            #expect(clock.label == "a")
            clock.label = "b"
            try main.save()
        }
        let label = await parent.perform { (parent.object(with: objectID) as? Clock)?.label }
        #expect(label == "b")
    }

    @Test("A row that the parent has deleted cannot be read by the child")
    func deletedInParent() throws {
        let clock = stack.insertClock("a")
        try stack.context.save()
        stack.context.delete(clock)
        #expect(throws: CocoaError.self) { try child.existingObject(with: clock.objectID) }
    }
}
