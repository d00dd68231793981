import CoreData
import Testing

/// Objects that were never saved: their state, and the effect of a refresh.
@Suite struct UnsavedObjectTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @Test("A refresh without merging turns an unsaved object into a fault that cannot fire")
    func refresh() throws {
        let clock = stack.insertClock("noon")
        stack.context.refresh(clock, mergeChanges: false)
        #expect(clock.isFault)
        #expect(!clock.hasChanges)
        #expect(stack.context.insertedObjects.isEmpty)
        #expect(stack.context.registeredObject(for: clock.objectID) === clock)
        clock.willAccessValue(forKey: nil)
        #expect(!clock.isFault)
        #expect(clock.label == nil)
        stack.context.refresh(clock, mergeChanges: false)
        #expect(clock.isFault)
        try stack.context.save()
        #expect(stack.database.with { $0.rows.isEmpty })
    }

    @Test("A refresh with merging leaves an unsaved object unchanged")
    func mergingRefresh() {
        let clock = stack.insertClock("noon")
        stack.context.refresh(clock, mergeChanges: true)
        stack.context.refreshAllObjects()
        #expect(clock.label == "noon")
        #expect(clock.isInserted)
    }

    @Test("A reference to an insertion that was refreshed away cannot be saved")
    func danglingReference() throws {
        let clock = stack.insertClock("noon")
        let folder = stack.insertFolder()
        clock.folder = folder
        stack.context.refresh(folder, mergeChanges: false)
        var code: CocoaError.Code?
        do { try stack.context.save() } catch { code = (error as? CocoaError)?.code }
        #expect(code == .managedObjectValidation)
    }

    @Test("The changed values of an insertion hold primitive ones, those of a saved object do not")
    func changedValues() throws {
        let clock = stack.insertClock("noon")
        clock.setPrimitiveValue("hidden", forKey: "note")
        #expect(clock.changedValues()["note"] as? String == "hidden")
        #expect(clock.changedValues()["label"] as? String == "noon")
        clock.setPrimitiveValue(nil, forKey: "note")
        #expect(clock.changedValues()["note"] == nil)
        try stack.context.save()
        clock.setPrimitiveValue("later", forKey: "note")
        #expect(clock.changedValues().isEmpty)
    }

    @Test("An object that was never saved has no committed values")
    func committedValues() throws {
        let clock = stack.insertClock("noon")
        #expect(clock.committedValues(forKeys: nil).isEmpty)
        #expect(clock.committedValues(forKeys: ["label", "folder"]).isEmpty)
        try stack.context.save()
        #expect(clock.committedValues(forKeys: ["label"])["label"] as? String == "noon")
    }

    @Test("A merged deletion is among the deleted objects, until the context saves")
    func mergedDeletion() throws {
        let clock = stack.insertClock("noon")
        try stack.context.save()
        let other = stack.newContext()
        let copy = other.object(with: clock.objectID)
        _ = copy.value(forKey: "label")
        let recorder = NotificationRecorder(stack.context, [.NSManagedObjectContextDidSave])
        stack.context.delete(clock)
        try stack.context.save()
        other.mergeChanges(fromContextDidSave: try #require(recorder.last))
        #expect(copy.isDeleted)
        #expect(other.deletedObjects == [copy])
        #expect(!other.hasChanges)
        try other.save()
        #expect(other.deletedObjects.isEmpty)
    }
}
