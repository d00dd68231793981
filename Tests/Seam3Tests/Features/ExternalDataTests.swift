import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("Large data in files") struct ExternalDataTests {
    let cloud = LocalCloud.inMemory()

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: PhotoModel.make())
    }

    @Test("is kept beside the store, small data in the row, and both survive a relaunch")
    func roundTrip() throws {
        let device = try device()
        let values = [
            "large": PhotoModel.data(1), "small": PhotoModel.data(2, 1000), "empty": Data(),
        ]
        for (name, data) in values { try device.add("Photo", ["name": name, "data": data]) }
        #expect(try device.externalFileSizes() == [PhotoModel.size])
        try device.relaunch(model: PhotoModel.make())
        #expect(try device.values("data", of: "Photo") == values)
    }

    @Test("goes with its row, its replacement and its value") func removal() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        try device.setPhoto("a", PhotoModel.data(2, 200_000))
        #expect(try device.externalFileSizes() == [200_000])
        try device.edit { context in
            try Device.object("Photo", "a", in: context).setValue("n", forKey: "note")
        }
        #expect(try device.externalFileSizes() == [200_000])
        try device.setPhoto("a", nil)
        #expect(try device.externalFileSizes().isEmpty)
        try device.setPhoto("a", PhotoModel.data(3))
        try device.edit { context in context.delete(try Device.object("Photo", "a", in: context)) }
        #expect(try device.externalFileSizes().isEmpty)
    }

    @Test("is removed with a batch request's rows, and inserted with them") func batch() throws {
        let device = try device()
        let insert = NSBatchInsertRequest(
            entityName: "Photo",
            objects: [
                ["name": "a", "data": PhotoModel.data(1)],
                ["name": "b", "data": PhotoModel.data(2)],
            ])
        _ = try device.execute(insert, as: NSBatchInsertResult.self)
        #expect(try device.externalFileSizes().count == 2)
        let update = NSBatchUpdateRequest(entityName: "Photo")
        update.propertiesToUpdate = ["data": PhotoModel.data(3)]
        _ = try device.execute(update, as: NSBatchUpdateResult.self)
        #expect(try device.externalFileSizes().count == 1)
        #expect(
            try device.values("data", of: "Photo") == [
                "a": PhotoModel.data(3), "b": PhotoModel.data(3),
            ])
        _ = try device.execute(
            NSBatchDeleteRequest(fetchRequest: Device.fetch("Photo", "a")),
            as: NSBatchDeleteResult.self)
        #expect(try device.externalFileSizes().count == 1)
        _ = try device.execute(
            NSBatchDeleteRequest(fetchRequest: Device.fetch("Photo", "b")),
            as: NSBatchDeleteResult.self)
        #expect(try device.externalFileSizes().isEmpty)
    }

    @Test("leaves no file if the save fails") func failedSave() throws {
        let model = PhotoModel.make()
        model.entitiesByName["Photo"]?.uniquenessConstraints = [["name"]]
        let device = try Device(on: cloud, model: model)
        try device.add("Photo", ["name": "a"])
        #expect(throws: CocoaError.self) {
            try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        }
        #expect(try device.externalFileSizes().isEmpty)
    }

    @Test("reaches another device as an asset, and its changes too") func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        try a.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        try await Device.settle(a, b)
        #expect(try b.values("data", of: "Photo") == ["a": PhotoModel.data(1)])
        #expect(try b.externalFileSizes() == [PhotoModel.size])
        try b.setPhoto("a", PhotoModel.data(2))
        try await Device.settle(b, a)
        #expect(try a.values("data", of: "Photo") == ["a": PhotoModel.data(2)])
        #expect(try a.externalFileSizes().count == 1)
        try a.edit { context in context.delete(try Device.object("Photo", "a", in: context)) }
        try await Device.settle(a, b)
        #expect(try b.count("Photo") == 0)
    }

    @Test("that both devices changed is a conflict, decided by the policy") func conflict()
        async throws
    {
        let (a, b) = (try device("a"), try device("b"))
        try a.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        try await Device.settle(a, b)
        try a.setPhoto("a", PhotoModel.data(2))
        try b.setPhoto("a", PhotoModel.data(3))
        try await Device.settle(a, b)
        #expect(try a.values("data", of: "Photo") == ["a": PhotoModel.data(2)])
        #expect(try b.values("data", of: "Photo") == ["a": PhotoModel.data(2)])
    }

    @Test("is found by its value and by its presence") func fetch() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        try device.add("Photo", ["name": "b"])
        try device.read { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
            for (predicate, count) in [
                (NSPredicate(format: "data == %@", PhotoModel.data(1) as NSData), 1),
                (NSPredicate(format: "data == %@", PhotoModel.data(2) as NSData), 0),
                (NSPredicate(format: "data == nil"), 1),
            ] {
                request.predicate = predicate
                let found = try context.count(for: request)
                #expect(found == count)
            }
        }
    }

    @Test(
        "that a crash has left over is removed when the store is opened next, and no other file")
    func sweep() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        let folder = device.externalFolder
        let (old, new) = (UUID().uuidString + ".data", UUID().uuidString + ".data")
        let names = [old, new, "9E4F21D2-FOREIGN", "OLD.data"]
        for name in names { try Data([1]).write(to: folder.appendingPathComponent(name)) }
        for name in names where name != new {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                ofItemAtPath: folder.appendingPathComponent(name).path)
        }
        try device.relaunch(model: PhotoModel.make())
        #expect(try device.externalFileSizes() == [1, 1, PhotoModel.size])
        for name in [old, new] {
            #expect(
                !FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path))
        }
    }

    @Test("is not swept while another store of the file pulls what will refer to it")
    func sweepWhilePulling() async throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        let file = device.externalFolder.appendingPathComponent(UUID().uuidString + ".data")
        try Data([1]).write(to: file)
        cloud.faults.add(
            .call(.afterCommit) { _ in
                #expect(throws: Never.self) {
                    _ = try device.anotherContainer(model: PhotoModel.make())
                }
                #expect(FileManager.default.fileExists(atPath: file.path))
            }, for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        try await device.store.sync()
        try device.relaunch(model: PhotoModel.make())
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("is removed when the store is emptied or destroyed") func destruction() throws {
        let device = try device()
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        try device.store.resetBackingStore()
        #expect(try device.externalFileSizes().isEmpty)
        try device.add("Photo", ["name": "b", "data": PhotoModel.data(1)])
        try device.container.persistentStoreCoordinator.destroyPersistentStore(
            at: device.directory.appendingPathComponent("Clocks.sqlite"), ofType: SMStore.type)
        // The store's file is a new, empty one.
        let names = try FileManager.default.contentsOfDirectory(atPath: device.directory.path)
        #expect(names == ["Clocks.sqlite"])
    }
}
