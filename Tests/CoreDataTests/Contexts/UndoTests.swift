import CoreData
import Testing

@Suite struct UndoTests {
    let stack: TestStack
    let context: NSManagedObjectContext
    let undoManager = UndoManager()

    init() throws {
        stack = try TestStack()
        context = stack.context
        context.undoManager = undoManager
    }

    private func clocks(of folder: NSManagedObject) -> Set<NSManagedObject>? {
        folder.value(forKey: "clocks") as? Set<NSManagedObject>
    }

    @Test("A context has no undo manager unless it is given one, and undoes nothing without")
    func withoutUndoManager() {
        context.undoManager = nil
        #expect(stack.newContext().undoManager == nil)
        _ = stack.insertClock()
        context.undo()
        context.redo()
        #expect(context.insertedObjects.count == 1)
        context.rollback()
        #expect(context.insertedObjects.isEmpty)
    }

    @Test("Insertions are undone and redone, with their values")
    func insertion() throws {
        let folder = stack.insertFolder("Home")
        let clock = stack.insertClock("noon")
        clock.folder = folder
        context.undo()
        #expect(context.insertedObjects.isEmpty)
        #expect(!context.hasChanges)
        #expect(clock.managedObjectContext == nil)
        context.redo()
        #expect(context.insertedObjects == [folder, clock])
        #expect(clock.label == "noon")
        #expect(clock.folder === folder)
        #expect(clocks(of: folder) == [clock])
        try context.save()
        #expect(try stack.clocks(in: stack.newContext()).count == 1)
    }

    @Test("After a rollback there is nothing to undo or to redo")
    func rollback() {
        _ = stack.insertClock()
        context.undo()
        context.redo()
        context.rollback()
        #expect(context.insertedObjects.isEmpty)
        context.redo()
        context.undo()
        #expect(context.insertedObjects.isEmpty)
        #expect(!undoManager.canUndo)
        #expect(!undoManager.canRedo)
    }

    @Test("A reset forgets what could be undone")
    func reset() {
        _ = stack.insertClock()
        context.processPendingChanges()
        context.reset()
        #expect(!undoManager.canUndo)
        context.undo()
    }

    @Test("Changes processed while registration is disabled are not undone")
    func registrationOff() {
        context.processPendingChanges()
        undoManager.disableUndoRegistration()
        _ = stack.insertClock()
        context.processPendingChanges()
        undoManager.enableUndoRegistration()
        context.undo()
        #expect(context.insertedObjects.count == 1)
    }

    @Test("The events of a group are undone together, those of two groups one after the other")
    func groups() throws {
        let clock = stack.insertClock("first")
        try context.save()
        undoManager.removeAllActions()
        undoManager.beginUndoGrouping()
        clock.label = "second"
        context.processPendingChanges()
        clock.note = "noted"
        undoManager.endUndoGrouping()
        undoManager.beginUndoGrouping()
        clock.label = "third"
        undoManager.endUndoGrouping()
        #expect(undoManager.groupingLevel == 0)
        context.undo()
        #expect(clock.label == "second")
        #expect(clock.note == "noted")
        context.undo()
        #expect(clock.label == "first")
        #expect(clock.note == nil)
        #expect(!context.hasChanges)
        #expect(clock.changedValues().isEmpty)
        context.redo()
        context.redo()
        #expect(clock.label == "third")
        #expect(context.updatedObjects == [clock])
        #expect(!undoManager.canRedo)
    }

    @Test("A new change after an undo leaves nothing to redo")
    func newChange() {
        let clock = stack.insertClock("first")
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        clock.label = "second"
        context.undo()
        #expect(clock.label == "first")
        clock.label = "third"
        context.processPendingChanges()
        context.redo()
        #expect(clock.label == "third")
    }

