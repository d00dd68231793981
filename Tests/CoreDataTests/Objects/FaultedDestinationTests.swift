import CoreData
import Testing

@Suite("A relationship that was just set to a fault") struct FaultedDestinationTests {
    private let stack: TestStack
    private let context: NSManagedObjectContext
    private let folder: NSManagedObject

    init() throws {
        stack = try TestStack()
        let original = stack.insertFolder("Home")
        stack.insertClock("old").folder = original
        try stack.context.save()
        context = stack.newContext()
        folder = context.object(with: original.objectID)
    }

    @Test("remains one")
    func staysFault() throws {
        let clock = Clock(context: context)
        stack.database.clearCalls()
        clock.folder = folder
        #expect(clock.hasFault(forRelationshipNamed: "folder"))
        #expect(folder.isFault)
        #expect(clock.folder === folder)
        #expect(context.updatedObjects == [folder])
        #expect(stack.database.calls.isEmpty)
        _ = folder.value(forKey: "name")
        #expect(!clock.hasFault(forRelationshipNamed: "folder"))
        #expect((folder.value(forKey: "clocks") as? Set<Clock>)?.count == 2)
        #expect(folder.changedValues().keys.sorted() == ["clocks"])
    }

    @Test("is saved with its inverse")
    func save() throws {
        let clock = Clock(context: context)
        clock.folder = folder
        try context.save()
        let other = stack.newContext()
        let copy = other.object(with: folder.objectID)
        #expect((copy.value(forKey: "clocks") as? Set<Clock>)?.count == 2)
        #expect((folder.value(forKey: "clocks") as? Set<Clock>)?.count == 2)
    }

    @Test("can be set to another one, and leaves the first unchanged")
    func change() throws {
        let otherContext = stack.newContext()
        let other = otherContext.object(with: folder.objectID)
        let second = stack.insertFolder("Away")
        try stack.context.save()
        let clock = Clock(context: context)
        clock.folder = folder
        clock.folder = context.object(with: second.objectID)
        #expect(folder.isFault)
        try context.save()
        #expect((other.value(forKey: "clocks") as? Set<Clock>)?.count == 1)
        #expect((folder.value(forKey: "clocks") as? Set<Clock>)?.count == 1)
        #expect((clock.folder?.value(forKey: "clocks") as? Set<Clock>) == [clock])
    }

    @Test("is undone by a rollback")
    func rollback() throws {
        let clock = try #require(
            try context.fetch(NSFetchRequest<Clock>(entityName: "Clock")).first)
        clock.folder = nil
        context.rollback()
        #expect(!context.hasChanges)
        #expect(folder.value(forKey: "clocks") as? Set<Clock> == [clock])
        let added = Clock(context: context)
        added.folder = folder
        context.rollback()
        #expect(folder.value(forKey: "clocks") as? Set<Clock> == [clock])
    }

    @Test("is not saved if its row is missing")
    func missingRow() throws {
        let clock = Clock(context: context)
        stack.database.remove(folder.objectID)
        clock.folder = folder
        context.processPendingChanges()
        #expect(folder.isDeleted)
        #expect(context.updatedObjects.isEmpty)
        #expect(context.insertedObjects == [clock])
    }

    @Test("is reported as updated")
    func notification() throws {
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextObjectsDidChange])
        Clock(context: context).folder = folder
        context.processPendingChanges()
        #expect(recorder.objects(NSUpdatedObjectsKey) == [folder])
    }
}
