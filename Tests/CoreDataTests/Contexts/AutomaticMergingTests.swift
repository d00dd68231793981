import CoreData
import Testing

/// Contexts that merge their parent's saves while the parent's queue is blocked.
@Suite("Merging from a parent whose queue is busy")
struct AutomaticMergingTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @MainActor private func makeParent() -> NSManagedObjectContext {
        let parent = NSManagedObjectContext(.mainQueue)
        parent.persistentStoreCoordinator = stack.coordinator
        return parent
    }

    private func makeChild(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = parent
        child.automaticallyMergesChangesFromParent = true
        return child
    }

    @Test("A child follows a parent on the main queue that saves and then waits for the child")
    @MainActor func savedChange() throws {
        let parent = makeParent()
        let clock = Clock(context: parent)
        clock.label = "before"
        try parent.save()
        let child = makeChild(of: parent)
        let objectID = clock.objectID
        let copy = try Library.perform(on: child) { child in
            let copy = try #require(child.object(with: objectID) as? Clock)
            #expect(copy.label == "before")
            return copy
        }
        clock.label = "after"
        try parent.save()
        Library.perform(on: child) { _ in #expect(copy.label == "after") }
    }

    @Test("A child's controller follows insertions of a parent that waits for the child")
    @MainActor func savedInsertion() throws {
        let parent = makeParent()
        let child = makeChild(of: parent)
        final class Delegate: NSObject, NSFetchedResultsControllerDelegate {}
        let delegate = Delegate()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        request.predicate = NSPredicate(format: "label BEGINSWITH 'a'")
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil,
            cacheName: nil)
        controller.delegate = delegate
        try Library.perform(on: child) { _ in try controller.performFetch() }
        for label in ["a", "b", "ab"] { Clock(context: parent).label = label }
        try parent.save()
        Library.perform(on: child) { _ in
            #expect(controller.fetchedObjects?.map(\.label) == ["a", "ab"])
        }
    }

    @Test("A child follows its sibling's save while their parent waits for it")
    @MainActor func savedBySibling() throws {
        let parent = makeParent()
        let clock = Clock(context: parent)
        clock.label = "before"
        try parent.save()
        let (child, sibling) = (makeChild(of: parent), makeChild(of: parent))
        let objectID = clock.objectID
        let copy = try Library.perform(on: child) { child in
            let copy = try #require(child.object(with: objectID) as? Clock)
            #expect(copy.label == "before")
            return copy
        }
        try Library.perform(on: sibling) { sibling in
            (sibling.object(with: objectID) as? Clock)?.label = "after"
            try sibling.save()
        }
        Library.perform(on: child) { _ in #expect(copy.label == "after") }
    }

    @Test("A busy context shows the values of an object that is deleted and saved again meanwhile")
    func savedAgain() throws {
        let saver = stack.newContext()
        let objectID = try Library.perform(on: saver) { saver in
            let clock = Clock(context: saver)
            clock.label = "before"
            try saver.save()
            return clock.objectID
        }
        let follower = stack.newContext()
        follower.automaticallyMergesChangesFromParent = true
        let recorder = NotificationRecorder(follower, [.NSManagedObjectContextObjectsDidChange])
        let copy = try Library.perform(on: follower) { follower in
            let copy = try #require(follower.object(with: objectID) as? Clock)
            #expect(copy.label == "before")
            // The merges have to wait until this block has ended.
            try Library.perform(on: saver) { try Self.deleteAndSaveAgain(objectID, in: $0) }
            return copy
        }
        Library.perform(on: follower) { _ in
            #expect(copy.label == "after")
            #expect(recorder.objects(NSRefreshedObjectsKey) == [copy])
            #expect(recorder.objects(NSInsertedObjectsKey) == nil)
        }
    }

    /// Saves the deletion of an object, and then the undone deletion with another label.
    private static func deleteAndSaveAgain(
        _ objectID: NSManagedObjectID, in context: NSManagedObjectContext
    ) throws {
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
        let clock = context.object(with: objectID)
        undoManager.beginUndoGrouping()
        context.delete(clock)
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        try context.save()
        undoManager.undo()
        context.undoManager = nil
        clock.setValue("after", forKey: "label")
        try context.save()
    }

    @Test("What a child has saved since remains, whatever the parent had saved before")
    func laterSaveOfChild() async throws {
        let parent = stack.context
        let child = makeChild(of: parent)
        let objectID = try Library.perform(on: parent) { parent in
            let clock = Clock(context: parent)
            (clock.label, clock.note) = ("first", "first")
            try parent.save()
            return clock.objectID
        }
        let copy = try Library.perform(on: child) { child in
            let copy = try #require(child.object(with: objectID) as? Clock)
            #expect(copy.label == "first")
            // The merge has to wait until this block has ended.
            try Library.perform(on: parent) { parent in
                let clock = try #require(parent.object(with: objectID) as? Clock)
                (clock.label, clock.note) = ("parent", "parent")
                try parent.save()
            }
            copy.label = "child"
            try child.save()
            return copy
        }
        await child.perform {}
        Library.perform(on: child) { _ in
            #expect(copy.label == "child")
            #expect(copy.note == "parent")
        }
    }
}
