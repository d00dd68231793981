import CoreData
import Testing

@Suite struct StoreFileTests {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "StoreFileTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = RecordingStore.register
    }

    func write(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        try Data(name.utf8).write(to: url)
        return url
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    @Test("Destroying removes what SQLite keeps beside the file, and leaves an empty one")
    func destroy() throws {
        let url = try write("a.sqlite")
        _ = try write("a.sqlite-wal")
        _ = try write("a.sqlite-shm")
        _ = try write("b.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try coordinator.destroyPersistentStore(at: url, ofType: RecordingStore.storeType)
        #expect(!exists("a.sqlite-wal") && !exists("a.sqlite-shm"))
        #expect(try Data(contentsOf: url).isEmpty)
        #expect(exists("b.sqlite"))
        try coordinator.destroyPersistentStore(at: url, ofType: RecordingStore.storeType)
        #expect(exists("a.sqlite"))
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Destroying a store that is not there leaves an empty file")
    func destroyMissing() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let url = folder.appendingPathComponent("none.sqlite")
        try coordinator.destroyPersistentStore(at: url, ofType: RecordingStore.storeType)
        #expect(try Data(contentsOf: url).isEmpty)
        try FileManager.default.removeItem(at: folder)
        #expect(throws: (any Error).self) {
            try coordinator.destroyPersistentStore(at: url, ofType: RecordingStore.storeType)
        }
    }

    @Test("Replacing copies the source over the destination")
    func replace() throws {
        let source = try write("a.sqlite")
        _ = try write("a.sqlite-wal")
        let destination = try write("b.sqlite")
        _ = try write("b.sqlite-shm")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try coordinator.replacePersistentStore(
            at: destination, withPersistentStoreFrom: source, ofType: RecordingStore.storeType)
        #expect(try Data(contentsOf: destination) == Data("a.sqlite".utf8))
        #expect(exists("b.sqlite-wal") && !exists("b.sqlite-shm") && exists("a.sqlite"))
        #expect(throws: CocoaError.self) {
            try coordinator.replacePersistentStore(
                at: destination, withPersistentStoreFrom: folder.appendingPathComponent("none"),
                ofType: RecordingStore.storeType)
        }
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A migration to another store copies objects and relationships of every kind")
    func migrate() throws {
        let stack = try TestStack()
        let (folder, clock) = (stack.insertFolder("Home"), stack.insertClock("noon"))
        clock.folder = folder
        let tags = (0..<3).map { _ in stack.insert("Tag") }
        clock.setValue(Set(tags), forKey: "tags")
        let stops = (0..<3).map { index in
            let stop = stack.insert("Stop")
            stop.setValue("\(index)", forKey: "title")
            return stop
        }
        folder.setValue(NSOrderedSet(array: stops.reversed()), forKey: "stops")
        stack.insert("AlarmClock").setValue("alarm", forKey: "label")
        try stack.context.save()
        let old = try #require(stack.coordinator.persistentStores.first)
        let url = URL(fileURLWithPath: "/recording/\(UUID().uuidString)")
        let new = try stack.coordinator.migratePersistentStore(
            old, to: url, withType: RecordingStore.storeType)
        #expect(stack.coordinator.persistentStores == [new])
        let context = stack.newContext()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        let clocks = try context.fetch(request)
        #expect(clocks.map(\.label) == ["alarm", "noon"])
        #expect(clocks.first is AlarmClock)
        #expect(clocks.last?.folder?.value(forKey: "name") as? String == "Home")
        #expect((clocks.last?.value(forKey: "tags") as? Set<NSManagedObject>)?.count == 3)
        let ordered = clocks.last?.folder?.value(forKey: "stops") as? NSOrderedSet
        let titles = ordered?.array.map {
            ($0 as? NSManagedObject)?.value(forKey: "title") as? String
        }
        #expect(titles == ["2", "1", "0"])
        #expect(RecordingDatabase.at(url).with { $0.rows.count } == 9)
    }

    @Test("A history request goes to the store, and one that keeps none throws 134091")
    func history() throws {
        let stack = try TestStack()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
        #expect(stack.database.with { $0.requests.last } === request)
    }
}
