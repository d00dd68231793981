import CoreData
import Testing

/// A programmer's mistake, and the text of Apple's exception.
enum Misuse: String, CaseIterable, Codable, Sendable {
    case unknownKey
    case wrongType
    case memberOfWrongType
    case destinationInOtherContext
    case memberInOtherContext
    case deletionInOtherContext
    case refreshInOtherContext
    case lockInOtherContext
    case insertionInOtherContext
    case identifierOfOtherCoordinator
    case storeOfOtherCoordinator
    case coordinatorOfChild
    case saveWithoutStores
    case entityOfNamedRequest
    case requestWithoutEntity
    case unknownEntity
    case entityWithoutCoordinator
    case unknownInsertion
    case temporaryIDMerged
    case batchDeletionOfTwoEntities
    case otherStoreForSavedObject
    case parentBesideCoordinator
    case requestOutsideOfContext
    case unknownConfiguration
    case toManyOfToOne

    var text: String {
        switch self {
        case .unknownKey:
            "the entity Clock is not key value coding-compliant for the key \"owner\"."
        case .wrongType:
            "Unacceptable type of value for attribute: property = \"label\"; "
                + "desired type = NSString; given type = Int"
        case .memberOfWrongType:
            "Unacceptable type of value for to-many relationship: property = \"tags\"; "
                + "desired type = Tag"
        case .destinationInOtherContext, .memberInOtherContext:
            "Illegal attempt to establish a relationship"
        case .deletionInOtherContext:
            "An NSManagedObjectContext cannot delete objects in other contexts."
        case .refreshInOtherContext:
            "An NSManagedObjectContext cannot refresh objects in other contexts."
        case .lockInOtherContext:
            "An NSManagedObjectContext cannot detect conflicts for objects in other contexts."
        case .insertionInOtherContext:
            "An NSManagedObject may only be inserted in one context."
        case .identifierOfOtherCoordinator:
            "Object's persistent store is not reachable from this NSManagedObjectContext's "
                + "coordinator"
        case .storeOfOtherCoordinator:
            "Can't assign an object to a store that does not contain the object's entity."
        case .coordinatorOfChild:
            "Can't set a persistent store coordinator on a context with a parent."
        case .saveWithoutStores:
            "This NSPersistentStoreCoordinator has no persistent stores"
        case .entityOfNamedRequest:
            "was created with a string name (Clock), and cannot respond to -entity until used by "
                + "an NSManagedObjectContext"
        case .requestWithoutEntity:
            "executeFetchRequest:error: A fetch request must have an entity."
        case .unknownEntity:
            "NSFetchRequest could not locate an NSEntityDescription for entity name 'Nobody'"
        case .entityWithoutCoordinator:
            "+entityForName: nil is not a legal NSPersistentStoreCoordinator for searching for "
                + "entity name 'Clock'"
        case .unknownInsertion:
            "+entityForName: could not locate an entity named 'Nobody' in this model."
        case .temporaryIDMerged: "cannot find data for a temporary oid: "
        case .batchDeletionOfTwoEntities: "mismatched objectIDs in batch delete initializer"
        case .otherStoreForSavedObject:
            "Can't reassign an object to a different store once it has been saved."
        case .parentBesideCoordinator: "Context already has a coordinator;  cannot replace."
        case .requestOutsideOfContext: "-[NSFetchRequest execute]"
        case .unknownConfiguration:
            "Unable to find a configuration named 'Nowhere' in the specified managed object model."
        case .toManyOfToOne: "neither in their model nor elsewhere"
        }
    }

    func commit() throws {
        let stack = try TestStack()
        let clock = stack.insertClock("a")
        let folder = stack.insertFolder()
        try stack.context.save()
        let other = stack.newContext()
        switch self {
        case .unknownKey: clock.setValue(1, forKey: "owner")
        case .wrongType: clock.setValue(1, forKey: "label")
        case .memberOfWrongType: clock.mutableSetValue(forKey: "tags").add("tag")
        case .destinationInOtherContext: clock.folder = other.object(with: folder.objectID)
        case .memberInOtherContext:
            folder.setValue(Set([other.object(with: clock.objectID)]), forKey: "clocks")
        case .deletionInOtherContext: other.delete(clock)
        case .refreshInOtherContext: other.refresh(clock, mergeChanges: true)
        case .lockInOtherContext: other.detectConflicts(for: clock)
        case .insertionInOtherContext: other.insert(clock)
        case .identifierOfOtherCoordinator:
            _ = try TestStack().context.object(with: clock.objectID)
        case .storeOfOtherCoordinator:
            let store = try #require(try TestStack().coordinator.persistentStores.first)
            stack.context.assign(stack.insertClock(), to: store)
        case .coordinatorOfChild:
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = stack.context
            child.persistentStoreCoordinator = stack.coordinator
        case .saveWithoutStores:
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            _ = Clock(context: context)
            try context.save()
        default: try request(stack, clock, folder)
        }
    }

    private func request(
        _ stack: TestStack, _ clock: Clock, _ folder: NSManagedObject
    ) throws {
        let context = stack.context
        switch self {
        case .entityOfNamedRequest: _ = NSFetchRequest<Clock>(entityName: "Clock").entity
        case .requestWithoutEntity: _ = try context.fetch(NSFetchRequest<Clock>())
        case .unknownEntity: _ = try context.fetch(NSFetchRequest<Clock>(entityName: "Nobody"))
        case .entityWithoutCoordinator:
            let empty = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            _ = NSEntityDescription.entity(forEntityName: "Clock", in: empty)
        case .unknownInsertion: _ = stack.insert("Nobody")
        case .temporaryIDMerged:
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            let recorder = NotificationRecorder(child, [.NSManagedObjectContextDidSave])
            _ = Clock(context: child)
            try child.save()
            stack.newContext().mergeChanges(fromContextDidSave: try #require(recorder.last))
        case .batchDeletionOfTwoEntities:
            _ = NSBatchDeleteRequest(objectIDs: [clock.objectID, folder.objectID])
        case .otherStoreForSavedObject:
            let other = try stack.coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            context.assign(clock, to: other)
        case .parentBesideCoordinator:
            let child = stack.newContext()
            child.parent = context
        case .requestOutsideOfContext:
            _ = try NSFetchRequest<Clock>(entityName: "Clock").execute()
        case .unknownConfiguration:
            try stack.coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: "Nowhere", at: nil)
        default: _ = clock.mutableSetValue(forKey: "label")
        }
    }
}

@Suite(.serialized, .tags(.linuxIsNotKinder)) struct MisuseTests {
    @Test("A programming mistake stops the process with Apple's text", arguments: Misuse.allCases)
    func misuse(_ misuse: Misuse) async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [misuse] in
            try misuse.commit()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains(misuse.text), "\(output.prefix(400))")
    }
}
