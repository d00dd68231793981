import CoreData
import Testing

/// An object that records when and why it was awoken.
private final class Sleeper: NSManagedObject {
    var events: [NSSnapshotEventType] = []

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        events.append(flags)
    }
}

@Suite struct SnapshotEventTests {
    private let stack: TestStack
    private let sleeper: Sleeper

    init() throws {
        let entity = NSEntityDescription()
        entity.name = "Sleeper"
        entity.properties = [TestModel.attribute("text", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        stack = try TestStack(model: model)
        sleeper = Sleeper(entity: entity, insertInto: stack.context)
        try stack.context.save()
    }

    @Test("Neither an insertion, a change nor a save is such an event")
    func ordinary() throws {
        sleeper.setValue("a", forKey: "text")
        try stack.context.save()
        #expect(sleeper.events.isEmpty)
    }

    @Test("A rollback awakes the objects that it restored")
    func rollback() {
        sleeper.setValue("a", forKey: "text")
        stack.context.rollback()
        #expect(sleeper.events == [.rollback])
        #expect(sleeper.value(forKey: "text") == nil)
    }

    @Test("A refresh that keeps changes awakes the object")
    func refresh() {
        sleeper.setValue("a", forKey: "text")
        stack.context.refresh(sleeper, mergeChanges: true)
        #expect(sleeper.events == [.refresh])
        #expect(sleeper.value(forKey: "text") as? String == "a")
    }

    @Test("A conflict that a merge policy resolved awakes the object")
    func mergePolicy() throws {
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let other = stack.newContext()
        other.object(with: sleeper.objectID).setValue("theirs", forKey: "text")
        sleeper.setValue("mine", forKey: "text")
        try other.save()
        try stack.context.save()
        #expect(sleeper.events == [.mergePolicy])
    }
}
