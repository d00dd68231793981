import CoreData
import Testing

@Suite struct MergingTests {
    let stack: TestStack
    let other: NSManagedObjectContext
    /// A clock saved with the label "base" and read in both contexts.
    let clock: Clock
    let copy: Clock

    init() throws {
        stack = try TestStack()
        other = stack.newContext()
        clock = stack.insertClock("base")
        try stack.context.save()
        copy = try #require(other.object(with: clock.objectID) as? Clock)
        _ = copy.label
    }

    /// Saves the first context and merges its notification into the other.
    func saveAndMerge() throws {
        let recorder = NotificationRecorder(stack.context, [.NSManagedObjectContextDidSave])
        try stack.context.save()
        other.mergeChanges(fromContextDidSave: try #require(recorder.last))
    }

    @Test("A change of another context arrives, and is reported as refreshed")
    func update() throws {
        let recorder = NotificationRecorder(other, [.NSManagedObjectContextObjectsDidChange])
        clock.label = "theirs"
        try saveAndMerge()
        #expect(copy.label == "theirs")
        #expect(!other.hasChanges)
        #expect(recorder.objects(NSRefreshedObjectsKey) == [copy])
    }

    @Test("Local changes stay on top")
    func ownChanges() throws {
        copy.label = "mine"
        clock.label = "theirs"
        clock.note = "theirs"
        try saveAndMerge()
        #expect(copy.label == "mine")
        #expect(copy.note == "theirs")
        try other.save()
        #expect(stack.database.row(clock.objectID)?.values["label"] as? String == "mine")
    }

    @Test("A fault stays a fault")
    func fault() throws {
        other.refresh(copy, mergeChanges: false)
        clock.label = "theirs"
        try saveAndMerge()
        #expect(copy.isFault)
        #expect(copy.label == "theirs")
    }

    @Test("A deletion leaves the object registered, readable and deleted")
    func deletion() throws {
        let recorder = NotificationRecorder(other, [.NSManagedObjectContextObjectsDidChange])
        stack.context.delete(clock)
        let objectID = clock.objectID
        try saveAndMerge()
        #expect(copy.isDeleted)
        #expect(copy.label == "base")
        #expect(!copy.isFault)
        #expect(other.registeredObject(for: objectID) === copy)
        #expect(!other.hasChanges)
        #expect(recorder.objects(NSDeletedObjectsKey) == [copy])
        try other.save()
    }

    @Test("A new object is reported as inserted, and registered as a fault")
    func insertion() throws {
        let recorder = NotificationRecorder(other, [.NSManagedObjectContextObjectsDidChange])
        let new = stack.insertClock("new")
        try saveAndMerge()
        let inserted = recorder.objects(NSInsertedObjectsKey)
        #expect(inserted?.map(\.objectID) == [new.objectID])
    }

    @Test("Both ends of a changed relationship arrive")
    func relationship() throws {
        let folder = stack.insertFolder("Home")
        try stack.context.save()
        let folderCopy = other.object(with: folder.objectID)
        #expect(folderCopy.value(forKey: "clocks") as? Set<Clock> == [])
        clock.folder = folder
        try saveAndMerge()
        #expect(copy.folder === folderCopy)
        #expect(folderCopy.value(forKey: "clocks") as? Set<Clock> == [copy])
        clock.folder = nil
        try saveAndMerge()
        #expect(copy.folder == nil)
        #expect(folderCopy.value(forKey: "clocks") as? Set<Clock> == [])
    }

    @Test("A relationship changed in both contexts keeps the local changes")
    func relationshipOnBothSides() throws {
        let folder = stack.insertFolder("Home")
        try stack.context.save()
        let folderCopy = other.object(with: folder.objectID)
        let mine = Clock(context: other)
        mine.folder = folderCopy
        #expect(folderCopy.value(forKey: "clocks") as? Set<Clock> == [mine])
        clock.folder = folder
        try saveAndMerge()
        #expect(folderCopy.value(forKey: "clocks") as? Set<Clock> == [mine, copy])
    }

    @Test("Remote changes are merged by IDs and by URIs")
    func remote() throws {
        stack.database.change(clock.objectID, "label", to: "remote")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: [clock.objectID]], into: [other])
        #expect(copy.label == "remote")
        stack.database.change(clock.objectID, "label", to: "again")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectsKey: [clock.objectID.uriRepresentation()]
            ], into: [other, stack.context])
        #expect(copy.label == "again")
        #expect(clock.label == "again")
    }

    @Test("A missing row is merged as deleted")
    func missingRow() throws {
        stack.database.remove(clock.objectID)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: [clock.objectID]], into: [other])
        #expect(copy.isDeleted)
    }

    @Test("After a merge the next save is not a conflict")
    func saveAfterMerge() throws {
        clock.label = "theirs"
        try saveAndMerge()
        copy.label = "mine"
        try other.save()
        #expect(stack.database.row(clock.objectID)?.version == 3)
    }

    @Test("A merge reports the IDs")
    func notification() throws {
        let recorder = NotificationRecorder(
            other, [.NSManagedObjectContextDidMergeChangesObjectIDs])
        clock.label = "theirs"
        try saveAndMerge()
        #expect(recorder.objectIDs(NSUpdatedObjectIDsKey) == [clock.objectID])
    }

    @Test("Contexts of one coordinator merge automatically if they are set to")
    func automatic() async throws {
        other.automaticallyMergesChangesFromParent = true
        clock.label = "theirs"
        try stack.context.save()
        let objectID = clock.objectID
        let context = other
        let label = await context.perform {
            (context.object(with: objectID) as? Clock)?.label
        }
        #expect(label == "theirs")
        #expect(!stack.context.automaticallyMergesChangesFromParent)
    }

    @Test("Unknown IDs change nothing")
    func unknown() throws {
        let unknown = stack.insertClock("x")
        try stack.context.save()
        let context = stack.newContext()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectIDsKey: [unknown.objectID],
                NSDeletedObjectIDsKey: [clock.objectID],
            ], into: [context])
        #expect(context.registeredObjects.isEmpty)
    }
}
