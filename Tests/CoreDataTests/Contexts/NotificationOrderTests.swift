import CoreData
import Testing

/// The events, in order.
///
/// Unchecked because the list is guarded by the lock.
private final class EventLog: @unchecked Sendable {
    // An NSLock, because the thread sanitizer does not understand Mutex on Linux.
    private let lock = NSLock()
    private var list: [String] = []
    private var observers: [any NSObjectProtocol] = []

    deinit {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    func note(_ event: String) {
        lock.lock()
        defer { lock.unlock() }
        list.append(event)
    }

    /// The events since the last call.
    func take() -> [String] {
        lock.lock()
        defer { lock.unlock() }
        defer { list = [] }
        return list
    }

    /// Records every notification of a context by its Swift name, and its keys.
    func follow(_ context: NSManagedObjectContext, as name: String = "") {
        let names: [(Notification.Name, String)] = [
            (.NSManagedObjectContextObjectsDidChange, "ObjectsDidChange"),
            (.NSManagedObjectContextWillSave, "WillSave"),
            (.NSManagedObjectContextDidSave, "DidSave"),
            (.NSManagedObjectContextDidSaveObjectIDs, "DidSaveObjectIDs"),
            (.NSManagedObjectContextDidMergeChangesObjectIDs, "DidMergeChangesObjectIDs"),
        ]
        for (notification, text) in names {
            observers.append(
                NotificationCenter.default.addObserver(
                    forName: notification, object: context, queue: nil
                ) { [weak self] notification in
                    let keys = (notification.userInfo ?? [:]).keys.compactMap { $0 as? String }
                    self?.note("\(name)\(text)(\(keys.sorted().joined(separator: " ")))")
                })
        }
    }
}

/// An object that records the calls of its methods.
private final class Announcer: NSManagedObject {
    var log: EventLog?
    var changesInWillSave = 0

    override func willSave() {
        log?.note("willSave")
        guard changesInWillSave > 0 else { return }
        setValue("changed \(changesInWillSave)", forKey: "text")
        changesInWillSave -= 1
    }
    override func didSave() { log?.note("didSave") }
    override func prepareForDeletion() { log?.note("prepareForDeletion") }
    override func validateForInsert() throws {
        log?.note("validateForInsert")
        try super.validateForInsert()
    }
    override func validateForUpdate() throws {
        log?.note("validateForUpdate")
        try super.validateForUpdate()
    }
    override func validateForDelete() throws {
        log?.note("validateForDelete")
        try super.validateForDelete()
    }
}

@Suite struct NotificationOrderTests {
    private let stack: TestStack
    private let log = EventLog()
    private let entity: NSEntityDescription

    init() throws {
        entity = NSEntityDescription()
        entity.name = "Announcer"
        entity.properties = [TestModel.attribute("text", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        stack = try TestStack(model: model)
    }

    private func insert(into context: NSManagedObjectContext? = nil) -> Announcer {
        let object = Announcer(entity: entity, insertInto: context ?? stack.context)
        object.log = log
        return object
    }

    @Test("An insertion, a change and a deletion are each saved in Apple's order")
    func saves() throws {
        log.follow(stack.context)
        let object = insert()
        try stack.context.save()
        let saved = [
            "didSave", "DidSave(deleted inserted updated)",
            "DidSaveObjectIDs(deleted_objectIDs inserted_objectIDs updated_objectIDs)",
        ]
        #expect(
            log.take() == [
                "ObjectsDidChange(inserted)", "WillSave()", "willSave", "validateForInsert",
            ] + saved)
        object.setValue("a", forKey: "text")
        try stack.context.save()
        #expect(
            log.take() == [
                "ObjectsDidChange(updated)", "WillSave()", "willSave", "validateForUpdate",
            ] + saved)
        stack.context.delete(object)
        try stack.context.save()
        #expect(
            log.take() == [
                "prepareForDeletion", "ObjectsDidChange(deleted)", "WillSave()", "willSave",
                "validateForDelete",
            ] + saved)
    }

