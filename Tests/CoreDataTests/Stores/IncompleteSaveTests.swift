import CoreData
import Testing

/// Saves over two stores of which the second refuses its changes.
@Suite("A save that one of two stores refuses") struct IncompleteSaveTests {
    /// What is saved in the first store.
    enum Change: CaseIterable {
        case insertion, update, deletion
    }

    private let coordinator: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext
    private let stores: [NSPersistentStore]
    private let clock: Clock
    private let tag: NSManagedObject

    init() throws {
        _ = RecordingStore.register
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: TestModel.makeWithConfigurations())
        self.coordinator = coordinator
        stores = try ["Clocks", "Tags"].map { name in
            try coordinator.addPersistentStore(
                ofType: RecordingStore.storeType, configurationName: name,
                at: URL(fileURLWithPath: "/recording/\(UUID().uuidString)"))
        }
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        clock = Clock(context: context)
        tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        try context.save()
    }

    private func database(_ index: Int) -> RecordingDatabase {
        .at(coordinator.url(for: stores[index]))
    }

    /// Changes a tag, and an object of the first store.
    ///
    /// - Returns: The latter.
    private func make(_ change: Change, _ tag: NSManagedObject? = nil) -> NSManagedObject {
        (tag ?? self.tag).setValue("changed", forKey: "text")
        switch change {
        case .insertion: return Clock(context: context)
        case .update: clock.label = "changed"
        case .deletion: context.delete(clock)
        }
        return clock
    }

    private func key(_ change: Change) -> String {
        switch change {
        case .insertion: NSInsertedObjectsKey
        case .update: NSUpdatedObjectsKey
        case .deletion: NSDeletedObjectsKey
        }
    }

    @Test("is 134040 with the store, its objects and its error", arguments: Change.allCases)
    func error(change: Change) throws {
        _ = make(change)
        database(1).with { $0.saveFailures = [CocoaError(.fileWriteOutOfSpace)] }
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .persistentStoreIncompleteSave)
        #expect(error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stores[1]])
        #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [tag])
        let reason = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
        #expect(reason?.code == .fileWriteOutOfSpace)
    }

    @Test("leaves only that store's changes for the next save", arguments: Change.allCases)
    func nextSave(change: Change) throws {
        let object = make(change)
        database(1).with { $0.saveFailures = [CocoaError(.fileWriteOutOfSpace)] }
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
        #expect(context.updatedObjects == [tag])
        #expect(!object.hasChanges)
        for index in 0...1 { database(index).with { $0.requests = [] } }
        try context.save()
        #expect(database(0).with { $0.requests.count } == 0)
        #expect(database(1).row(tag.objectID)?.values["text"] as? String == "changed")
        #expect(!context.hasChanges)
    }

    @Test("announces what was saved, and the next save the rest", arguments: Change.allCases)
    func notifications(change: Change) throws {
        let object = make(change)
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextDidSave])
        database(1).with { $0.saveFailures = [CocoaError(.fileWriteOutOfSpace)] }
        #expect(throws: CocoaError.self) { try context.save() }
        #expect(recorder.objects(key(change)) == [object])
        #expect(change == .update || recorder.objects(NSUpdatedObjectsKey) == [])
        try context.save()
        #expect(recorder.all.count == 2)
        #expect(recorder.objects(NSUpdatedObjectsKey) == [tag])
        #expect(change == .update || recorder.objects(key(change)) == [])
    }

    @Test("is done when the merge policy resolves the conflict", arguments: Change.allCases)
    func resolved(change: Change) throws {
        let object = make(change)
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextDidSave])
        let conflict = NSMergeConflict(
            source: tag, newVersion: 2, oldVersion: 1, cachedSnapshot: nil,
            persistedSnapshot: nil)
        database(1).with { state in
            state.saveFailures = [
                CocoaError(
                    .managedObjectMerge,
                    userInfo: [NSPersistentStoreSaveConflictsErrorKey: [conflict]])
            ]
        }
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        #expect(database(1).row(tag.objectID)?.values["text"] as? String == "changed")
        #expect(recorder.all.count == 1)
        #expect(recorder.objects(key(change))?.contains(object) == true)
        #expect(recorder.objects(NSUpdatedObjectsKey)?.contains(tag) == true)
        #expect(!context.hasChanges)
    }

    @Test("is that store's error if it is the first one", arguments: Change.allCases)
    func first(change: Change) throws {
        _ = make(change)
        database(0).with { $0.saveFailures = [CocoaError(.fileWriteOutOfSpace)] }
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(database(1).row(tag.objectID)?.values["text"] as? String != "changed")
        try context.save()
        #expect(database(1).row(tag.objectID)?.values["text"] as? String == "changed")
    }

    @Test("because it is read-only changes neither of them", arguments: Change.allCases)
    func readOnly(change: Change) throws {
        let url = coordinator.url(for: stores[1])
        let tagURI = tag.objectID.uriRepresentation()
        try coordinator.remove(stores[1])
        _ = try coordinator.addPersistentStore(
            ofType: RecordingStore.storeType, configurationName: "Tags", at: url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let tagID = try #require(coordinator.managedObjectID(forURIRepresentation: tagURI))
        let tag = try context.existingObject(with: tagID)
        let object = make(change, tag)
        let requests = database(0).with { $0.requests.count }
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(database(0).with { $0.requests.count } == requests)
        #expect(object.hasChanges)
    }
}
