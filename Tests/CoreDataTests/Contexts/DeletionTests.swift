import CoreData
import Testing

@Suite struct DeletionTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    @Test("Nullify clears the relationship on the other side")
    func nullify() throws {
        let (clock, folder) = (stack.insertClock(), stack.insertFolder())
        clock.folder = folder
        try stack.context.save()
        stack.context.delete(folder)
        stack.context.processPendingChanges()
        #expect(clock.folder == nil)
        #expect(clock.isUpdated)
        try stack.context.save()
        #expect(stack.database.row(clock.objectID)?.values["folder"] == nil)
    }

    @Test("Nullify removes the object from a to-many on the other side")
    func nullifyToMany() throws {
        let (clock, folder) = (stack.insertClock(), stack.insertFolder())
        clock.folder = folder
        try stack.context.save()
        stack.context.delete(clock)
        try stack.context.save()
        #expect(folder.value(forKey: "clocks") as? Set<Clock> == [])
        #expect(stack.database.row(folder.objectID)?.values["clocks"] as? [String] == [])
    }

    @Test("Cascade deletes the other side, also when it is a fault")
    func cascade() throws {
        let clock = stack.insertClock()
        let dial = stack.insert("Dial")
        clock.setValue(dial, forKey: "dial")
        try stack.context.save()
        let context = stack.newContext()
        context.delete(context.object(with: clock.objectID))
        try context.save()
        #expect(stack.database.row(dial.objectID) == nil)
        #expect(stack.database.row(clock.objectID) == nil)
    }

    @Test("Delete rules run when the event ends, or immediately on request")
    func propagation() throws {
        let clock = stack.insertClock()
        let dial = stack.insert("Dial")
        clock.setValue(dial, forKey: "dial")
        try stack.context.save()
        stack.context.delete(clock)
        #expect(!dial.isDeleted)
        stack.context.processPendingChanges()
        #expect(dial.isDeleted)
        stack.context.rollback()
        stack.context.propagatesDeletesAtEndOfEvent = false
        stack.context.delete(clock)
        #expect(dial.isDeleted)
    }

    @Test("Deny stops the save with 1600 as long as there are destinations")
    func deny() throws {
        let (parent, child) = (stack.insertFolder("p"), stack.insertFolder("c"))
        child.setValue(parent, forKey: "parent")
        try stack.context.save()
        stack.context.delete(parent)
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code.rawValue == NSValidationRelationshipDeniedDeleteError)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "children")
        stack.context.delete(child)
        try stack.context.save()
        #expect(stack.database.with { $0.rows.isEmpty })
    }

    @Test("An object that is deleted before its first save never reaches the store")
    func annihilation() throws {
        let (clock, folder) = (stack.insertClock(), stack.insertFolder())
        clock.folder = folder
        stack.context.delete(clock)
        #expect(stack.context.insertedObjects == [folder])
        #expect(stack.context.deletedObjects.isEmpty)
        try stack.context.save()
        #expect(clock.managedObjectContext == nil)
        #expect(!clock.isUpdated)
        #expect(folder.value(forKey: "clocks") as? Set<Clock> == [])
        #expect(stack.database.with { $0.rows.count } == 1)
    }

    @Test("A change after the deletion is not an update")
    func changeAfterDeletion() throws {
        let clock = stack.insertClock()
        try stack.context.save()
        stack.context.delete(clock)
        clock.label = "late"
        #expect(stack.context.updatedObjects.isEmpty)
        try stack.context.save()
        #expect(stack.database.with { $0.rows.isEmpty })
    }

    @Test("Inserting a deleted object again undoes the deletion")
    func insertAgain() throws {
        let clock = stack.insertClock()
        try stack.context.save()
        stack.context.delete(clock)
        stack.context.insert(clock)
        #expect(!clock.isDeleted)
        #expect(!stack.context.hasChanges)
    }

    @Test("An object of another context cannot be deleted")
    func otherContext() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.newContext().delete(stack.insertClock())
        }
    }

    @Test("Deleting a thousand owners with what they own leaves nothing")
    func many() throws {
        let folders = (0..<100).map { _ in stack.insertFolder() }
        for index in 0..<1000 { stack.insertClock("\(index)").folder = folders[index % 100] }
        try stack.context.save()
        for clock in try stack.clocks() { stack.context.delete(clock) }
        for folder in folders { stack.context.delete(folder) }
        try stack.context.save()
        #expect(stack.database.with { $0.rows.isEmpty })
    }
}
