import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

@Suite("A file of Core Data or of Seam3 1", .tags(.existingDataIsAdopted)) struct AdoptionTests {
    let cloud = LocalCloud.inMemory()

    /// A device with a closed store and without a file.
    private func emptyDevice() throws -> (device: Device, url: URL) {
        let device = try Device("adopter", on: cloud, model: CoreDataFixture.model())
        let coordinator = device.store.persistentStoreCoordinator
        let store = device.store
        try coordinator?.remove(store)
        for name in try FileManager.default.contentsOfDirectory(atPath: device.directory.path) {
            try FileManager.default.removeItem(
                at: device.directory.appendingPathComponent(name))
        }
        return (device, device.directory.appendingPathComponent("Clocks.sqlite"))
    }

    private func adopted(_ systemFields: [String: Data]? = nil) throws -> (Device, SMAdoption) {
        let (device, url) = try emptyDevice()
        _ = try CoreDataFixture(at: url, systemFields: systemFields)
        let adoption = try #require(
            try SMStore.adoptFile(at: url, model: CoreDataFixture.model()))
        try device.open(model: CoreDataFixture.model())
        return (device, adoption)
    }

    /// Entity, name, key and value.
    private static let expected = [
        "Person Ada born -86400.5", "Person Ada id \(CoreDataFixture.uuid)",
        "Person Ada site https://example.org/ada", "Person Ada photo 10 20 30",
        "Person Bob photo 40 50", "Person Bob born nil", "Person Cy photo nil",
        "Person Cy born 0.0",
        "Car plain price 10.11", "SportCar sport price 20", "SportCar sport turbo 1",
        "SportCar sport note fast", "Van van note big", "Van van price nil",
        "Person Ada cars sport,plain", "Person Bob cars van", "Person Cy cars ",
        "Car plain owner Ada", "Person Ada favorite sport", "SportCar sport fan Ada",
        "Person Ada tags y,x", "Person Bob tags x", "Tag x people Ada,Bob",
    ]

    @Test("is adopted with every value and relationship", arguments: expected)
    func values(line: String) throws {
        let (device, _) = try adopted()
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            .map(String.init)
        if words[2] == "born", words[3] != "nil" {
            let date = try device.read { context in
                try Device.object(words[0], words[1], in: context).value(forKey: "born") as? Date
            }
            #expect(date?.timeIntervalSinceReferenceDate == Double(words[3]))
        } else {
            #expect(try device.text(words[0], words[1], words[2]) == words[3])
        }
    }

    @Test(
        "keeps the order of its objects, their entities and the app's metadata",
        .tags(.nothingLeftOutSilently))
    func order() throws {
        let (device, adoption) = try adopted()
        #expect(adoption.objectCount == 8)
        #expect(adoption.missingData == ["Person.photo"])
        let cars = try device.read { context in
            try Device.all("Car", in: context).map {
                "\($0.entity.name ?? "") \($0.value(forKey: "name") ?? "")"
            }
        }
        #expect(cars == ["Car plain", "SportCar sport", "Van van"])
        #expect(device.store.metadata?["appKey"] as? String == "appValue")
    }

    @Test("is queued for the server completely, and arrives on another device")
    func plainFileIsSent() async throws {
        let (device, _) = try adopted()
        #expect(try device.store.syncStatus().pendingChangeCount == 11)
        try await device.store.sync()
        let other = try Device("other", on: cloud, model: CoreDataFixture.model())
        try await other.store.sync()
        for line in Self.expected where !line.contains(" born ") {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
                .map(String.init)
            #expect(try other.text(words[0], words[1], words[2]) == words[3], "\(line)")
        }
    }

    @Test("of Seam3 1 keeps its records, and sends what Seam3 had not sent")
    func changeSets() async throws {
        let client = RawClient(cloud)
        // The zone exists already.
        try await Device("first", on: cloud).store.sync()
        let records = ["tag-x", "tag-gone"].map { name in
            let record = CKRecord(
                recordType: "Tag",
                recordID: CKRecord.ID(recordName: name, zoneID: client.zoneID))
            record["name"] = "old"
            return record
        }
        var fields: [String: Data] = [:]
        for record in records {
            fields[record.recordID.recordName] = SystemFields.data(
                of: try await client.saved(record))
        }
        let (device, _) = try adopted(fields)
        try await device.store.sync()
        let tags = try await client.records(ofType: "Tag")
        #expect(Set(tags.map(\.recordID.recordName)) == ["tag-x", "tag-y"])
        let names = Dictionary(
            uniqueKeysWithValues: tags.map { ($0.recordID.recordName, $0["name"]) })
        #expect(names["tag-x"] as? String == "x")
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("is adopted when the store is opened with the option, once")
    func option() throws {
        let (device, url) = try emptyDevice()
        _ = try CoreDataFixture(at: url)
        for _ in 1...2 {
            let container = NSPersistentContainer(
                name: "Cars", managedObjectModel: CoreDataFixture.model())
            let description = NSPersistentStoreDescription(url: url)
            description.type = SMStore.type
            description.setOption(true as NSNumber, forKey: SMStore.SMStoreAdoptionOption)
            container.persistentStoreDescriptions = [description]
            var failure: (any Error)?
            container.loadPersistentStores { _, error in failure = error }
            #expect(failure == nil)
            let coordinator = container.persistentStoreCoordinator
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
        try device.open(model: CoreDataFixture.model())
        #expect(try device.count("Car") == 3)
    }

    /// Files of other applications.
    enum Origin: CaseIterable { case plainCoreData, seam3 }

    @Test(
        "is opened by an app's container with all its objects, and sent",
        arguments: Origin.allCases)
    func file(origin: Origin) async throws {
        let folder = try TestFolder()
        _ = try CoreDataFixture(
            at: folder.store, systemFields: origin == .seam3 ? [:] : nil)
        let container = CloudPath.current.container(on: cloud)
        let stack = try StoreStack(
            at: folder.store, model: CoreDataFixture.model(),
            options: [
                SMStore.SMStoreAdoptionOption: true as NSNumber,
                SMStore.SMStoreContainerOption: container,
            ])
        #expect(try stack.names("Person").sorted() == ["Ada", "Bob", "Cy"])
        let store = try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
        try await store.sync()
        let other = try Device("other", on: cloud, model: CoreDataFixture.model())
        try await other.store.sync()
        #expect(try other.count("Person") == 3)
        #expect(try other.count("Car") == 3)
    }

    @Test("is kept unchanged, with its external data, in a folder beside the new one")
    func backup() throws {
        let (device, url) = try emptyDevice()
        _ = try CoreDataFixture(at: url)
        let bytes = try Data(contentsOf: url)
        let adoption = try #require(
            try SMStore.adoptFile(at: url, model: CoreDataFixture.model()))
        #expect(try Data(contentsOf: adoption.originalURL) == bytes)
        #expect(
            adoption.originalURL.deletingLastPathComponent().lastPathComponent
                == "Clocks.sqlite.original")
        let names = try FileManager.default.contentsOfDirectory(atPath: device.directory.path)
        #expect(names.sorted() == ["Clocks.sqlite", "Clocks.sqlite.original"])
        #expect(try SMStore.adoptFile(at: url, model: CoreDataFixture.model()) == nil)
    }

    @Test("is kept beside those that were adopted at the same place before")
    func furtherBackups() throws {
        let (device, url) = try emptyDevice()
        var copies: [Data] = []
        for number in 1...3 {
            try? FileManager.default.removeItem(at: url)
            try CoreDataFileWriter(CoreDataFixture.model()).write(
                [CoreDataFileWriter.Row("Person", Int64(number))], to: url)
            copies.append(try Data(contentsOf: url))
            try SMStore.adoptFile(at: url, model: CoreDataFixture.model())
        }
        let folders = ["original", "original-2", "original-3"].map { "Clocks.sqlite." + $0 }
        for (folder, copy) in zip(folders, copies) {
            let kept = device.directory.appendingPathComponent(folder)
                .appendingPathComponent(url.lastPathComponent)
            #expect(try Data(contentsOf: kept) == copy)
        }
    }

    @Test("is adopted and migrated to the current model")
    func olderModel() throws {
        let (device, url) = try emptyDevice()
        _ = try CoreDataFixture(at: url)
        let connection = try SQLiteConnection(path: url.path)
        try connection.execute("INSERT INTO ZTAG VALUES (3, 5, 1, 'z')")
        try SMStore.adoptFile(at: url, model: CoreDataFixture.model())
        let newer = CoreDataFixture.model()
        newer.entitiesByName["Tag"]?.properties.append(
            NSAttributeDescription("color", .stringAttributeType))
        try device.open(model: newer)
        #expect(try device.text("Tag", "z", "color") == "nil")
    }

    enum Damage: CaseIterable {
        case truncated, overwritten, noPrimaryKeys, notADatabase, otherTables
    }

    @Test(
        "that is damaged or unknown is an error, and is left unchanged", arguments: Damage.allCases)
    func damaged(kind: Damage) throws {
        let (device, url) = try emptyDevice()
        _ = try CoreDataFixture(at: url)
        switch kind {
        case .truncated: truncate(url.path, 9000)
        case .overwritten:
            let handle = try FileHandle(forUpdating: url)
            try handle.seek(toOffset: 4096)
            try handle.write(contentsOf: Data(repeating: 0xa5, count: 8192))
            try handle.close()
        case .noPrimaryKeys:
            try SQLiteConnection(path: url.path).execute("DELETE FROM Z_PRIMARYKEY")
        case .notADatabase: try Data("a text file, and a long one ".utf8).write(to: url)
        case .otherTables:
            try FileManager.default.removeItem(at: url)
            try SQLiteConnection(path: url.path).execute("CREATE TABLE notes (text)")
        }
        let before = try Self.contents(of: device.directory)
        let error = #expect(throws: SMStoreError.self) {
            try SMStore.adoptFile(at: url, model: CoreDataFixture.model())
        }
        #expect(error?.code == 4)
        #expect(throws: (any Error).self) { try device.open(model: CoreDataFixture.model()) }
        #expect(try Self.contents(of: device.directory) == before)
    }

    @Test(
        "whose adoption is killed before or during the exchange is whole afterward",
        arguments: 0..<5)
    func interrupted(step: Int) throws {
        let (device, url) = try emptyDevice()
        _ = try CoreDataFixture(at: url)
        let copy = try Data(contentsOf: url)
        try SMStore.adoptFile(at: url, model: CoreDataFixture.model())
        // Undo the replacement up to the point of the kill.
        let files = FileManager.default
        let folder = url.appendingPathExtension("adoption")
        let backup = url.appendingPathExtension("original")
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        let finished = folder.appendingPathComponent("finished")
        if step < 4 {
            try files.moveItem(
                at: url, to: step == 0 ? folder.appendingPathComponent("new") : finished)
        }
        if step < 3 {
            try files.moveItem(at: backup.appendingPathComponent(url.lastPathComponent), to: url)
        }
        if step < 2 {
            let support = CoreDataFile.supportFolder(of: url)
            try files.moveItem(
                at: backup.appendingPathComponent(support.lastPathComponent), to: support)
            try files.removeItem(at: backup)
        }
        try SMStore.adoptFile(at: url, model: CoreDataFixture.model())
        try device.open(model: CoreDataFixture.model())
        #expect(try device.text("Person", "Bob", "photo") == "40 50")
        #expect(try device.count("Car") == 3)
        #expect(try Data(contentsOf: backup.appendingPathComponent(url.lastPathComponent)) == copy)
        #expect(!files.fileExists(atPath: folder.path))
    }

    static func contents(of directory: URL) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        let names = FileManager.default.enumerator(atPath: directory.path)?.allObjects ?? []
        for case let name as String in names {
            contents[name] = FileManager.default.contents(
                atPath: directory.appendingPathComponent(name).path)
        }
        return contents
    }

    private static let appleStores = ProcessInfo.processInfo.environment["SEAM3_APPLE_STORES"]

    @Test(
        "that Apple's Core Data wrote is adopted with all rows, using the model in the file",
        .enabled(if: appleStores != nil),
        arguments: [
            "SampleModel_V1", "SampleModel_V2", "SampleModel2_V1", "SampleModel2_V2",
            "SampleModel3_V1",
        ])
    func appleFile(name: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("Seam3Tests-\(UUID().uuidString)")
        let copies = folder.appendingPathComponent("copy")
        try FileManager.default.createDirectory(at: copies, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("\(name).sqlite")
        try Data(contentsOf: URL(fileURLWithPath: "\(Self.appleStores ?? "")/\(name).sqlite"))
            .write(to: url)
        let file = try CoreDataFile(
            copy: try FileKind.copy(url, to: copies), original: url,
            fallback: NSManagedObjectModel())
        let tables = Set(file.model.entities.map { CoreDataFile.table(of: $0) })
        let counts = try tables.map { table in
            try file.connection.firstRow("SELECT count(*) FROM \(table)") { $0.integer(at: 0) } ?? 0
        }
        // The application's transformers are unavailable. Without them, the bytes are used
        // unchanged.
        for entity in file.model.entities {
            for attribute in entity.attributesByName.values { attribute.valueTransformerName = nil }
        }
        let adoption = try SMStore.adoptFile(at: url, model: file.model)
        #expect(adoption?.objectCount == Int(counts.reduce(0, +)))
        #expect(adoption?.objectCount ?? 0 > 0)
    }
}
