import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("The folder of large data belongs to one file, whatever is copied, renamed or moved")
struct ExternalDataOwnershipTests {
    let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func url(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func open(
        _ url: URL, _ model: NSManagedObjectModel = PhotoModel.make(),
        options: [String: NSObject] = [:]
    ) throws -> StoreStack {
        try StoreStack(at: url, model: model, options: options)
    }

    /// Runs a closure with a store, which is open only meanwhile.
    private func with<T>(_ url: URL, _ body: (StoreStack) throws -> T) throws -> T {
        let stack = try open(url)
        let result = try body(stack)
        try stack.close()
        return result
    }

    /// Creates a store with photos: the first bytes of their data, by name.
    private func create(_ url: URL, _ photos: [String: UInt8] = ["a": 1, "b": 2]) throws {
        try with(url) { stack in
            try stack.perform { context in
                for (name, byte) in photos {
                    let photo = NSEntityDescription.insertNewObject(
                        forEntityName: "Photo", into: context)
                    photo.setValue(name, forKey: "name")
                    photo.setValue(PhotoModel.data(byte), forKey: "data")
                }
                try context.save()
            }
        }
    }

    /// The first bytes of the data of photos, by name; 0 for photos without data.
    private func photos(_ stack: StoreStack) throws -> [String: UInt8] {
        try stack.perform { context in
            context.reset()
            return Dictionary(
                try Device.all("Photo", in: context).map { photo in
                    let data = photo.value(forKey: "data") as? Data
                    return (photo.value(forKey: "name") as? String ?? "", data?.first ?? 0)
                }
            ) { first, _ in first }
        }
    }

    private func photos(at url: URL) throws -> [String: UInt8] { try with(url, photos) }

    private func delete(_ name: String, at url: URL) throws {
        try with(url) { stack in
            try stack.perform { context in
                context.delete(try Device.object("Photo", name, in: context))
                try context.save()
            }
        }
    }

    /// Copies or moves the files of SQLite, and nothing else.
    private func transfer(_ from: URL, to: URL, isCopy: Bool) throws {
        let files = FileManager.default
        for suffix in ["", "-wal"] where files.fileExists(atPath: from.path + suffix) {
            if isCopy {
                try files.copyItem(atPath: from.path + suffix, toPath: to.path + suffix)
            } else {
                try files.moveItem(atPath: from.path + suffix, toPath: to.path + suffix)
            }
        }
    }

    private let both: [String: UInt8] = ["a": 1, "b": 2]

    // MARK: - Copies and moves

    @Test("A file that is renamed without its folder has its data, and the old folder is removed")
    func rename() throws {
        try create(url("Old.sqlite"))
        try transfer(url("Old.sqlite"), to: url("New.sqlite"), isCopy: false)
        #expect(try photos(at: url("New.sqlite")) == both)
        #expect(try photos(at: url("New.sqlite")) == both)
        #expect(try ExternalFolder.supportFolders(in: folder.url) == [".New_SUPPORT"])
        try delete("a", at: url("New.sqlite"))
        #expect(try photos(at: url("New.sqlite")) == ["b": 2])
        #expect(ExternalFolder(ofStoreAt: url("New.sqlite")).names.count == 1)
    }

    @Test(
        "A copy of a file without its folder and the original have the data of both, whatever the other deletes",
        arguments: [true, false])
    func copy(opensOriginalFirst: Bool) throws {
        let (original, copy) = (url("Original.sqlite"), url("Copy.sqlite"))
        try create(original)
        try transfer(original, to: copy, isCopy: true)
        if opensOriginalFirst { #expect(try photos(at: original) == both) }
        #expect(try photos(at: copy) == both)
        try delete("a", at: copy)
        #expect(try photos(at: original) == both)
        try delete("b", at: original)
        #expect(try photos(at: copy) == ["b": 2])
        #expect(try photos(at: original) == ["a": 1])
        for file in [original, copy] {
            #expect(ExternalFolder(ofStoreAt: file).names.count == 1)
        }
    }

    @Test("A copy that replaces another store has its data, and what the other had is removed")
    func replacement() throws {
        try create(url("Old.sqlite"), ["c": 3])
        try create(url("New.sqlite"))
        try FileManager.default.removeItem(at: url("Old.sqlite"))
        try transfer(url("New.sqlite"), to: url("Old.sqlite"), isCopy: true)
        #expect(try photos(at: url("Old.sqlite")) == both)
        #expect(ExternalFolder(ofStoreAt: url("Old.sqlite")).all.count == 1)
        #expect(try photos(at: url("New.sqlite")) == both)
    }

    @Test("A file that is renamed while another store takes its name keeps its data")
    func swap() throws {
        try create(url("Store.sqlite"))
        try transfer(url("Store.sqlite"), to: url("Kept.sqlite"), isCopy: false)
        try create(url("Store.sqlite"), ["c": 3])
        #expect(try photos(at: url("Kept.sqlite")) == both)
        #expect(try photos(at: url("Store.sqlite")) == ["c": 3])
    }

    @Test("A file and its folder have the data in another place, and under another name")
    func together() throws {
        try create(url("Store.sqlite"))
        let place = url("Elsewhere")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        for name in ["Store.sqlite", ".Store_SUPPORT"] {
            try FileManager.default.moveItem(at: url(name), to: place.appendingPathComponent(name))
        }
        #expect(try photos(at: place.appendingPathComponent("Store.sqlite")) == both)
        for (old, new) in [("Store.sqlite", "Other.sqlite"), (".Store_SUPPORT", ".Other_SUPPORT")] {
            try FileManager.default.moveItem(
                at: place.appendingPathComponent(old), to: place.appendingPathComponent(new))
        }
        #expect(try photos(at: place.appendingPathComponent("Other.sqlite")) == both)
        #expect(
            ExternalFolder(ofStoreAt: place.appendingPathComponent("Other.sqlite")).all.count == 1)
    }

    @Test("A file that is moved without its folder has its data when the folder follows")
    func late() throws {
        try create(url("Store.sqlite"))
        let place = url("Elsewhere")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let moved = place.appendingPathComponent("Store.sqlite")
        try transfer(url("Store.sqlite"), to: moved, isCopy: false)
        #expect(try photos(at: moved) == ["a": 0, "b": 0])
        // Data that nothing refers to stays as long as other data is missing.
        let left = ExternalFolder(ofStoreAt: moved).url
            .appendingPathComponent("\(UUID().uuidString).data")
        try Data([1]).write(to: left)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: left.path)
        #expect(try photos(at: moved) == ["a": 0, "b": 0])
        #expect(FileManager.default.fileExists(atPath: left.path))
        try FileManager.default.moveItem(
            at: url(".Store_SUPPORT"), to: place.appendingPathComponent(".Old_SUPPORT"))
        #expect(try photos(at: moved) == both)
        #expect(!FileManager.default.fileExists(atPath: left.path))
    }

