import CoreData
import Testing

@Suite struct BadInputTests {
    let stack: TestStack
    let clock: Clock

    init() throws {
        stack = try TestStack()
        clock = stack.insertClock("a")
        try stack.context.save()
    }

    /// Whether the context still works: a save writes its objects and nothing else.
    private func requireWorkingContext(rows: Int) throws {
        clock.note = "still works"
        _ = stack.insertClock("new")
        try stack.context.save()
        #expect(stack.database.with { $0.rows.count } == rows + 1)
        #expect(stack.database.row(clock.objectID)?.values["note"] as? String == "still works")
        #expect(!stack.context.hasChanges)
    }

    @Test("existingObject throws 133000 for IDs that lead nowhere")
    func existingObject() throws {
        let other = try TestStack()
        let foreign = other.insertClock()
        try other.context.save()
        let never = Clock(entity: clock.entity, insertInto: nil)
        let gone = stack.insertClock("gone")
        try stack.context.save()
        let goneID = gone.objectID
        stack.context.delete(gone)
        try stack.context.save()
        let missing = try #require(
            stack.coordinator.managedObjectID(
                forURIRepresentation: clock.objectID.uriRepresentation()
                    .deletingLastPathComponent().appendingPathComponent("p99999")))
        for objectID in [foreign.objectID, never.objectID, goneID, missing] {
            let error = #expect(throws: CocoaError.self) {
                try stack.context.existingObject(with: objectID)
            }
            #expect(error?.code == .managedObjectReferentialIntegrity)
            #expect(error?.errorCode == 133000)
        }
        #expect(try stack.context.existingObject(with: clock.objectID) === clock)
        try requireWorkingContext(rows: 1)
    }

    @Test(
        "URIs that are no permanent ID of a store give nil",
        arguments: [
            "http://example.com/Clock/p1", "x-coredata:", "x-coredata://", "x-coredata:///Clock/p1",
            "x-coredata://00000000-0000-0000-0000-000000000000/Clock/p1",
            "x-coredata://S/Nothing/p1",
            "x-coredata://S/Clock", "x-coredata://S/Clock/", "x-coredata://S/Clock/t1",
            "x-coredata://S/Clock/1", "file:///tmp",
        ])
    func uri(_ text: String) throws {
        let identifier = try #require(stack.coordinator.persistentStores.first?.identifier)
        let url = try #require(
            URL(string: text.replacingOccurrences(of: "//S/", with: "//\(identifier)/")))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil)
        let temporary = stack.insertClock().objectID.uriRepresentation()
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: temporary) == nil)
    }

    @Test("A temporary ID finds its object in its own context only")
    func temporaryID() throws {
        let new = stack.insertClock("b")
        let objectID = new.objectID
        #expect(stack.context.object(with: objectID) === new)
        #expect(try stack.context.existingObject(with: objectID) === new)
        let other = stack.newContext()
        #expect(other.registeredObject(for: objectID) == nil)
        #expect(throws: CocoaError.self) { try other.existingObject(with: objectID) }
        #expect((other.object(with: objectID) as? Clock)?.label == nil)
        #expect(!other.hasChanges)
        #expect(throws: Never.self) { try other.save() }
        try requireWorkingContext(rows: 2)
    }

    @Test("A relationship to a deleted object is 1550, and nothing is saved")
    func danglingReference() throws {
        let folder = stack.insertFolder()
        try stack.context.save()
        stack.context.delete(folder)
        stack.context.processPendingChanges()
        clock.folder = folder
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectValidation)
        #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "folder")
        #expect(error?.userInfo[NSValidationObjectErrorKey] as? Clock === clock)
        #expect(error?.userInfo["Dangling reference to an invalid object."] is NSNull)
        #expect(stack.database.with { $0.rows.count } == 2)
        clock.folder = nil
        try requireWorkingContext(rows: 1)
    }

    @Test("A relationship to an object that was never saved and is gone is 1550")
    func danglingInsertion() throws {
        let folder = stack.insertFolder()
        clock.setPrimitiveValue(folder, forKey: "folder")
        clock.didChangeValue(forKey: "folder")
        stack.context.delete(folder)
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .managedObjectValidation)
        clock.folder = nil
        try requireWorkingContext(rows: 1)
    }

    @Test("Values set on a deleted object are not saved")
    func deletedObject() throws {
        stack.context.delete(clock)
        clock.label = "changed"
        try stack.context.save()
        #expect(stack.database.with { $0.rows.isEmpty })
        #expect(clock.managedObjectContext == nil)
        #expect(!clock.hasChanges)
        clock.label = "again"
        #expect(!stack.context.hasChanges)
        stack.context.refresh(clock, mergeChanges: true)
        _ = stack.insertClock("new")
        try stack.context.save()
        #expect(stack.database.with { $0.rows.count } == 1)
    }

    @Test("Permanent IDs are given to the context's objects, and to no others")
    func permanentIDs() throws {
        let other = stack.newContext()
        let foreign = Clock(context: other)
        let free = Clock(entity: clock.entity, insertInto: nil)
        try stack.context.obtainPermanentIDs(for: [foreign, free, clock])
        #expect(foreign.objectID.isTemporaryID)
        #expect(free.objectID.isTemporaryID)
        try requireWorkingContext(rows: 1)
        try other.save()
        #expect(!foreign.objectID.isTemporaryID)
    }

    @Test("Objects of other contexts in a predicate represent their rows")
    func foreignConstant() throws {
        let folder = stack.insertFolder()
        clock.folder = folder
        try stack.context.save()
        let library = try Library()
        try library.fill()
        let other = library.makeContext()
        let author = try #require(
            try library.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "author == %@", author)
        #expect(try other.count(for: request) > 0)
        request.predicate = NSPredicate(format: "author == %@", folder)
        #expect(try other.count(for: request) == 0)
    }

    @Test("A failed validation lists every object, and repaired objects can be saved")
    func validation() throws {
        let folders = [stack.insertFolder(), stack.insertFolder()]
        for folder in folders { folder.setValue(nil, forKey: "name") }
        let error = #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(error?.code == .validationMultipleErrors)
        let details = error?.userInfo[NSDetailedErrorsKey] as? [CocoaError]
        #expect(details?.map(\.errorCode) == [1570, 1570])
        #expect(folders.allSatisfy { $0.objectID.isTemporaryID })
        for folder in folders { folder.setValue("named", forKey: "name") }
        try requireWorkingContext(rows: 3)
    }
}
