import CoreData
import Testing

@Suite struct RemoteChangeTests {
    let stack: TestStack
    let clock: Clock

    init() throws {
        stack = try TestStack()
        clock = stack.insertClock("base")
        try stack.context.save()
    }

    /// The forms that describe changes.
    enum Form: CaseIterable {
        case arrayOfIDs
        case setOfIDs
        case foundationSet
        case arrayOfURIs
        case setOfURIs
        case objects

        func collection(of object: NSManagedObject) -> Any {
            let uri = object.objectID.uriRepresentation()
            return switch self {
            case .arrayOfIDs: [object.objectID]
            case .setOfIDs: Set([object.objectID])
            case .foundationSet: NSSet(object: object.objectID)
            case .arrayOfURIs: [uri]
            case .setOfURIs: Set([uri])
            case .objects: Set([object])
            }
        }
    }

    @Test(
        "Changes arrive in every form, under the keys of objects and of IDs",
        arguments: Form.allCases)
    func forms(_ form: Form) throws {
        for (number, key) in [NSUpdatedObjectsKey, NSUpdatedObjectIDsKey].enumerated() {
            stack.database.change(clock.objectID, "label", to: "remote \(number)")
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [key: form.collection(of: clock)], into: [stack.context])
            #expect(clock.label == "remote \(number)")
        }
    }

    @Test("Every kind of change has its key", arguments: [true, false])
    func kinds(_ byID: Bool) throws {
        let gone = stack.insertClock("gone")
        try stack.context.save()
        let other = stack.newContext()
        let new = Clock(context: other)
        try other.save()
        stack.database.change(clock.objectID, "label", to: "remote")
        stack.database.remove(gone.objectID)
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange])
        let keys =
            byID
            ? [NSInsertedObjectIDsKey, NSRefreshedObjectIDsKey, NSDeletedObjectIDsKey]
            : [NSInsertedObjectsKey, NSRefreshedObjectsKey, NSDeletedObjectsKey]
        let objectIDs = [new.objectID, clock.objectID, gone.objectID]
        let changes = Dictionary(uniqueKeysWithValues: zip(keys, objectIDs.map { [$0] }))
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [stack.context])
        #expect(recorder.objects(NSInsertedObjectsKey)?.map(\.objectID) == [new.objectID])
        #expect(recorder.objects(NSRefreshedObjectsKey) == [clock])
        #expect(recorder.objects(NSDeletedObjectsKey) == [gone])
        #expect(clock.label == "remote")
        #expect(gone.isDeleted)
    }

    @Test("Invalidated objects become faults")
    func invalidated() throws {
        let recorder = NotificationRecorder(
            stack.context, [.NSManagedObjectContextObjectsDidChange])
        clock.label = "unsaved"
        stack.context.processPendingChanges()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInvalidatedObjectsKey: [clock.objectID]],
            into: [stack.context])
        #expect(clock.isFault)
        #expect(clock.label == "base")
        #expect(recorder.objects(NSInvalidatedObjectsKey) == [clock])
    }

    @Test("A merge into a child reaches its ancestors first")
    func nested() throws {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = stack.context
        let copy = try #require(try child.existingObject(with: clock.objectID) as? Clock)
        stack.database.change(clock.objectID, "label", to: "remote")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [clock.objectID]], into: [child])
        #expect(copy.label == "remote")
        #expect(clock.label == "remote")
        #expect(!child.hasChanges)
        #expect(!stack.context.hasChanges)
    }

    @Test("Unknown entries are skipped")
    func nonsense() throws {
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [
                NSUpdatedObjectsKey: "text", NSDeletedObjectsKey: [1, 2],
                NSInsertedObjectsKey: [URL(fileURLWithPath: "/tmp")], "unknown": [clock.objectID],
            ], into: [stack.context])
        #expect(!clock.isDeleted)
        clock.label = "mine"
        #expect(throws: Never.self) { try stack.context.save() }
    }
}
