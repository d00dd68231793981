import CoreData
import Testing

@Suite struct RefreshTests {
    let stack: TestStack
    let clock: Clock

    init() throws {
        stack = try TestStack()
        clock = stack.insertClock("base")
        try stack.context.save()
        clock.log = []
    }

    @Test("A refresh without merging makes a fault and discards the changes")
    func intoFault() {
        clock.label = "mine"
        stack.context.refresh(clock, mergeChanges: false)
        #expect(clock.isFault)
        #expect(clock.log == ["willTurnIntoFault", "didTurnIntoFault"])
        #expect(!stack.context.hasChanges)
        #expect(clock.label == "base")
    }

    @Test("A refresh with merging reads the store and keeps the changes")
    func merging() {
        clock.label = "mine"
        stack.database.change(clock.objectID, "note", to: "remote")
        stack.database.change(clock.objectID, "label", to: "remote")
        stack.context.refresh(clock, mergeChanges: true)
        #expect(clock.label == "mine")
        #expect(clock.note == "remote")
        #expect(clock.changedValues().keys.sorted() == ["label"])
        #expect(clock.committedValues(forKeys: ["label"])["label"] as? String == "remote")
    }

    @Test("An object that was changed, turned into a fault and changed again is saved")
    func changedAgain() throws {
        clock.label = "mine"
        stack.context.refresh(clock, mergeChanges: false)
        clock.label = "mine again"
        #expect(stack.context.updatedObjects == [clock])
        try stack.context.save()
        let other = stack.newContext()
        let labels = try withExtendedLifetime(other) { try stack.clocks(in: other).map(\.label) }
        #expect(labels == ["mine again"])
    }

    @Test("refreshAllObjects turns unchanged objects into faults")
    func all() {
        let unchanged = stack.insertClock("x")
        #expect(throws: Never.self) { try stack.context.save() }
        clock.label = "mine"
        stack.context.refreshAllObjects()
        #expect(unchanged.isFault)
        #expect(!clock.isFault)
        #expect(clock.label == "mine")
    }

    @Test("Rollback undoes insertions, changes and deletions")
    func rollback() throws {
        let gone = stack.insertClock("gone")
        try stack.context.save()
        let new = stack.insertClock("new")
        clock.label = "mine"
        stack.context.delete(gone)
        stack.context.rollback()
        #expect(!stack.context.hasChanges)
        #expect(new.managedObjectContext == nil)
        #expect(clock.label == "base")
        #expect(!gone.isDeleted)
        #expect(gone.label == "gone")
        stack.database.clearCalls()
        try stack.context.save()
        #expect(stack.database.calls == ["save 0 0 0 0"])
    }

    @Test("Rollback restores relationships on both sides")
    func rollbackRelationships() throws {
        let folder = stack.insertFolder()
        clock.folder = folder
        try stack.context.save()
        clock.folder = nil
        stack.context.rollback()
        #expect(clock.folder === folder)
        #expect(folder.value(forKey: "clocks") as? Set<Clock> == [clock])
    }

    @Test("Reset releases everything, and notifies the store")
    func reset() throws {
        let objectID = clock.objectID
        stack.database.clearCalls()
        stack.context.reset()
        #expect(stack.database.calls == ["unregister 1"])
        #expect(clock.managedObjectContext == nil)
        #expect(stack.context.registeredObjects.isEmpty)
        #expect((try stack.context.existingObject(with: objectID) as? Clock)?.label == "base")
    }
}
