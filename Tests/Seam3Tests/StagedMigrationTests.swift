import CoreData
import CoreDataFiles
import Seam3
import Testing

@Suite("A staged migration", .tags(.migrationIsWhole)) struct StagedMigrationTests {
    /// A version of the model, in which people have these string attributes.
    private func model(_ attributes: String...) -> NSManagedObjectModel {
        NSManagedObjectModel(
            NSEntityDescription(
                "Person",
                attributes.map { NSAttributeDescription($0, .stringAttributeType) }))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    private var versions: [NSManagedObjectModel] {
        [
            model("fullName"), model("fullName", "first", "last"), model("first", "last"),
            model("first", "last", "nickname"),
        ]
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func manager(_ log: MigrationLog) -> NSStagedMigrationManager {
        let models = versions
        let split = NSCustomMigrationStage(
            migratingFrom: reference(models[0]), to: reference(models[1]))
        split.willMigrateHandler = { _, _ in log.lines.append("will split") }
        split.didMigrateHandler = { manager, _ in
            log.lines.append("did split")
            guard let context = manager.container?.newBackgroundContext() else { return }
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                for person in try context.fetch(request) {
                    let names = (person.value(forKey: "fullName") as? String ?? "")
                        .components(separatedBy: " ")
                    person.setValue(names.first, forKey: "first")
                    person.setValue(names.last, forKey: "last")
                }
                try context.save()
            }
        }
        let drop = NSCustomMigrationStage(
            migratingFrom: reference(models[1]), to: reference(models[2]))
        drop.didMigrateHandler = { _, _ in log.lines.append("did drop") }
        return NSStagedMigrationManager([
            split, drop,
            NSLightweightMigrationStage([models[2].versionChecksum, models[3].versionChecksum]),
        ])
    }

    /// The calls of the handlers.
    private final class MigrationLog: @unchecked Sendable {
        // Unchecked because a single test uses it, while it waits.
        var lines: [String] = []
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    private func open(_ url: URL, _ log: MigrationLog) throws -> StoreStack {
        try StoreStack(
            at: url, model: versions[3],
            options: [NSPersistentStoreStagedMigrationManagerOptionKey: manager(log)])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test(
        "runs the code of each stage in turn, from the version of the file", arguments: 0..<4)
    func stages(from version: Int) throws {
        let folder = try TestFolder()
        let old = try StoreStack(at: folder.store, model: versions[version])
        try old.perform { context in
            let person = NSEntityDescription.insertNewObject(
                forEntityName: "Person", into: context)
            if version < 2 { person.setValue("Ada Lovelace", forKey: "fullName") }
            if version > 0 {
                person.setValue("Ada", forKey: "first")
                person.setValue("Lovelace", forKey: "last")
            }
            try context.save()
        }
        try old.close()
        let log = MigrationLog()
        for _ in 1...2 {
            let stack = try open(folder.store, log)
            try stack.perform { context in
                let people = try Device.all("Person", in: context)
                #expect(people.map { $0.value(forKey: "first") as? String } == ["Ada"])
                #expect(people.map { $0.value(forKey: "last") as? String } == ["Lovelace"])
                #expect(people.first?.entity.attributesByName["nickname"] != nil)
            }
            try stack.close()
        }
        let expected = [["will split", "did split", "did drop"], ["did drop"], [], []]
        #expect(log.lines == expected[version])
    }

    // In a separate process, because the logger, which all stores share, makes the copies.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("that is killed at any statement resumes with its stage, and loses nothing")
    func killed() async {
        await #expect(processExitsWith: .success) {
            let tests = StagedMigrationTests()
            let folder = try TestFolder()
            let old = try StoreStack(at: folder.store, model: tests.versions[0])
            try old.perform { context in
                let person = NSEntityDescription.insertNewObject(
                    forEntityName: "Person", into: context)
                person.setValue("Ada Lovelace", forKey: "fullName")
                try context.save()
            }
            try old.close()
            let crashes = try CrashCopies(of: folder.url)
            crashes.start()
            try tests.open(folder.store, MigrationLog()).close()
            let copies = try crashes.stop()
            #expect(copies.count > 100, "\(copies.count)")
            for (number, copy) in copies.enumerated() {
                let url = copy.appendingPathComponent(folder.store.lastPathComponent)
                let stack = try tests.open(url, MigrationLog())
                let names = try stack.perform { context in
                    try Device.all("Person", in: context).map { person in
                        ["first", "last"].map { person.value(forKey: $0) as? String ?? "-" }
                    }
                }
                #expect(names == [["Ada", "Lovelace"]], "\(number): \(names)")
                let violations = try stack.store.checkInvariants()
                #expect(violations.isEmpty, "\(violations)")
                try stack.close()
                let left = try FileManager.default.contentsOfDirectory(atPath: copy.path)
                #expect(left.allSatisfy { !$0.contains("migrat") }, "\(number): \(left)")
            }
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("does not run for a new file")
    func newFile() throws {
        let folder = try TestFolder()
        let log = MigrationLog()
        let stack = try open(folder.store, log)
        #expect(try stack.perform { try Device.all("Person", in: $0).isEmpty })
        #expect(log.lines.isEmpty)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("ends with the error of a handler, and resumes with its stage the next time")
    func failure() throws {
        struct Failure: Error {}
        let folder = try TestFolder()
        try StoreStack(at: folder.store, model: versions[0]).close()
        let models = versions
        let stage = NSCustomMigrationStage(
            migratingFrom: reference(models[0]), to: reference(models[1]))
        stage.willMigrateHandler = { _, _ in throw Failure() }
        let options = [
            NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage])
        ]
        #expect(throws: Failure.self) {
            try StoreStack(at: folder.store, model: models[1], options: options)
        }
        stage.willMigrateHandler = nil
        try StoreStack(at: folder.store, model: models[1], options: options).close()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("is not left out when a file is adopted", .tags(.existingDataIsAdopted))
    func adoption() throws {
        let file = try AdoptedFile(
            versions[0], [CoreDataFileWriter.Row("Person", 1, ["fullName": "Ada Lovelace"])])
        let before = try Data(contentsOf: file.url)
        let options = [NSPersistentStoreStagedMigrationManagerOptionKey: manager(MigrationLog())]
        let error = #expect(throws: CocoaError.self) { try file.open(versions[3], options) }
        let reason = error?.userInfo["reason"] as? String ?? ""
        #expect(reason.contains("staged") && reason.contains("adoptFile"), "\(reason)")
        #expect(try Data(contentsOf: file.url) == before)
        try SMStore.adoptFile(at: file.url, model: versions[0])
        let stack = try file.open(versions[3], options)
        try stack.perform { context in
            let person = try Device.all("Person", in: context).first
            #expect(person?.value(forKey: "first") as? String == "Ada")
        }
    }
}
