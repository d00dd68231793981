import Testing

@testable import CoreData

/// A store's source model is searched for among the versions of `Gallery.xcdatamodeld`, a resource
/// of this target.
@Suite struct AutomaticMigrationTests {
    let directory: TemporaryDirectory
    let first: NSManagedObjectModel
    let second: NSManagedObjectModel

    init() throws {
        directory = try TemporaryDirectory()
        let gallery = try #require(
            Bundle.module.url(forResource: "Gallery", withExtension: "xcdatamodeld"))
        first = try NSManagedObjectModel(
            readingFrom: gallery.appendingPathComponent("Gallery.xcdatamodel"))
        second = try NSManagedObjectModel(
            readingFrom: gallery.appendingPathComponent("Gallery 2.xcdatamodel"))
    }

    var url: URL { directory.url.appendingPathComponent("gallery.plist") }

    private let both: [AnyHashable: Any] = [
        NSMigratePersistentStoresAutomaticallyOption: true,
        NSInferMappingModelAutomaticallyOption: true,
    ]

    private func fill(_ model: NSManagedObjectModel) throws {
        let context = try MigrationFixture.context(model, at: url)
        for title in ["Nightwatch", "Milkmaid"] {
            NSEntityDescription.insertNewObject(forEntityName: "GalleryPicture", into: context)
                .setValue(title, forKey: "title")
        }
        try context.save()
    }

    @Test("A store of an older model is migrated in place when it is added")
    func migrates() throws {
        try fill(first)
        let context = try MigrationFixture.context(second, at: url, options: both)
        let pictures = try MigrationFixture.objects("GalleryPicture", by: "name", in: context)
        #expect(pictures.keys.sorted() == ["Milkmaid", "Nightwatch"])
        #expect(pictures["Milkmaid"]?.value(forKey: "room") as? Int == 1)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == [
                "gallery.plist"
            ])
        // The second time there is nothing to migrate.
        _ = try MigrationFixture.context(second, at: url)
    }

    @Test("A container migrates automatically")
    func container() throws {
        try fill(first)
        let container = NSPersistentContainer(name: "Gallery", managedObjectModel: second)
        let description = NSPersistentStoreDescription(url: url)
        description.type = PropertyListStore.storeType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        #expect(failure == nil)
        let request = NSFetchRequest<NSManagedObject>(entityName: "GalleryPicture")
        #expect(try container.viewContext.count(for: request) == 2)
    }

    private func failure(
        _ model: NSManagedObjectModel, _ options: [AnyHashable: Any]?
    ) throws -> CocoaError? {
        let before = try Data(contentsOf: url)
        let error = #expect(throws: CocoaError.self) {
            _ = try MigrationFixture.context(model, at: url, options: options)
        }
        #expect(try Data(contentsOf: url) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).count == 1)
        return error
    }

    @Test("Without the option there is 134100")
    func notAsked() throws {
        try fill(first)
        #expect(try failure(second, nil)?.code == .persistentStoreIncompatibleVersionHash)
    }

    @Test("Without a mapping model, found or inferred, there is 134140")
    func noMapping() throws {
        try fill(first)
        let options = [NSMigratePersistentStoresAutomaticallyOption: true]
        #expect(try failure(second, options)?.code == .migrationMissingMappingModel)
    }

    @Test("If no mapping can be inferred, the error is 134140 with the reason underneath")
    func notInferable() throws {
        try fill(first)
        let model = NSManagedObjectModel()
        let picture = NSEntityDescription()
        picture.name = "GalleryPicture"
        picture.properties = [TestModel.attribute("title", .dateAttributeType)]
        model.entities = [picture]
        let error = try failure(model, both)
        #expect(error?.code == .migrationMissingMappingModel)
        let underlying = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
        #expect(underlying?.code == .inferredMappingModel)
        #expect(underlying?.userInfo["property"] as? String == "title")
    }

    @Test("Without the source model there is 134130")
    func noSourceModel() throws {
        let model = NSManagedObjectModel()
        let picture = NSEntityDescription()
        picture.name = "GalleryPicture"
        picture.versionHashModifier = "nowhere"
        picture.properties = [TestModel.attribute("title", .stringAttributeType)]
        model.entities = [picture]
        try fill(model)
        #expect(try failure(second, both)?.code == .migrationMissingSourceModel)
    }

    @Test("A migration that fails is 134110 and leaves the store unchanged")
    func invalid() throws {
        try fill(first)
        let model = try #require(second.copy() as? NSManagedObjectModel)
        let code = TestModel.attribute("code", .stringAttributeType, optional: false)
        model.entitiesByName["GalleryPicture"]?.properties.append(code)
        let error = try failure(model, both)
        #expect(error?.code == .migration)
        #expect(error?.userInfo["attribute"] as? String == "code")
    }
}

@Suite struct StoreReplacementTests {
    let directory: TemporaryDirectory
    let url: URL
    let replacement: StoreReplacement

    init() throws {
        directory = try TemporaryDirectory()
        url = directory.url.appendingPathComponent("a.sqlite")
        replacement = StoreReplacement(of: url)
        try Data("old".utf8).write(to: url)
        try Data("old wal".utf8).write(to: wal(url))
        try replacement.recover()
        try Data("new".utf8).write(to: replacement.url)
    }

    private func wal(_ url: URL) -> URL { URL(fileURLWithPath: url.path + "-wal") }

    private func text(_ url: URL) -> String? {
        FileManager.default.contents(atPath: url.path).map { String(decoding: $0, as: UTF8.self) }
    }

    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted()) ?? []
    }

    @Test("Committing replaces the store and its companions, and leaves nothing behind")
    func commit() throws {
        try replacement.commit()
        #expect(text(url) == "new")
        #expect(names == ["a.sqlite"])
    }

    @Test("The new store is beside the old one, under a hidden name of its own")
    func destination() {
        #expect(replacement.url.deletingLastPathComponent().path == directory.url.path)
        #expect(replacement.url.lastPathComponent.hasPrefix(".a.sqlite.migrationdestination_"))
    }

    @Test("Only the files of the database replace those of the old store")
    func support() throws {
        let folders = [".a_SUPPORT", "..a.sqlite_SUPPORT"].map(directory.url.appendingPathComponent)
        for folder in folders {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try replacement.commit()
        #expect(names == ["..a.sqlite_SUPPORT", ".a_SUPPORT", "a.sqlite"])
    }

    /// Moves files into the folder of an unfinished replacement.
    private func move(_ files: [URL], to folder: String) throws {
        let folder = directory.url.appendingPathComponent(".a.sqlite.migration/\(folder)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            let name = file == replacement.url ? "a.sqlite" : file.lastPathComponent
            try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent(name))
        }
    }

    @Test("A replacement that was interrupted before its decision is undone")
    func undone() throws {
        try move([url], to: "old")
        try StoreReplacement(of: url).recover()
        #expect(text(url) == "old")
        #expect(text(wal(url)) == "old wal")
        #expect(names == ["a.sqlite", "a.sqlite-wal"])
    }

    @Test("A replacement that was interrupted after its decision is completed")
    func completed() throws {
        try move([replacement.url], to: "new")
        try move([url, wal(url)], to: "old")
        try FileManager.default.moveItem(
            at: directory.url.appendingPathComponent(".a.sqlite.migration"),
            to: directory.url.appendingPathComponent(".a.sqlite.migrated"))
        try StoreReplacement(of: url).recover()
        #expect(text(url) == "new")
        #expect(names == ["a.sqlite"])
    }
}
