import CoreData
import Testing

@testable import Seam3

/// A store's statistics.
@Suite struct StatisticsTests {
    @Test("Rows are counted by their own entity, and every concrete entity has a number")
    func rowCounts() throws {
        let world = try QueryWorld(seed: 8)
        let counts = try world.store.store.statistics().rowCounts
        var expected = ["Item": 0, "SpecialItem": 0, "OtherItem": 0]
        for item in world.items { expected[item.entity.name ?? "", default: 0] += 1 }
        expected["Box"] = world.boxes.count
        expected["Transaction"] = world.rooms.count
        expected["Tag"] = world.tags.count
        #expect(counts == expected)
        #expect(try world.store.store.statistics().rowCount == expected.values.reduce(0, +))
    }

    @Test("Abstract entities have no number")
    func abstractEntities() throws {
        let abstract = NSEntityDescription("StatisticsBase")
        abstract.isAbstract = true
        let concrete = NSEntityDescription("StatisticsThing")
        abstract.subentities = [concrete]
        let store = try QueryStore(model: NSManagedObjectModel(abstract, concrete))
        #expect(try store.store.statistics().rowCounts == ["StatisticsThing": 0])
    }

    @Test("Pending changes are counted by entity and kind, including links")
    func pendingChanges() throws {
        let world = try QueryWorld(seed: 8)
        let links = world.items.reduce(0) {
            $0 + (($1.value(forKey: "tags") as? NSSet)?.count ?? 0)
        }
        var pending = try world.store.store.statistics().pendingChanges
        #expect(pending["Box"]?.insertions == world.boxes.count)
        #expect(pending["SM_Link_Item_tags"]?.insertions == links)
        #expect(pending["Box"]?.updates == 0)
        // Objects that the server has are updated and deleted there; the others are dropped from
        // the outbox.
        let database = try world.store.store.database()
        try database.connection.execute("DELETE FROM sm_outbox")
        try database.connection.execute("UPDATE sm_object SET was_sent = 1")
        world.boxes[0].setValue("changed", forKey: "name")
        world.boxes[1].setValue("changed", forKey: "name")
        world.store.context.delete(world.rooms[0])
        for box in world.boxes { box.setValue(world.rooms[1], forKey: "room") }
        try world.store.save()
        pending = try world.store.store.statistics().pendingChanges
        #expect(pending["Box"]?.insertions == 0)
        #expect((pending["Box"]?.updates ?? 0) >= 2)
        #expect(pending["Transaction"]?.deletions == 1)
        try database.connection.execute(
            "UPDATE sm_outbox SET state = 'parked', error = 'refused' WHERE kind = 'delete'")
        let statistics = try world.store.store.statistics()
        #expect(statistics.pendingChanges["Transaction"]?.refused == 1)
        #expect(
            statistics.pendingChangeCount
                == statistics.pendingChanges.values.reduce(0) { $0 + $1.count })
    }

    @Test("The size is that of the file, of its log and of the external files")
    func size() throws {
        let world = try QueryWorld(seed: 8)
        let store = world.store.store
        let url = try #require(store.url)
        func size(_ path: String) throws -> Int64 {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return try #require(attributes[.size] as? NSNumber).int64Value
        }
        let statistics = try store.statistics()
        #expect(try statistics.fileSize == size(url.path) + size(url.path + "-wal"))
        #expect(statistics.externalDataSize == 0)
        let device = try Device(on: .inMemory(), model: PhotoModel.make())
        try device.add("Photo", ["name": "a", "data": PhotoModel.data(1)])
        let size = Int64(PhotoModel.size)
        #expect(try device.store.statistics().externalDataSize == size)
        #expect(
            try device.store.statistics().size == device.store.statistics().fileSize + size)
    }

    @Test("A store that is not open reports that")
    func closed() throws {
        let world = try QueryWorld(seed: 8, itemCount: 1)
        let store = world.store.store
        store.willRemove(from: nil)
        #expect(throws: SMStoreError.self) { try store.statistics() }
        #expect(throws: SMStoreError.self) { try store.checkInvariants() }
    }
}
