import CoreData
import Testing

/// The notifications of contexts with few or no changes.
@Suite struct EmptySaveTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    private static let saveNames: [Notification.Name] = [
        .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
        .NSManagedObjectContextDidSaveObjectIDs,
    ]

    @Test("A save without changes reports that nothing was saved", arguments: [false, true])
    func emptySave(inChild: Bool) throws {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        let context = inChild ? child : stack.context
        let recorder = NotificationRecorder(context, Self.saveNames)
        try context.save()
        #expect(recorder.names == Self.saveNames)
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
            #expect(recorder.all[1].userInfo?[key] as? Set<NSManagedObject> == [])
        }
        for key in [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey] {
            #expect(recorder.all[2].userInfo?[key] as? Set<NSManagedObjectID> == [])
        }
    }

    @Test("A save without changes makes other contexts merge nothing")
    func nothingToMerge() async throws {
        let other = stack.newContext()
        other.automaticallyMergesChangesFromParent = true
        let recorder = NotificationRecorder(
            other, [.NSManagedObjectContextDidMergeChangesObjectIDs])
        try stack.context.save()
        await other.perform {}
        #expect(recorder.all.isEmpty)
    }

    @Test("What is inserted and deleted within one event never existed")
    func annihilation() throws {
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange] + Self.saveNames)
        let clock = stack.insertClock("a")
        stack.context.delete(clock)
        stack.context.processPendingChanges()
        #expect(recorder.all.isEmpty)
        let kept = stack.insertClock("b")
        stack.context.delete(stack.insertClock("c"))
        try stack.context.save()
        #expect(recorder.all.first?.userInfo?[NSInsertedObjectsKey] as? Set<Clock> == [kept])
        #expect(
            recorder.all.allSatisfy { $0.userInfo?[NSDeletedObjectsKey] as? Set<Clock> ?? [] == [] }
        )
    }

    @Test("A reset names the objects that are no longer valid, saved or not")
    func reset() throws {
        let saved = stack.insertClock("saved")
        try stack.context.save()
        let new = stack.insertClock("new")
        stack.context.processPendingChanges()
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange])
        let objectIDs = [saved.objectID, new.objectID]
        stack.context.reset()
        let invalidated = recorder.last?.userInfo?[NSInvalidatedAllObjectsKey]
        #expect(Set(try #require(invalidated as? [NSManagedObjectID])) == Set(objectIDs))
    }

    @Test("A merge reports the IDs of the objects that were read again")
    func refreshedIDs() throws {
        let (held, unknown) = (stack.insertClock("a"), stack.insertClock("b"))
        try stack.context.save()
        let other = stack.newContext()
        let copy = other.object(with: held.objectID)
        _ = copy.value(forKey: "label")
        (held.label, unknown.label) = ("c", "d")
        let saves = NotificationRecorder(stack.context, [.NSManagedObjectContextDidSave])
        try stack.context.save()
        let merges = NotificationRecorder(
            other, [.NSManagedObjectContextDidMergeChangesObjectIDs])
        other.mergeChanges(fromContextDidSave: try #require(saves.last))
        #expect(merges.objectIDs(NSRefreshedObjectIDsKey) == [held.objectID])
        #expect(merges.objectIDs(NSUpdatedObjectIDsKey) == [held.objectID, unknown.objectID])
    }

    @Test("A move to another store reports both stores and which ID became which")
    func storeMove() throws {
        let clocks = [stack.insertClock("a"), stack.insertClock("b")]
        try stack.context.save()
        let oldIDs = clocks.map(\.objectID)
        stack.context.reset()
        let coordinator = stack.coordinator
        let old = try #require(coordinator.persistentStores.first)
        let oldURL = old.url
        let recorder = NotificationRecorder(
            coordinator, [.NSPersistentStoreCoordinatorStoresDidChange])
        let url = URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        let new = try coordinator.migratePersistentStore(
            old, to: url, withType: RecordingStore.storeType)
        #expect(recorder.all.count == 3)
        let added = recorder.all[0].userInfo?[NSAddedPersistentStoresKey] as? [NSPersistentStore]
        #expect(added == [new])
        let moved = try #require(
            recorder.all[1].userInfo?[NSUUIDChangedPersistentStoresKey] as? [Any])
        #expect((moved[0] as? NSPersistentStore)?.url == oldURL)
        #expect((moved[1] as? NSPersistentStore)?.url == url)
        let objectIDs = try #require(moved[2] as? [NSManagedObjectID])
        #expect(objectIDs.count == 4)
        #expect(Set(stride(from: 0, to: 4, by: 2).map { objectIDs[$0] }) == Set(oldIDs))
        for index in [1, 3] { #expect(objectIDs[index].persistentStore === new) }
        let removed =
            recorder.all[2].userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore]
        #expect(removed == [old])
    }
}
