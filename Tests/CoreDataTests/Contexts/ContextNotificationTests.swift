import CoreData
import Testing

@Suite struct ContextNotificationTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @Test("A save posts that it begins, what changed, what was saved and its IDs, in this order")
    func order() throws {
        let recorder = NotificationRecorder(
            stack.context,
            [
                .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextDidSaveObjectIDs,
            ])
        _ = stack.insertClock()
        try stack.context.save()
        #expect(
            recorder.names == [
                .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
                .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
            ])
    }

    @Test("DidSave carries inserted, updated and deleted objects")
    func didSave() throws {
        let (changed, deleted) = (stack.insertClock("1"), stack.insertClock("2"))
        try stack.context.save()
        let recorder = NotificationRecorder(stack.context, [.NSManagedObjectContextDidSave])
        let inserted = stack.insertClock("3")
        changed.label = "x"
        stack.context.delete(deleted)
        try stack.context.save()
        #expect(recorder.objects(NSInsertedObjectsKey) == [inserted])
        #expect(recorder.objects(NSUpdatedObjectsKey) == [changed])
        #expect(recorder.objects(NSDeletedObjectsKey) == [deleted])
        #expect(recorder.last?.object as? NSManagedObjectContext === stack.context)
    }

    @Test("DidSaveObjectIDs carries permanent IDs")
    func didSaveObjectIDs() throws {
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextDidSaveObjectIDs])
        let clock = stack.insertClock()
        try stack.context.save()
        let key = NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue
        #expect(recorder.objectIDs(key) == [clock.objectID])
        #expect(recorder.objectIDs(NSDeletedObjectIDsKey) == [])
    }

    @Test("ObjectsDidChange carries the changes of an event, once")
    func objectsDidChange() throws {
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange])
        let clock = stack.insertClock()
        clock.label = "a"
        stack.context.processPendingChanges()
        #expect(recorder.objects(NSInsertedObjectsKey) == [clock])
        #expect(recorder.objects(NSUpdatedObjectsKey) == nil)
        clock.label = "b"
        stack.context.processPendingChanges()
        #expect(recorder.objects(NSUpdatedObjectsKey) == [clock])
        #expect(recorder.objects(NSInsertedObjectsKey) == nil)
        stack.context.processPendingChanges()
        #expect(recorder.all.count == 2)
    }

    @Test("A refresh is reported as refreshed, a reset as an invalidation of everything")
    func refreshed() throws {
        let clock = stack.insertClock()
        try stack.context.save()
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange])
        stack.context.refresh(clock, mergeChanges: false)
        stack.context.processPendingChanges()
        #expect(recorder.objects(NSRefreshedObjectsKey) == [clock])
        stack.context.reset()
        #expect(recorder.last?.userInfo?[NSInvalidatedAllObjectsKey] != nil)
    }

    @Test("The names and keys of Swift's overlay are Apple's")
    func names() {
        #expect(
            NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
        #expect(
            NSManagedObjectContext.willSaveObjectsNotification == .NSManagedObjectContextWillSave)
        #expect(NSManagedObjectContext.NotificationKey.insertedObjects.rawValue == "inserted")
        #expect(NSInsertedObjectsKey == "inserted")
        #expect(NSUpdatedObjectsKey == "updated")
        #expect(NSDeletedObjectsKey == "deleted")
    }
}
