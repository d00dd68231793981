import CoreData
import Testing

@Suite struct ChangedValuesTests {
    /// A clock that was saved with the label "noon".
    func savedClock() throws -> (Clock, TestStack) {
        let stack = try TestStack()
        let clock = stack.insertClock("noon")
        try stack.context.save()
        return (clock, stack)
    }

    @Test("A changed value is listed until the save")
    func changed() throws {
        let (clock, stack) = try savedClock()
        #expect(clock.changedValues().isEmpty)
        clock.label = "midnight"
        #expect(clock.changedValues().count == 1)
        #expect(clock.changedValues()["label"] as? String == "midnight")
        #expect(clock.hasPersistentChangedValues)
        try stack.context.save()
        #expect(clock.changedValues().isEmpty)
        #expect(!clock.hasPersistentChangedValues)
    }

    @Test("A value set to nil is listed as NSNull")
    func changedToNil() throws {
        let (clock, _stack) = try savedClock()
        clock.label = nil
        #expect(clock.changedValues()["label"] is NSNull)
        _ = _stack
    }

    @Test("Setting the same value marks the object but changes nothing")
    func sameValue() throws {
        let (clock, stack) = try savedClock()
        clock.label = "noon"
        #expect(clock.isUpdated)
        #expect(stack.context.hasChanges)
        #expect(!clock.hasPersistentChangedValues)
    }

    @Test("A primitive value is not among the changed values and does not mark the object")
    func primitive() throws {
        let (clock, stack) = try savedClock()
        clock.setPrimitiveValue("hidden", forKey: "label")
        #expect(clock.changedValues().isEmpty)
        #expect(!stack.context.hasChanges)
        #expect(clock.label == "hidden")
    }

    @Test("A primitive value between willChangeValue and didChangeValue is a change")
    func announcedPrimitive() throws {
        let (clock, stack) = try savedClock()
        clock.willChangeValue(forKey: "label")
        clock.setPrimitiveValue("shown", forKey: "label")
        clock.didChangeValue(forKey: "label")
        #expect(clock.changedValues()["label"] as? String == "shown")
        #expect(stack.context.updatedObjects == [clock])
    }

    @Test("Committed values are those of the last save")
    func committed() throws {
        let (clock, stack) = try savedClock()
        clock.label = "midnight"
        #expect(clock.committedValues(forKeys: ["label"])["label"] as? String == "noon")
        #expect(clock.committedValues(forKeys: nil)["position"] as? Int == 7)
        #expect(clock.committedValues(forKeys: nil)["note"] is NSNull)
        try stack.context.save()
        #expect(clock.committedValues(forKeys: ["label"])["label"] as? String == "midnight")
    }

    @Test("Committed relationships are those of the last save")
    func committedRelationships() throws {
        let (clock, stack) = try savedClock()
        let folder = stack.insertFolder("A")
        clock.folder = folder
        #expect(clock.committedValues(forKeys: ["folder"])["folder"] is NSNull)
        try stack.context.save()
        clock.folder = nil
        #expect(clock.committedValues(forKeys: ["folder"])["folder"] as? NSManagedObject === folder)
        let clocks = folder.committedValues(forKeys: ["clocks"])["clocks"]
        #expect(clocks as? Set<Clock> == [clock])
    }

    @Test("The values before an event are available until its changes are processed")
    func currentEvent() throws {
        let (clock, stack) = try savedClock()
        clock.label = "one"
        clock.label = "two"
        #expect(clock.changedValuesForCurrentEvent()["label"] as? String == "noon")
        stack.context.processPendingChanges()
        #expect(clock.changedValuesForCurrentEvent().isEmpty)
        clock.label = "three"
        #expect(clock.changedValuesForCurrentEvent()["label"] as? String == "two")
    }

    @Test("The value before an event may be a primitive one, or one of an earlier event")
    func valuesBeforeEvent() throws {
        let (clock, stack) = try savedClock()
        clock.setPrimitiveValue("hidden", forKey: "label")
        clock.label = "one"
        #expect(clock.changedValuesForCurrentEvent()["label"] as? String == "hidden")
        stack.context.processPendingChanges()
        clock.position = 1
        clock.label = "two"
        #expect(clock.changedValuesForCurrentEvent()["label"] as? String == "one")
        #expect(clock.changedValuesForCurrentEvent()["position"] as? Int == 7)
        #expect(clock.committedValues(forKeys: ["label"])["label"] as? String == "noon")
    }

    @Test("A refresh during an event leaves the values before it")
    func refreshDuringEvent() throws {
        let (clock, stack) = try savedClock()
        clock.label = "one"
        stack.context.refresh(clock, mergeChanges: true)
        #expect(clock.label == "one")
        #expect(clock.changedValuesForCurrentEvent()["label"] as? String == "noon")
    }

    @Test("A save ends the event, and the next one begins with what was saved")
    func eventAfterSave() throws {
        let (clock, stack) = try savedClock()
        clock.label = "one"
        try stack.context.save()
        #expect(clock.changedValuesForCurrentEvent().isEmpty)
        clock.label = "two"
        #expect(clock.changedValuesForCurrentEvent()["label"] as? String == "one")
    }

    @Test("A transient value marks the object, but is not persistent")
    func transient() throws {
        let (clock, stack) = try savedClock()
        clock.setValue("c", forKey: "cache")
        #expect(clock.isUpdated)
        #expect(!clock.hasPersistentChangedValues)
        #expect(clock.changedValues()["cache"] == nil)
        try stack.context.save()
        #expect(clock.value(forKey: "cache") as? String == "c")
        #expect(stack.database.row(clock.objectID)?.values["cache"] == nil)
    }

    @Test("An inverse is among the changed values")
    func inverse() throws {
        let (clock, stack) = try savedClock()
        let folder = stack.insertFolder()
        try stack.context.save()
        clock.folder = folder
        #expect(folder.changedValues()["clocks"] as? Set<Clock> == [clock])
        #expect(folder.isUpdated)
    }

    @Test("Setting a value and setting it back leaves no persistent change")
    func setBack() throws {
        let (clock, _stack) = try savedClock()
        clock.label = "other"
        clock.label = "noon"
        #expect(clock.changedValues().isEmpty)
        #expect(clock.isUpdated)
        _ = _stack
    }

    @Test("The members before an event are ordered, even if nobody had read them")
    func orderedBeforeEvent() throws {
        let stack = try TestStack()
        let folder = stack.insertFolder()
        let stops = (0..<3).map { _ in stack.insert("Stop") }
        stops[0].setValue(folder, forKey: "folder")
        try stack.context.save()
        let context = stack.newContext()
        let fault = context.object(with: folder.objectID)
        func join(_ stop: NSManagedObject) {
            context.object(with: stop.objectID).setValue(fault, forKey: "folder")
        }
        join(stops[1])
        context.processPendingChanges()
        join(stops[2])
        #expect((fault.value(forKey: "stops") as? NSOrderedSet)?.count == 3)
        let before = fault.changedValuesForCurrentEvent()["stops"] as? NSOrderedSet
        let expected = stops.prefix(2).map(\.objectID)
        #expect(before?.compactMap { ($0 as? NSManagedObject)?.objectID } == expected)
    }
}
