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

    @Test("finds the object of a persisted URI after a relaunch, identical to the fetched one")
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

    @Test("refuses a model that cannot be synced, naming each property")
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

    @Test("refuses a file that is not its own, and leaves it unchanged", .tags(.noCrashFromOutside))
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

    @Test("shares nothing with another store of the same process", .tags(.stateIsPerStore))
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
