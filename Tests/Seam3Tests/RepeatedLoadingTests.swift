import CoreData
import Testing

@testable import Seam3

@Suite("Metadata that is loaded again at any time", .tags(.migrationIsWhole))
struct RepeatedLoadingTests {
    /// With this option, each access to a store's metadata loads it again on Linux, as it may on Apple's systems.
    private static let loadsAgain: [AnyHashable: Any] = [
        "_NSLoadsMetadataAgain": true as NSNumber
    ]

    private static func add(
        _ url: URL, _ model: NSManagedObjectModel, _ options: [AnyHashable: Any] = [:]
    ) throws -> (store: SMStore, coordinator: NSPersistentStoreCoordinator) {
        SMStore.registerStoreClass()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: url,
            options: loadsAgain.merging(options) { $1 })
        let smStore = try #require(store as? SMStore)
        smStore.syncAutomatically = false
        return (smStore, coordinator)
    }

    private static func model(_ attributes: String...) -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Item", attributes.map { NSAttributeDescription($0, .stringAttributeType) }))
    }

    // In a separate process, which an endless recursion would end.
    @Test("A file that waits for a mapping model is refused if there is none")
    func awaitedMapping() async {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            let (store, coordinator) = try Self.add(folder.store, Self.model("name"))
            try coordinator.remove(store)
            let error = #expect(throws: CocoaError.self) {
                _ = try Self.add(
                    folder.store, Self.model("name", "note"),
                    [
                        NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
                        NSInferMappingModelAutomaticallyOption: false as NSNumber,
                    ])
            }
            #expect(error?.code == .migrationMissingSourceModel)
        }
    }

    @Test("A file is migrated once by its mapping model")
    func mapped() throws {
        let folder = try TestFolder()
        let (old, new) = (Self.model("name"), Self.model("name", "note"))
        let (store, coordinator) = try Self.add(folder.store, old)
        try coordinator.remove(store)
        let target = folder.url.appendingPathComponent("New.sqlite")
        try SMMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: folder.store, sourceType: SMStore.type, options: Self.loadsAgain,
            with: .inferredMappingModel(forSourceModel: old, destinationModel: new),
            toDestinationURL: target, destinationType: SMStore.type,
            destinationOptions: Self.loadsAgain)
        let (migrated, _) = try Self.add(target, new)
        #expect(try migrated.checkInvariants().isEmpty)
    }

    @Test("A store that is removed stays closed, and keeps its metadata")
    func removed() throws {
        let folder = try TestFolder()
        let (store, coordinator) = try Self.add(folder.store, Self.model("name"))
        let identifier = store.identifier
        // The store still has its coordinator.
        store.willRemove(from: coordinator)
        try store.loadMetadata()
        #expect(store.metadata?[NSStoreUUIDKey] as? String == identifier)
        #expect(store.identifier == identifier)
        #expect(store.engine == nil)
        #expect(throws: SMStoreError.self) { try store.openedDatabase() }
        // The last connection removes the log.
        #expect(!FileManager.default.fileExists(atPath: folder.store.path + "-wal"))
        try coordinator.remove(store)
    }

    @Test("A migrated file's metadata have no digest and no checksum of the former model")
    func digest() throws {
        let folder = try TestFolder()
        let (old, new) = (Self.model("name"), Self.model("name", "note"))
        let keys = ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"]
        var stack = try StoreStack(at: folder.store, model: old)
        try stack.add("Item", "a")
        try stack.close()
        let former = try SMStore.metadataForPersistentStore(with: folder.store)
        for _ in 1...2 {
            stack = try StoreStack(at: folder.store, model: new)
            try stack.add("Item", "b")
            try stack.close()
            let present = try SMStore.metadataForPersistentStore(with: folder.store)
            #expect(new.isConfiguration(withName: nil, compatibleWithStoreMetadata: present))
            for key in keys {
                #expect((former[key] as? String).map { $0 != present[key] as? String } ?? true)
            }
        }
    }
}
