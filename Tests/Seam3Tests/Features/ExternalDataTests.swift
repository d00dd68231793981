import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Large data in files") struct ExternalDataTests {
    let cloud = LocalCloud.inMemory()

    private static func model() -> NSManagedObjectModel {
        let data = NSAttributeDescription("data", .binaryDataAttributeType)
        data.allowsExternalBinaryDataStorage = true
        return NSManagedObjectModel(
            NSEntityDescription(
                "Photo",
                [
                    NSAttributeDescription("name", .stringAttributeType), data,
                    NSAttributeDescription("note", .stringAttributeType),
                ]))
    }

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: Self.model())
    }

    private static let size = 400_000

    private static func data(_ byte: UInt8, _ count: Int = size) -> Data {
        Data(repeating: byte, count: count)
    }

    private static func folder(_ device: Device) -> URL {
        device.directory.appendingPathComponent(".Clocks_SUPPORT/_EXTERNAL_DATA")
    }

    /// The sizes of the files that the device keeps.
    private func files(_ device: Device) throws -> [Int] {
        let folder = Self.folder(device)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            try Data(contentsOf: folder.appendingPathComponent($0)).count
        }.sorted()
    }

    private func set(_ data: Data?, _ name: String, on device: Device) throws {
        try device.edit { context in
            try Device.object("Photo", name, in: context).setValue(data, forKey: "data")
        }
    }

    @Test("lies beside the store, small data in the row, and both are there after a relaunch")
    func roundTrip() throws {
        let device = try device()
        let values = ["large": Self.data(1), "small": Self.data(2, 1000), "empty": Data()]
        for (name, data) in values { try device.add("Photo", ["name": name, "data": data]) }
        #expect(try files(device) == [Self.size])
        try device.relaunch(model: Self.model())
        #expect(try device.values("data", of: "Photo") == values)
    }

    @Test("goes with its row, its replacement and its value") func removal() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": Self.data(1)])
        try set(Self.data(2, 200_000), "a", on: device)
        #expect(try files(device) == [200_000])
        try device.edit { context in
            try Device.object("Photo", "a", in: context).setValue("n", forKey: "note")
        }
        #expect(try files(device) == [200_000])
        try set(nil, "a", on: device)
        #expect(try files(device).isEmpty)
        try set(Self.data(3), "a", on: device)
        try device.edit { context in context.delete(try Device.object("Photo", "a", in: context)) }
        #expect(try files(device).isEmpty)
    }

    @Test("goes with a batch request's rows, and comes with them") func batch() throws {
        let device = try device()
        let insert = NSBatchInsertRequest(
            entityName: "Photo",
            objects: [["name": "a", "data": Self.data(1)], ["name": "b", "data": Self.data(2)]])
        _ = try device.execute(insert, as: NSBatchInsertResult.self)
        #expect(try files(device).count == 2)
        let update = NSBatchUpdateRequest(entityName: "Photo")
        update.propertiesToUpdate = ["data": Self.data(3)]
        _ = try device.execute(update, as: NSBatchUpdateResult.self)
        #expect(try files(device).count == 1)
        #expect(
            try device.values("data", of: "Photo") == ["a": Self.data(3), "b": Self.data(3)])
        _ = try device.execute(
            NSBatchDeleteRequest(fetchRequest: Device.fetch("Photo", "a")),
            as: NSBatchDeleteResult.self)
        #expect(try files(device).count == 1)
        _ = try device.execute(
            NSBatchDeleteRequest(fetchRequest: Device.fetch("Photo", "b")),
            as: NSBatchDeleteResult.self)
        #expect(try files(device).isEmpty)
    }

    @Test("leaves no file if the save fails") func failedSave() throws {
        let model = Self.model()
        model.entitiesByName["Photo"]?.uniquenessConstraints = [["name"]]
        let device = try Device(on: cloud, model: model)
        try device.add("Photo", ["name": "a"])
        #expect(throws: CocoaError.self) {
            try device.add("Photo", ["name": "a", "data": Self.data(1)])
        }
        #expect(try files(device).isEmpty)
    }

    @Test("reaches another device as an asset, and its changes too") func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try a.add("Photo", ["name": "a", "data": Self.data(1)])
        try await Device.settle(a, b)
        #expect(try b.values("data", of: "Photo") == ["a": Self.data(1)])
        #expect(try files(b) == [Self.size])
        try set(Self.data(2), "a", on: b)
        try await Device.settle(b, a)
        #expect(try a.values("data", of: "Photo") == ["a": Self.data(2)])
        #expect(try files(a).count == 1)
        try a.edit { context in context.delete(try Device.object("Photo", "a", in: context)) }
        try await Device.settle(a, b)
        #expect(try b.count("Photo") == 0)
    }

    @Test("that both devices changed is a conflict, decided by the policy") func conflict()
        async throws
    {
        let (a, b) = (try device("a"), try device("b"))
        try a.add("Photo", ["name": "a", "data": Self.data(1)])
        try await Device.settle(a, b)
        try set(Self.data(2), "a", on: a)
        try set(Self.data(3), "a", on: b)
        try await Device.settle(a, b)
        #expect(try a.values("data", of: "Photo") == ["a": Self.data(2)])
        #expect(try b.values("data", of: "Photo") == ["a": Self.data(2)])
    }

    @Test("is found by its value and by its presence") func fetch() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": Self.data(1)])
        try device.add("Photo", ["name": "b"])
        try device.read { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
            for (predicate, count) in [
                (NSPredicate(format: "data == %@", Self.data(1) as NSData), 1),
                (NSPredicate(format: "data == %@", Self.data(2) as NSData), 0),
                (NSPredicate(format: "data == nil"), 1),
            ] {
                request.predicate = predicate
                let found = try context.count(for: request)
                #expect(found == count)
            }
        }
    }

    @Test("that a crash has left over is swept by and by, and nobody else's file")
    func sweep() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": Self.data(1)])
        let folder = Self.folder(device)
        let names = ["OLD.data", "NEW.data", "9E4F21D2-FOREIGN"]
        for name in names { try Data([1]).write(to: folder.appendingPathComponent(name)) }
        for name in ["OLD.data", "9E4F21D2-FOREIGN"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                ofItemAtPath: folder.appendingPathComponent(name).path)
        }
        try device.relaunch(model: Self.model())
        #expect(try files(device) == [1, 1, Self.size])
        #expect(
            !FileManager.default.fileExists(atPath: folder.appendingPathComponent("OLD.data").path))
    }

    @Test("goes when the store is emptied or destroyed") func destruction() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": Self.data(1)])
        try device.store.resetBackingStore()
        #expect(try files(device).isEmpty)
        try device.add("Photo", ["name": "b", "data": Self.data(1)])
        try device.container.persistentStoreCoordinator.destroyPersistentStore(
            at: device.directory.appendingPathComponent("Clocks.sqlite"), ofType: SMStore.type)
        #expect(try FileManager.default.contentsOfDirectory(atPath: device.directory.path).isEmpty)
    }
}
