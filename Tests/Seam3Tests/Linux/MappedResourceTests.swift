import CoreData
import Seam3
import Testing

/// A mapping model among a target's resources in Xcode's source format, which is not compiled on
/// Linux.
@Suite("A mapping model in the resources", .tags(.migrationIsWhole)) struct MappedResourceTests {
    /// The versions of the model next to it.
    private enum Atlas {
        static func version(_ name: String) throws -> NSManagedObjectModel {
            let model = try #require(
                Bundle.module.url(forResource: "Atlas", withExtension: "xcdatamodeld"))
            return try #require(
                NSManagedObjectModel(
                    contentsOf: model.appendingPathComponent("\(name).xcdatamodel")))
        }
    }

    private static let options: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: true as NSNumber,
        NSInferMappingModelAutomaticallyOption: true as NSNumber,
    ]

    static func fill(_ context: NSManagedObjectContext) throws {
        func insert(_ entity: String, _ key: String, _ value: String) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValue(value, forKey: key)
            return object
        }
        let alps = insert("AtlasRegion", "name", "Alps")
        for (name, height) in [("Eiger", 3967), ("Matterhorn", 4478)] {
            let place = insert("AtlasPlace", "name", name)
            place.setValue(height, forKey: "height")
            place.setValue(alps, forKey: "region")
        }
        _ = insert("AtlasPlace", "name", "Sea")
        _ = insert("AtlasDraft", "text", "old")
        try context.save()
    }

    /// The places of a migrated store, with their regions.
    static func lines(_ context: NSManagedObjectContext) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "AtlasPlace")
        return try context.fetch(request).map { place in
            let areas = place.value(forKey: "areas") as? Set<NSManagedObject> ?? []
            let labels = areas.compactMap { $0.value(forKey: "label") as? String }
            let title = place.value(forKey: "title") as? String ?? "-"
            return "\(title) \(place.value(forKey: "height") ?? "-") \(labels)"
        }
        .sorted()
    }

    static let migrated = ["EIGER 3967 [\"ALPS\"]", "MATTERHORN 4478 [\"ALPS\"]", "SEA - []"]

    @Test("is found there")
    func found() throws {
        let model = NSMappingModel(
            from: nil, forSourceModel: try Atlas.version("Atlas"),
            destinationModel: try Atlas.version("Atlas 2"))
        #expect(
            model?.entityMappings.map(\.name) == [
                "AtlasPlaceToAtlasPlace", "AtlasRegionToAtlasRegion", "AtlasDraft", "AtlasSheet",
            ])
        #expect(
            NSMappingModel(
                from: nil, forSourceModel: try Atlas.version("Atlas 2"),
                destinationModel: try Atlas.version("Atlas")) == nil)
    }

    @Test("migrates a store when it is opened, before a mapping is inferred")
    func opened() throws {
        let folder = try TestFolder()
        let old = try StoreStack(at: folder.store, model: Atlas.version("Atlas"))
        try old.perform(Self.fill)
        try old.close()
        let new = try StoreStack(
            at: folder.store, model: Atlas.version("Atlas 2"), options: Self.options)
        #expect(try new.perform(Self.lines) == Self.migrated)
        #expect(try new.store.checkInvariants().isEmpty)
        try new.close()
        // The second time there is nothing to migrate.
        let again = try StoreStack(at: folder.store, model: Atlas.version("Atlas 2"))
        #expect(try again.perform(Self.lines) == Self.migrated)
        try again.close()
    }

    // In a separate process, because other tests register no class for the type.
    @Test("migrates a store of Core Data's SQLite type as well")
    func sqliteType() async {
        await #expect(processExitsWith: .success) {
            SMStore.registerForSQLiteStoreType()
            let folder = try TestFolder()
            for name in ["Atlas", "Atlas 2"] {
                let container = NSPersistentContainer(
                    name: "Atlas", managedObjectModel: try Atlas.version(name))
                container.persistentStoreDescriptions = [
                    NSPersistentStoreDescription(url: folder.store)
                ]
                container.loadPersistentStores { _, error in
                    if let error { fatalError("\(error)") }
                }
                let context = container.newBackgroundContext()
                try context.performAndWait {
                    if name == "Atlas" {
                        try MappedResourceTests.fill(context)
                    } else {
                        let lines = try MappedResourceTests.lines(context)
                        precondition(lines == MappedResourceTests.migrated, "\(lines)")
                    }
                }
                let coordinator = container.persistentStoreCoordinator
                for store in coordinator.persistentStores { try coordinator.remove(store) }
            }
        }
    }
}