    @Test("What willSave changes is reported before it is called again, and validated once")
    func changesInWillSave() throws {
        let object = insert()
        try stack.context.save()
        _ = log.take()
        log.follow(stack.context)
        object.setValue("a", forKey: "text")
        object.changesInWillSave = 1
        try stack.context.save()
        #expect(
            log.take() == [
                "ObjectsDidChange(updated)", "WillSave()", "willSave", "ObjectsDidChange(updated)",
                "willSave", "validateForUpdate", "didSave", "DidSave(deleted inserted updated)",
                "DidSaveObjectIDs(deleted_objectIDs inserted_objectIDs updated_objectIDs)",
            ])
    }

    @Test("A save that the store refuses posts nothing more, and can be repeated")
    func failedSave() throws {
        log.follow(stack.context)
        let object = insert()
        stack.database.with { $0.failure = CocoaError(.persistentStoreTimeout) }
        #expect(throws: CocoaError.self) { try stack.context.save() }
        #expect(
            log.take() == [
                "ObjectsDidChange(inserted)", "WillSave()", "willSave", "validateForInsert",
            ])
        stack.database.with { $0.failure = nil }
        try stack.context.save()
        #expect(log.take().first == "WillSave()")
        #expect(!object.objectID.isTemporaryID)
    }

    @Test("A child's save changes the parent before the child reports that it has saved")
    func child() throws {
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = stack.context
        log.follow(child, as: "child ")
        log.follow(stack.context, as: "parent ")
        _ = insert(into: child)
        try child.save()
        #expect(
            log.take() == [
                "child ObjectsDidChange(inserted)", "child WillSave()", "willSave",
                "validateForInsert", "parent ObjectsDidChange(inserted)", "didSave",
                "child DidSave(deleted inserted updated)",
                "child DidSaveObjectIDs(deleted_objectIDs inserted_objectIDs updated_objectIDs)",
            ])
    }

    @Test("A merge reports the changed objects, and then the merge, with the keys that it had")
    func merge() throws {
        let objects = [insert(), insert(), insert()]
        try stack.context.save()
        let other = stack.newContext()
        let copies = objects.map { other.object(with: $0.objectID) }
        for copy in copies { _ = copy.value(forKey: "text") }
        log.follow(other)
        objects[0].setValue("a", forKey: "text")
        stack.context.delete(objects[1])
        let new = insert()
        try stack.context.save()
        _ = log.take()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSInsertedObjectIDsKey: [new.objectID],
                NSUpdatedObjectIDsKey: [objects[0].objectID],
                NSDeletedObjectIDsKey: [copies[1].objectID],
                NSInvalidatedObjectIDsKey: [objects[2].objectID],
            ], into: [other])
        #expect(
            log.take() == [
                "ObjectsDidChange(deleted inserted invalidated refreshed)",
                "DidMergeChangesObjectIDs(deleted_objectIDs inserted_objectIDs "
                    + "invalidated_objectIDs refreshed_objectIDs updated_objectIDs)",
            ])
    }

    @Test("A rollback, a refresh and a reset are reported with their keys")
    func otherChanges() throws {
        let (changed, deleted) = (insert(), insert())
        try stack.context.save()
        changed.setValue("a", forKey: "text")
        stack.context.delete(deleted)
        _ = insert()
        stack.context.processPendingChanges()
        _ = log.take()
        log.follow(stack.context)
        stack.context.rollback()
        #expect(log.take() == ["ObjectsDidChange(deleted refreshed)"])
        stack.context.refresh(changed, mergeChanges: true)
        stack.context.processPendingChanges()
        #expect(log.take() == ["ObjectsDidChange(refreshed)"])
        stack.context.reset()
        #expect(log.take() == ["ObjectsDidChange(invalidatedAll)"])
    }
}
