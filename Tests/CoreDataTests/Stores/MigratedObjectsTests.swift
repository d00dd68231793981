import CoreData
import Testing

/// What becomes of the objects of contexts when their store is migrated, as by an app's Save As.
@Suite("Objects in contexts while their store is migrated")
struct MigratedObjectsTests: Sendable {
    static let types = [
        NSInMemoryStoreType, RecordingStore.storeType, PropertyListStore.storeType,
        TextStore.storeType,
    ]

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
    let directory = try? TemporaryDirectory()
    let context: NSManagedObjectContext

    init() {
        _ = (RecordingStore.register, PropertyListStore.register, TextStore.register)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    private func url(_ type: String) throws -> URL {
        if type == RecordingStore.storeType {
            return URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        }
        return try #require(directory).url.appendingPathComponent(UUID().uuidString)
    }

    private func add(_ type: String) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: try url(type))
    }

    private func migrate(_ store: NSPersistentStore, to type: String) throws -> NSPersistentStore {
        try coordinator.migratePersistentStore(store, to: try url(type), withType: type)
    }

    private func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func insert(
        _ entity: String, into context: NSManagedObjectContext? = nil
    ) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context ?? self.context)
    }

    private func insertClock(_ label: String) -> NSManagedObject {
        let clock = insert("Clock")
        clock.setValue(label, forKey: "label")
        return clock
    }

    private func labels() throws -> [String] {
        let context = newContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
        return try context.performAndWait {
            try context.fetch(request).compactMap { $0.value(forKey: "label") as? String }.sorted()
        }
    }

    @Test(
        "Unsaved insertions, changes and deletions are saved to the new store",
        arguments: types, types)
    func unsaved(from old: String, to new: String) throws {
        try context.performAndWait {
            let store = try add(old)
            let (changed, deleted, kept) = (insertClock("a"), insertClock("b"), insertClock("c"))
            let folder = insert("Folder")
            folder.setValue("home", forKey: "name")
            changed.setValue(folder, forKey: "folder")
            try context.save()
            changed.setValue("changed", forKey: "label")
            context.delete(deleted)
            let inserted = insertClock("new")
            inserted.setValue(folder, forKey: "folder")
            let numbered = insertClock("numbered")
            try context.obtainPermanentIDs(for: [numbered])
            let migrated = try migrate(store, to: new)
            for object in [changed, kept, folder, deleted, numbered] {
                #expect(object.objectID.persistentStore === migrated)
                #expect(context.registeredObject(for: object.objectID) === object)
            }
            #expect(context.updatedObjects == [changed, folder])
            #expect(context.insertedObjects == [inserted, numbered])
            #expect(context.deletedObjects == [deleted])
            try context.save()
            #expect(try labels() == ["c", "changed", "new", "numbered"])
            // The objects are no others than those of the new store.
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            #expect(Set(try context.fetch(request)) == [changed, kept, inserted, numbered])
            let members = folder.value(forKey: "clocks") as? Set<NSManagedObject>
            #expect(members == [changed, inserted])
            kept.setValue("later", forKey: "label")
            try context.save()
            #expect(try labels() == ["changed", "later", "new", "numbered"])
        }
    }

    @Test("Faults are read from the new store", arguments: types)
    func faults(type: String) throws {
        try context.performAndWait {
            let store = try add(NSInMemoryStoreType)
            let (clock, folder) = (insertClock("a"), insert("Folder"))
            folder.setValue("home", forKey: "name")
            clock.setValue(folder, forKey: "folder")
            try context.save()
            context.refreshAllObjects()
            // The destination is known by its ID only.
            #expect(clock.value(forKey: "label") as? String == "a")
            let migrated = try migrate(store, to: type)
            #expect(folder.isFault)
            #expect(folder.value(forKey: "name") as? String == "home")
            #expect(clock.value(forKey: "folder") as? NSManagedObject === folder)
            #expect((folder.value(forKey: "clocks") as? Set<NSManagedObject>) == [clock])
            #expect(clock.objectID.persistentStore === migrated)
        }
    }

    @Test("Child contexts save through their parents", arguments: types)
    func children(type: String) throws {
        let store = try add(NSInMemoryStoreType)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        let (saved, inserted) = try context.performAndWait {
            let saved = insertClock("a")
            try context.save()
            return (saved.objectID, insertClock("parent").objectID)
        }
        child.performAndWait {
            child.object(with: saved).setValue("child", forKey: "label")
            child.object(with: inserted).setValue("both", forKey: "label")
            insert("Clock", into: child).setValue("new", forKey: "label")
        }
        let migrated = try migrate(store, to: type)
        try child.performAndWait {
            try child.save()
            let new = child.registeredObjects.filter(\.objectID.isTemporaryID)
            try child.obtainPermanentIDs(for: Array(new))
            #expect(child.registeredObjects.allSatisfy { !$0.objectID.isTemporaryID })
        }
        try context.performAndWait { try context.save() }
        #expect(try labels() == ["both", "child", "new"])
        #expect(try stores(of: "Clock") == [migrated, migrated, migrated])
    }

    @Test("Every context of the coordinator goes on, and conflicts are still found")
    func otherContexts() throws {
        let store = try add(NSInMemoryStoreType)
        context.retainsRegisteredObjects = true
        let objectID = try context.performAndWait {
            let clock = insertClock("a")
            try context.save()
            return clock.objectID
        }
        let other = newContext()
        other.performAndWait { other.object(with: objectID).setValue("other", forKey: "label") }
        _ = try migrate(store, to: RecordingStore.storeType)
        try other.performAndWait { try other.save() }
        #expect(try labels() == ["other"])
        try context.performAndWait {
            let stale = try #require(context.registeredObjects.first)
            stale.setValue("stale", forKey: "label")
            #expect(throws: CocoaError.self) { try context.save() }
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
        }
        #expect(try labels() == ["stale"])
    }

    @Test("A context whose queue is busy follows when it saves or fetches")
    func busyContext() throws {
        nonisolated(unsafe) let store = try add(NSInMemoryStoreType)
        let other = newContext()
        try other.performAndWait {
            let clock = insert("Clock", into: other)
            clock.setValue("a", forKey: "label")
            try other.save()
            clock.setValue("b", forKey: "label")
            // Meanwhile another thread, for which this one waits, migrates the store.
            let migration = MigrationThread { try migrate(store, to: RecordingStore.storeType) }
            let new = try migration.wait()
            #expect(
                try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Clock")) == [clock])
            #expect(clock.objectID.persistentStore === new)
            try other.save()
        }
        #expect(try labels() == ["b"])
    }

    @Test("A context that merges automatically is not told of the copies")
    func automaticMerging() throws {
        try context.performAndWait {
            context.automaticallyMergesChangesFromParent = true
            let store = try add(NSInMemoryStoreType)
            let clock = insertClock("a")
            try context.save()
            let recorder = NotificationRecorder(context, [.NSManagedObjectContextObjectsDidChange])
            _ = try migrate(store, to: RecordingStore.storeType)
            #expect(recorder.all.isEmpty)
            #expect(context.registeredObjects == [clock])
        }
    }

    @Test("An undo goes on, and brings back what was deleted before as a new object")
    func undo() throws {
        try context.performAndWait {
            context.undoManager = UndoManager()
            let store = try add(NSInMemoryStoreType)
            let (changed, deleted) = (insertClock("a"), insertClock("b"))
            try context.save()
            context.undoManager?.removeAllActions()
            context.delete(deleted)
            try context.save()
            changed.setValue("changed", forKey: "label")
            let migrated = try migrate(store, to: RecordingStore.storeType)
            try context.save()
            context.undo()
            #expect(changed.value(forKey: "label") as? String == "a")
            context.undo()
            #expect(context.insertedObjects == [deleted])
            try context.save()
            #expect(deleted.objectID.persistentStore === migrated)
            #expect(try labels() == ["a", "b"])
        }
    }

    @Test("The new store takes the old one's place among several")
    func place() throws {
        let (first, second) = (try add(NSInMemoryStoreType), try add(NSInMemoryStoreType))
        let new = try migrate(first, to: RecordingStore.storeType)
        #expect(coordinator.persistentStores == [new, second])
        try context.performAndWait {
            _ = insertClock("a")
            try context.save()
        }
        #expect(try stores(of: "Clock") == [new])
    }

    private func stores(of entity: String) throws -> [NSPersistentStore?] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        let context = newContext()
        return try context.performAndWait { try context.fetch(request) }.map(\.persistentStore)
    }

    @Test("An object that was assigned to the old store is saved to the new one")
    func assigned() throws {
        nonisolated(unsafe) let first = try add(NSInMemoryStoreType)
        nonisolated(unsafe) let second = try add(NSInMemoryStoreType)
        try context.performAndWait {
            let clock = insertClock("a")
            context.assign(clock, to: second)
            let new = try migrate(second, to: RecordingStore.storeType)
            try context.save()
            #expect(clock.objectID.persistentStore === new)
            #expect(coordinator.persistentStores == [first, new])
        }
    }

    @Test("A migration that fails leaves the objects as they were")
    func failure() throws {
        try context.performAndWait {
            let store = try add(NSInMemoryStoreType)
            let clock = insertClock("a")
            try context.save()
            clock.setValue("b", forKey: "label")
            let url = try url(RecordingStore.storeType)
            RecordingDatabase.at(url).with { $0.saveFailures = [CocoaError(.fileWriteOutOfSpace)] }
            #expect(throws: CocoaError.self) {
                try coordinator.migratePersistentStore(
                    store, to: url, withType: RecordingStore.storeType)
            }
            #expect(clock.objectID.persistentStore === store)
            try context.save()
            #expect(try labels() == ["b"])
        }
    }
}

/// Runs a block on a thread of its own.
///
/// Unchecked because the result is read after the thread has signaled its end.
private final class MigrationThread: @unchecked Sendable {
    private let end = DispatchSemaphore(value: 0)
    private var result: Result<NSPersistentStore, any Error>?

    init(_ block: @escaping () throws -> NSPersistentStore) {
        let block = UncheckedBlock(run: block)
        Thread.detachNewThread {
            self.result = Result { try block.run() }
            self.end.signal()
        }
    }

    private struct UncheckedBlock: @unchecked Sendable {
        let run: () throws -> NSPersistentStore
    }

    func wait() throws -> NSPersistentStore {
        end.wait()
        return try #require(result).get()
    }
}