    @Test("A deletion is undone with all its effects", arguments: [true, false])
    func deletion(isSaved: Bool) throws {
        let folder = stack.insertFolder()
        let clock = stack.insertClock("noon")
        clock.folder = folder
        let dial = stack.insert("Dial")
        clock.setValue(dial, forKey: "dial")
        if isSaved { try context.save() } else { context.processPendingChanges() }
        undoManager.removeAllActions()
        context.delete(clock)
        context.processPendingChanges()
        #expect(clocks(of: folder)?.isEmpty == true)
        context.undo()
        #expect(!clock.isDeleted)
        #expect(!dial.isDeleted)
        #expect(clock.folder === folder)
        #expect(clock.value(forKey: "dial") as? NSManagedObject === dial)
        #expect(clocks(of: folder) == [clock])
        #expect(context.deletedObjects.isEmpty)
        #expect(context.hasChanges == !isSaved)
        context.redo()
        #expect(clocks(of: folder)?.isEmpty == true)
        #expect(
            isSaved ? context.deletedObjects == [clock, dial] : clock.managedObjectContext == nil)
        try context.save()
        #expect(try stack.clocks(in: stack.newContext()).isEmpty)
    }

    @Test("A value that was set in the event of an unsaved object's deletion is restored")
    func changeBeforeDeletion() {
        let clock = stack.insertClock("first")
        context.processPendingChanges()
        undoManager.removeAllActions()
        clock.label = "second"
        context.delete(clock)
        context.undo()
        #expect(context.insertedObjects == [clock])
        #expect(clock.label == "first")
    }

    @Test("An insertion is undone with relationships that were set while registration was disabled")
    func unregisteredRelationship() throws {
        let folder = stack.insertFolder()
        try context.save()
        undoManager.removeAllActions()
        let clock = stack.insertClock("noon")
        context.processPendingChanges()
        undoManager.disableUndoRegistration()
        clock.folder = folder
        context.processPendingChanges()
        undoManager.enableUndoRegistration()
        context.undo()
        #expect(clocks(of: folder)?.isEmpty == true)
        context.redo()
        #expect(clock.folder === folder)
        #expect(clocks(of: folder) == [clock])
        try context.save()
        #expect(try stack.clocks(in: stack.newContext()).count == 1)
    }

    @Test("Relationships are undone at both ends, also those that were not read")
    func relationship() throws {
        let first = stack.insertFolder("first")
        let second = stack.insertFolder("second")
        let saved = stack.insertClock("a")
        saved.folder = first
        try context.save()
        let context = stack.newContext()
        context.undoManager = undoManager
        undoManager.removeAllActions()
        let clock = try #require(context.object(with: saved.objectID) as? Clock)
        let (from, to) = (
            context.object(with: first.objectID), context.object(with: second.objectID)
        )
        clock.folder = to
        context.undo()
        #expect(clock.folder === from)
        #expect(clocks(of: from) == [clock])
        #expect(clocks(of: to)?.isEmpty == true)
        #expect(!context.hasChanges)
        context.redo()
        #expect(clock.folder === to)
        #expect(clocks(of: from)?.isEmpty == true)
        #expect(clocks(of: to) == [clock])
        try context.save()
        context.undo()
        #expect(clock.folder === from)
        #expect(clocks(of: from) == [clock])
        try context.save()
        let other = stack.newContext()
        let copy = other.object(with: saved.objectID)
        #expect((copy.value(forKey: "folder") as? NSManagedObject)?.objectID == first.objectID)
    }

    @Test("An order is undone")
    func order() throws {
        let folder = stack.insertFolder()
        let stops = (0..<3).map { number in
            let stop = stack.insert("Stop")
            stop.setValue("\(number)", forKey: "title")
            return stop
        }
        folder.setValue(NSOrderedSet(array: stops), forKey: "stops")
        try context.save()
        undoManager.removeAllActions()
        folder.setValue(NSOrderedSet(array: stops.reversed()), forKey: "stops")
        context.undo()
        #expect(
            (folder.value(forKey: "stops") as? NSOrderedSet)?.array as? [NSManagedObject] == stops)
        #expect(!context.hasChanges)
    }

    @Test("A value saved in the meantime is changed back, and saved again")
    func afterSave() throws {
        let folder = stack.insertFolder()
        try context.save()
        undoManager.removeAllActions()
        undoManager.beginUndoGrouping()
        let clock = stack.insertClock("noon")
        clock.folder = folder
        undoManager.endUndoGrouping()
        try context.save()
        undoManager.beginUndoGrouping()
        clock.label = "midnight"
        undoManager.endUndoGrouping()
        try context.save()
        context.undo()
        #expect(clock.label == "noon")
        #expect(context.updatedObjects == [clock])
        try context.save()
        context.undo()
        #expect(context.deletedObjects == [clock])
        try context.save()
        #expect(try stack.clocks(in: stack.newContext()).isEmpty)
        #expect(clocks(of: folder)?.isEmpty == true)
    }

    @Test("Changes that another context has saved are not undone")
    func merge() throws {
        let clock = stack.insertClock("mine")
        try context.save()
        undoManager.removeAllActions()
        let other = stack.newContext()
        let copy = try #require(try other.existingObject(with: clock.objectID) as? Clock)
        copy.label = "theirs"
        _ = Clock(context: other)
        let recorder = NotificationRecorder(other, [.NSManagedObjectContextDidSave])
        try other.save()
        context.mergeChanges(fromContextDidSave: try #require(recorder.last))
        #expect(!undoManager.canUndo)
        context.undo()
        #expect(clock.label == "theirs")
    }

    @Test("An undo is reported as a change")
    func notification() throws {
        let clock = stack.insertClock("a")
        try context.save()
        undoManager.removeAllActions()
        clock.label = "b"
        context.processPendingChanges()
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextObjectsDidChange])
        context.undo()
        #expect(recorder.objects(NSUpdatedObjectsKey) == [clock])
    }

    @Test("All changes in one turn of the main queue are one group")
    @MainActor
    func mainQueueGroups() async throws {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = stack.coordinator
        let undoManager = UndoManager()
        context.undoManager = undoManager
        let clock = Clock(context: context)
        clock.label = "a"
        for label in ["b", "c"] {
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async { continuation.resume() }
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.main.async { continuation.resume() }
            }
            clock.label = label
            context.processPendingChanges()
            clock.note = label
        }
        context.undo()
        #expect(clock.label == "b")
        #expect(clock.note == "b")
        context.undo()
        #expect(clock.label == "a")
        #expect(clock.note == nil)
        context.undo()
        #expect(context.insertedObjects.isEmpty)
    }
}
