import CoreData
import Testing

/// A class used only for the search by name. The entity of a class is registered for the whole
/// process, and other tests use that of `Clock`.

@Suite struct LifeCycleTests {
    @Test("Defaults are set before awakeFromInsert, which is called once")
    func awakeFromInsert() throws {
        let stack = try TestStack()
        let clock = Clock(context: stack.context)
        #expect(clock.log == ["awakeFromInsert 7"])
        #expect(clock.position == 7)
    }

    @Test("Every way to insert calls awakeFromInsert")
    func waysToInsert() throws {
        let stack = try TestStack()
        let entity = try #require(
            NSEntityDescription.entity(forEntityName: "Clock", in: stack.context))
        let first = Clock(entity: entity, insertInto: stack.context)
        let second = try #require(stack.insert("Clock") as? Clock)
        let third = Clock(entity: entity, insertInto: nil)
        #expect(third.log.isEmpty)
        #expect(third.managedObjectContext == nil)
        stack.context.insert(third)
        #expect([first, second, third].allSatisfy { $0.log == ["awakeFromInsert 7"] })
        #expect(stack.context.insertedObjects == [first, second, third])
    }

    @Test("willSave and didSave are sent once to each changed object")
    func willAndDidSave() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        try stack.context.save()
        clock.log = []
        clock.label = "x"
        try stack.context.save()
        #expect(clock.log == ["willSave", "didSave"])
    }

    @Test("What willSave changes is saved, and willSave is sent again")
    func changesInWillSave() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        clock.willSaveAction = { if $0.note == nil { $0.note = "stamped" } }
        try stack.context.save()
        #expect(stack.database.row(clock.objectID)?.values["note"] as? String == "stamped")
        #expect(clock.log.filter { $0 == "willSave" }.count == 2)
        #expect(!stack.context.hasChanges)
    }

    @Test("An object that willSave inserts is saved and gets willSave too")
    func insertionInWillSave() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        var made: Clock?
        clock.willSaveAction = { clock in
            guard made == nil, let context = clock.managedObjectContext else { return }
            made = Clock(context: context)
        }
        try stack.context.save()
        #expect(made?.objectID.isTemporaryID == false)
        #expect(made?.log.contains("willSave") == true)
    }

    @Test("prepareForDeletion is sent again when an object is deleted again")
    func prepareForDeletion() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        try stack.context.save()
        clock.log = []
        stack.context.delete(clock)
        stack.context.delete(clock)
        #expect(clock.log == ["prepareForDeletion", "prepareForDeletion"])
        #expect(stack.context.deletedObjects == [clock])
    }

    @Test("The states of an object from insertion to deletion")
    func states() throws {
        let stack = try TestStack()
        let clock = stack.insertClock()
        #expect(clock.isInserted && clock.hasChanges && !clock.isUpdated && !clock.isFault)
        try stack.context.save()
        #expect(!clock.isInserted && !clock.hasChanges)
        clock.label = "x"
        #expect(clock.isUpdated && clock.hasChanges)
        stack.context.delete(clock)
        #expect(clock.isDeleted && !clock.isUpdated)
        try stack.context.save()
        #expect(!clock.isDeleted && !clock.hasChanges)
        #expect(clock.managedObjectContext == nil)
    }

    @Test("A class that is not in the process gives plain managed objects")
    func missingClass() throws {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        entity.managedObjectClassName = "Nowhere"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        #expect(type(of: try TestStack(model: model).insert("Thing")) == NSManagedObject.self)
    }

    @Test("entity() and fetchRequest() of a class lead to its entity")
    func classEntity() throws {
        let stack = try TestStack()
        #expect(Clock.entity().name == "Clock")
        let request = Clock.fetchRequest()
        #expect(request.entityName == "Clock")
        _ = stack
    }

    @Test("A class that no model has gives an entity and a request without a name")
    func classWithoutEntity() {
        final class Stranger: NSManagedObject {}
        #expect(Stranger.entity().name == nil)
        #expect(Stranger.fetchRequest().entityName == nil)
    }

    @Test("The description contains the entity and the ID, and does not fire a fault")
    func description() throws {
        let (clock, context) = try TestStack().savedFault()
        #expect(clock.description.contains("entity: Clock"))
        #expect(clock.description.contains("<fault>"))
        #expect(clock.isFault)
        _ = context
    }
}
