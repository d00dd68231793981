import CoreData
import Testing

@Suite struct ChildConflictTests {
    let stack: TestStack
    let child: NSManagedObjectContext
    let clock: Clock
    let copy: Clock

    init() throws {
        stack = try TestStack()
        clock = stack.insertClock("base")
        try stack.context.save()
        child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        copy = try #require(try child.existingObject(with: clock.objectID) as? Clock)
        copy.label = "child"
    }

    @Test("A change of what the parent has deleted fails with 133020 and the version 0")
    func deletedInParent() throws {
        stack.context.delete(clock)
        let error = #expect(throws: CocoaError.self) { try child.save() }
        #expect(error?.code == .managedObjectMerge)
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.map(\.sourceObject) == [copy])
        #expect(conflicts?.first?.newVersionNumber == 0)
        #expect(copy.label == "child")
        #expect(child.hasChanges)
        #expect(clock.isDeleted)
        try stack.context.save()
        #expect(stack.database.with { $0.rows.isEmpty })
    }

    @Test("If the object wins, the parent's unsaved deletion is undone")
    func objectWins() throws {
        child.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        stack.context.delete(clock)
        try child.save()
        #expect(!clock.isDeleted)
        try stack.context.save()
        #expect(stack.database.row(clock.objectID)?.values["label"] as? String == "child")
    }

    @Test(
        "If the store wins, the deletion stands",
        arguments: [
            NSMergePolicyType.rollbackMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
        ])
    func parentWins(_ type: NSMergePolicyType) throws {
        child.mergePolicy = NSMergePolicy(merge: type)
        stack.context.delete(clock)
        try child.save()
        #expect(clock.isDeleted)
        try stack.context.save()
        #expect(stack.database.with { $0.rows.isEmpty })
    }

    @Test("If both changed a value, the child's is kept, because it is saved later")
    func changedInBoth() throws {
        clock.label = "parent"
        clock.note = "parent"
        try child.save()
        #expect(clock.label == "child")
        #expect(clock.note == "parent")
        try stack.context.save()
        copy.note = "again"
        try child.save()
        #expect(throws: Never.self) { try stack.context.save() }
    }

    @Test("A child can have permanent IDs before it saves")
    func permanentIDs() throws {
        let new = Clock(context: child)
        new.label = "new"
        try child.obtainPermanentIDs(for: [new])
        let objectID = new.objectID
        #expect(!objectID.isTemporaryID)
        try child.save()
        #expect(stack.context.registeredObject(for: objectID)?.isInserted == true)
        try stack.context.save()
        #expect(new.objectID == objectID)
        let other = stack.newContext()
        let found = try other.existingObject(with: objectID) as? Clock
        #expect(found?.label == "new")
    }

    @Test("A child's object gets the ID that it has in the parent", arguments: [false, true])
    func permanentIDsOfParent(isSaved: Bool) throws {
        let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        grandchild.parent = child
        let new = Clock(context: grandchild)
        new.label = "new"
        let temporaryID = new.objectID
        try grandchild.save()
        try child.save()
        if isSaved { try stack.context.save() }
        #expect(new.objectID == temporaryID)
        try grandchild.obtainPermanentIDs(for: [new])
        #expect(!new.objectID.isTemporaryID)
        try stack.context.save()
        let found = try stack.newContext().existingObject(with: new.objectID) as? Clock
        #expect(found != nil)
        #expect(try stack.clocks().count == 2)
        #expect(stack.context.registeredObject(for: temporaryID)?.objectID == new.objectID)
        new.label = "changed"
        try grandchild.save()
        try child.save()
        try stack.context.save()
        #expect(stack.database.row(new.objectID)?.values["label"] as? String == "changed")
    }
}