    @Test("Two files that differ only in their extensions do not remove each other's data")
    func extensions() throws {
        try create(url("Store.sqlite"))
        try create(url("Store.db"), ["c": 3])
        for _ in 1...2 {
            #expect(try photos(at: url("Store.sqlite")) == both)
            #expect(try photos(at: url("Store.db")) == ["c": 3])
        }
    }

    @Test("A file that is opened through a link has the same folder")
    func link() throws {
        try create(url("Store.sqlite"))
        let place = url("Links")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let link = place.appendingPathComponent("Link.sqlite")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: url("Store.sqlite"))
        #expect(try photos(at: link) == both)
        #expect(try photos(at: url("Store.sqlite")) == both)
        #expect(ExternalFolder(ofStoreAt: url("Store.sqlite")).all.count == 1)
    }

    @Test("A copy that is opened for reading only has the data, and changes nothing")
    func readOnly() throws {
        try create(url("Store.sqlite"))
        try transfer(url("Store.sqlite"), to: url("Copy.sqlite"), isCopy: true)
        let stack = try open(
            url("Copy.sqlite"), options: [NSReadOnlyPersistentStoreOption: true as NSNumber])
        #expect(try photos(stack) == both)
        try stack.close()
        #expect(try ExternalFolder.supportFolders(in: folder.url) == [".Store_SUPPORT"])
    }

    // MARK: - Migrations

    @Test("A migration whose new file takes the old one's place without its folder keeps the data")
    func migration() throws {
        let model = PhotoModel.make()
        model.entitiesByName["Photo"]?.properties.append(
            NSAttributeDescription("place", .stringAttributeType))
        try create(url("Store.sqlite"))
        let new = url(".Store.sqlite.migrationdestination_0123456789abcdef")
        try SMMigrationManager(sourceModel: PhotoModel.make(), destinationModel: model)
            .migrateStore(
                from: url("Store.sqlite"), sourceType: SMStore.type,
                with: .inferredMappingModel(
                    forSourceModel: PhotoModel.make(), destinationModel: model),
                toDestinationURL: new, destinationType: SMStore.type)
        try FileManager.default.removeItem(at: url("Store.sqlite"))
        try transfer(new, to: url("Store.sqlite"), isCopy: false)
        for _ in 1...2 {
            let stack = try open(url("Store.sqlite"), model)
            #expect(try photos(stack) == both)
            try stack.close()
        }
        #expect(try ExternalFolder.supportFolders(in: folder.url) == [".Store_SUPPORT"])
        #expect(ExternalFolder(ofStoreAt: url("Store.sqlite")).all.count == 1)
        #expect(ExternalFolder(ofStoreAt: url("Store.sqlite")).names.count == 2)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A staged migration keeps the data")
    func stages() throws {
        let model = PhotoModel.make()
        model.entitiesByName["Photo"]?.properties.append(
            NSAttributeDescription("place", .stringAttributeType))
        let models = [PhotoModel.make(), model].map {
            NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
        }
        let stage = NSCustomMigrationStage(migratingFrom: models[0], to: models[1])
        try create(url("Store.sqlite"))
        let stack = try open(
            url("Store.sqlite"), model,
            options: [
                NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage])
            ])
        #expect(try photos(stack) == both)
        try stack.close()
        #expect(try ExternalFolder.supportFolders(in: folder.url) == [".Store_SUPPORT"])
        #expect(ExternalFolder(ofStoreAt: url("Store.sqlite")).names.count == 2)
    }

    @Test("A migration that fails removes the new file's folder, and not the old one's")
    func failedMigration() async throws {
        let device = try Device(on: .inMemory(), model: PhotoModel.make())
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        try await device.store.sync()
        device.close()
        // The type of a field cannot change.
        let model = PhotoModel.make()
        model.entitiesByName["Photo"]?.attributesByName["name"]?.attributeType =
            .integer64AttributeType
        let mapping = NSEntityMapping()
        mapping.name = "Photos"
        mapping.mappingType = .addEntityMappingType
        mapping.destinationEntityName = "Photo"
        let mappings = NSMappingModel()
        mappings.entityMappings = [mapping]
        let folder = ExternalFolder(ofStoreAt: device.file).all
        // Both files have the same support folder.
        let target = device.directory.appendingPathComponent("Clocks.new")
        #expect(throws: CocoaError.self) {
            try SMMigrationManager(sourceModel: PhotoModel.make(), destinationModel: model)
                .migrateStore(
                    from: device.file, sourceType: SMStore.type, with: mappings,
                    toDestinationURL: target, destinationType: SMStore.type)
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        #expect(ExternalFolder(ofStoreAt: device.file).all == folder)
        try device.open(model: PhotoModel.make())
        #expect(try device.values("data", of: "Photo") == ["a": PhotoModel.data(1)])
    }

    // MARK: - The metadata

    @Test("A file of the first layout has its data, which moves to a folder of its own")
    func firstLayout() throws {
        try create(url("Store.sqlite"))
        let present = ExternalFolder(ofStoreAt: url("Store.sqlite"))
        let folder = present.url
        for name in present.names {
            try FileManager.default.moveItem(
                at: folder.appendingPathComponent(name),
                to: present.parent.appendingPathComponent(name))
        }
        try FileManager.default.removeItem(at: folder)
        let connection = try SQLiteConnection(path: url("Store.sqlite").path)
        for statement in [
            "DELETE FROM sm_metadata WHERE key = 'external_data'",
            "UPDATE sm_metadata SET value = 1 WHERE key = 'layout_version'",
            "ALTER TABLE sm_metadata RENAME TO former",
            """
            CREATE TABLE sm_metadata (key TEXT PRIMARY KEY CHECK (key IN \
            ('layout_version', 'metadata', 'names', 'model')), value NOT NULL) WITHOUT ROWID
            """,
            "INSERT INTO sm_metadata SELECT key, value FROM former", "DROP TABLE former",
            "ALTER TABLE sm_sequence DROP COLUMN last_transaction",
        ] { try connection.execute(statement) }
        connection.close()
        #expect(try photos(at: url("Store.sqlite")) == both)
        #expect(try photos(at: url("Store.sqlite")) == both)
        #expect(present.names.count == 2)
        let left = try FileManager.default.contentsOfDirectory(atPath: present.parent.path)
        #expect(left.count == 1)
    }

    @Test(
        "A name of a folder that is no UUID is not used as a path",
        arguments: ["../../Elsewhere", "", "/tmp", "9E4F21D2-0000-0000-0000-00000000000"])
    func hostileName(name: String) throws {
        try create(url("Store.sqlite"))
        let place = url("Elsewhere")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = place.appendingPathComponent("\(UUID().uuidString).data")
        try Data([1]).write(to: file)
        try Data("Store.sqlite".utf8).write(to: place.appendingPathComponent("owner"))
        let connection = try SQLiteConnection(path: url("Store.sqlite").path)
        try connection.execute(
            "UPDATE sm_metadata SET value = ? WHERE key = 'external_data'", [.text(name)])
        connection.close()
        #expect(try photos(at: url("Store.sqlite")) == both)
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(ExternalFolder(ofStoreAt: url("Store.sqlite")).all.count == 1)
    }
}
