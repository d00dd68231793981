import CoreData
import Testing

@Suite struct FaultTests {
    @Test("A fault fires once, and awakes the object")
    func firesOnce() throws {
        let (clock, context) = try TestStack().savedFault()
        #expect(clock.isFault)
        #expect(clock.faultingState != 0)
        #expect(clock.label == "noon")
        #expect(!clock.isFault)
        #expect(clock.faultingState == 0)
        _ = clock.note
        #expect(clock.log == ["awakeFromFetch"])
        _ = context
    }

    @Test("Values are read from the store once")
    func oneCall() throws {
        let stack = try TestStack()
        let (clock, context) = try stack.savedFault()
        stack.database.clearCalls()
        _ = (clock.label, clock.note, clock.position, clock.folder)
        #expect(stack.database.calls == ["values Clock"])
        _ = context
    }

    @Test("The object ID of a fault does not fire it")
    func objectIDOfFault() throws {
        let (clock, context) = try TestStack().savedFault()
        _ = clock.objectID
        _ = clock.entity
        #expect(clock.isFault)
        #expect(clock.changedValues().isEmpty)
        #expect(!clock.hasPersistentChangedValues)
        #expect(clock.isFault)
        _ = context
    }

    @Test("willAccessValue fires a fault")
    func willAccess() throws {
        let (clock, context) = try TestStack().savedFault()
        clock.willAccessValue(forKey: nil)
        #expect(!clock.isFault)
        #expect(clock.primitiveValue(forKey: "label") as? String == "noon")
        clock.didAccessValue(forKey: nil)
        _ = context
    }

    @Test("A to-many is read on first access, once")
    func toManyIsLazy() throws {
        let stack = try TestStack()
        let folder = stack.insertFolder()
        stack.insertClock("a").folder = folder
        try stack.context.save()
        let other = stack.newContext()
        let copy = other.object(with: folder.objectID)
        _ = copy.value(forKey: "name")
        #expect(copy.hasFault(forRelationshipNamed: "clocks"))
        stack.database.clearCalls()
        #expect((copy.value(forKey: "clocks") as? Set<Clock>)?.count == 1)
        #expect(!copy.hasFault(forRelationshipNamed: "clocks"))
        _ = copy.value(forKey: "clocks")
        #expect(stack.database.calls == ["relationship clocks", "register 1"])
    }

    @Test("A to-one that the row omits is read while the fault fires")
    func omittedToOne() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        clock.folder = stack.insertFolder("Home")
        try stack.context.save()
        stack.database.with { $0.omitsToOnes = true }
        let other = stack.newContext()
        let copy = try #require(other.object(with: clock.objectID) as? Clock)
        stack.database.clearCalls()
        _ = copy.label
        #expect(
            Set(stack.database.calls) == [
                "values Clock", "relationship folder", "relationship dial",
            ])
        #expect(copy.folder?.value(forKey: "name") as? String == "Home")
    }

    @Test("existingObject returns an object with its values in memory")
    func existingObjectIsNoFault() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        try stack.context.save()
        let context = stack.newContext()
        let object = try context.existingObject(with: clock.objectID)
        #expect(!object.isFault)
    }

    @Test("existingObject throws 133000 for a row that is gone")
    func existingObjectOfMissingRow() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        try stack.context.save()
        stack.database.remove(clock.objectID)
        let context = stack.newContext()
        let error = #expect(throws: CocoaError.self) {
            try context.existingObject(with: clock.objectID)
        }
        #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
    }

    @Test("A fault whose row is gone counts as deleted, with nil for all values")
    func inaccessibleFault() throws {
        let stack = try TestStack()
        let (clock, context) = try stack.savedFault()
        stack.database.remove(clock.objectID)
        #expect(clock.label == nil)
        #expect(clock.isDeleted)
        #expect(!context.hasChanges)
    }

    @Test("Without shouldDeleteInaccessibleFaults such a fault stops the process")
    func inaccessibleFaultTraps() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            let (clock, context) = try stack.savedFault()
            context.shouldDeleteInaccessibleFaults = false
            stack.database.remove(clock.objectID)
            _ = clock.label
        }
    }

    @Test("object(with:) never fails and makes a fault")
    func objectWithID() throws {
        let (clock, context) = try TestStack().savedFault()
        #expect(context.object(with: clock.objectID) === clock)
        #expect(context.registeredObject(for: clock.objectID) === clock)
    }

    @Test("A fault can be fired for a row whose number is a string in its URI")
    func rowFromURI() throws {
        let stack = try TestStack()
        let clock = stack.insertClock("noon")
        try stack.context.save()
        let url = clock.objectID.uriRepresentation()
        let objectID = try #require(stack.coordinator.managedObjectID(forURIRepresentation: url))
        #expect(stack.context.object(with: objectID) === clock)
    }
}
