import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The store") struct StoreTests {
    let cloud = LocalCloud.inMemory()

    @Test("is loaded through a description and keeps objects over a relaunch")
    func relaunch() throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home", "position": 3])
        try device.relaunch()
        #expect(try device.value("position", of: "home") == 3)
    }

    @Test("is added to a coordinator by its type")
    func addPersistentStore() throws {
        SMStore.registerStoreClass()
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("StoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ClockModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: SeamStoreType, configurationName: nil,
            at: directory.appendingPathComponent("Clocks.sqlite"), options: nil)
        #expect(store is SMStore)
        #expect(store.type == "Seam3.SMStore")
        #expect(store.identifier == store.metadata?[NSStoreUUIDKey] as? String)
    }

    @Test("finds the object of a persisted URI after a relaunch, and it is the fetched one")
    func persistedURI() throws {
        let device = try Device(on: cloud)
        let uri = try device.add("Clock", ["label": "home"]).uriRepresentation()
        try device.relaunch()
        let id = try #require(
            device.container.persistentStoreCoordinator.managedObjectID(
                forURIRepresentation: uri))
        try device.read { context in
            let found = try context.existingObject(with: id)
            #expect(found.value(forKey: "label") as? String == "home")
            #expect(try Device.clock("home", in: context) === found)
            #expect(try Device.clock("home", in: context).objectID == id)
        }
    }

    @Test("gives no row a spurious conflict on the second save")
    func secondSave() throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home"])
        for note in ["one", "two", "three"] { try device.change("home", ["note": note]) }
        #expect(try device.value("note", of: "home") == "three")
    }

    @Test("finds a conflict between two contexts")
    func conflictBetweenContexts() throws {
        let device = try Device(on: cloud)
        let id = try device.add("Clock", ["label": "home", "note": "old"])
        let other = device.container.newBackgroundContext()
        // The context holds its objects weakly, so the test has to hold this one.
        let held = try device.read { context in
            let clock = try context.existingObject(with: id)
            #expect(clock.value(forKey: "note") as? String == "old")
            return clock
        }
        device.context.automaticallyMergesChangesFromParent = false
        try other.performAndWait {
            try other.existingObject(with: id).setValue("theirs", forKey: "note")
            try other.save()
        }
        let error = #expect(throws: CocoaError.self) {
            try device.edit { _ in held.setValue("mine", forKey: "note") }
        }
        #expect(error?.code == .managedObjectMerge)
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.map(\.sourceObject.objectID) == [id])
    }

    @Test("tells of a vanished row as Core Data does")
    func vanishedRow() throws {
        let device = try Device(on: cloud)
        let id = try device.add("Clock", ["label": "home"])
        try device.delete("home")
        let other = device.container.newBackgroundContext()
        let error = other.performAndWait {
            #expect(throws: CocoaError.self) { try other.existingObject(with: id) }
        }
        #expect(error?.code == .managedObjectReferentialIntegrity)
    }

    @Test("refuses a request of another kind with Core Data's error")
    func unknownRequest() throws {
        let device = try Device(on: cloud)
        let request = NSPersistentStoreRequest()
        let error = #expect(throws: CocoaError.self) {
            try device.read { context in _ = try context.execute(request) }
        }
        #expect(error?.code.rawValue == 134091)
    }

    @Test("refuses a model that cannot be synchronised, naming each property")
    func unsupportedModel() throws {
        let model = ClockModel.make()
        let zone = try #require(model.entitiesByName["Zone"])
        let odd = NSAttributeDescription()
        odd.name = "_odd"
        odd.attributeType = .stringAttributeType
        let lonely = NSRelationshipDescription()
        lonely.name = "lonely"
        lonely.destinationEntity = zone
        zone.properties += [odd, lonely]
        let error = #expect(throws: SMStoreError.self) { try Device(on: cloud, model: model) }
        #expect(error?.description.contains("Zone._odd") == true)
        #expect(error?.description.contains("Zone.lonely") == true)
    }

    @Test("refuses a file that is not its own, and leaves it alone")
    func foreignFile() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("StoreTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appendingPathComponent("text.sqlite")
        let text = Data(String(repeating: "This is no database. ", count: 100).utf8)
        try text.write(to: url)
        SMStore.registerStoreClass()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ClockModel.make())
        #expect(throws: SMStoreError.self) {
            try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil, at: url, options: nil)
        }
        #expect(try Data(contentsOf: url) == text)
    }

    @Test("keeps names that SQL would trip over")
    func hostileNames() throws {
        let entity = NSEntityDescription()
        entity.name = "Transaction"
        let names = ["order", "id", "group", "select", "pk", "Entity", "version", "Order", "rowid"]
        entity.properties = names.map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let device = try Device(on: cloud, model: model)
        let id = try device.add(
            "Transaction", Dictionary(uniqueKeysWithValues: names.map { ($0, "<\($0)>") }))
        let fresh = device.container.newBackgroundContext()
        try fresh.performAndWait {
            let object = try fresh.existingObject(with: id)
            for name in names { #expect(object.value(forKey: name) as? String == "<\(name)>") }
        }
    }

    @Test("shares nothing with another store of the same process")
    func twoStores() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: LocalCloud.inMemory())
        #expect(a.store.identifier != b.store.identifier)
        try a.add("Clock", ["label": "only a"])
        try await a.store.sync()
        try await b.store.sync()
        #expect(try b.table().isEmpty)
        #expect(try b.store.syncStatus().pendingChangeCount == 0)
    }
}
