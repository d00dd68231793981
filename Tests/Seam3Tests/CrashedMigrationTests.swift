import CoreData
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

@Suite("A crash in the middle", .tags(.migrationIsWhole)) struct CrashedMigrationTests {
    let cloud = LocalCloud.inMemory()

    /// The model after a migration that moves, converts and restructures data.
    private static func newModel() -> NSManagedObjectModel {
        let shop = ShopEntities(model: ShopModel.make())
        shop.attribute("Item", "price").attributeType = .decimalAttributeType
        shop.relationship("Item", "box").maxCount = 0
        shop.move("plate", from: "Vehicle", to: "Car", "Truck")
        shop.rename(entity: "Tag", "Label")
        shop["Item"].properties.removeAll { $0.name == "note" }
        shop.model.entities.append(NSEntityDescription("Part"))
        shop["Part"].subentities = [shop["Box"], shop["Lid"]]
        return shop.model
    }

    /// Copies the files that a killed process would leave, before each statement of a run.
    private func crashes(
        of url: URL, into folder: URL, _ run: (@escaping (String) -> Void) throws -> Void
    ) throws -> [URL] {
        var copies: [URL] = []
        var failure: (any Error)?
        try run { _ in
            let copy = folder.appendingPathComponent("\(copies.count)")
            do {
                try FileManager.default.createDirectory(
                    at: copy, withIntermediateDirectories: true)
                copies.append(try FileKind.copy(url, to: copy))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return copies
    }

    @Test("of a migration, at any statement, leaves the old file or the new one, complete")
    func migration() throws {
        let device = try Device("crash", on: cloud, model: ShopModel.make())
        try ShopModel.fill(device)
        let coordinator = device.store.persistentStoreCoordinator
        try coordinator?.remove(device.store)
        let url = device.directory.appendingPathComponent("Clocks.sqlite")
        let new = Self.newModel()
        let copies = try crashes(of: url, into: device.directory.appendingPathComponent("copies")) {
            var file = StoreFile(url: url, isReadOnly: false)
            file.infersMigration = true
            file.trace = $0
            _ = try file.open(model: new, configuration: nil, storeType: SMStore.type)
        }
        #expect(copies.count > 100)
        for copy in copies {
            let connection = try SQLiteConnection(path: copy.path)
            #expect(
                try connection.firstRow("PRAGMA integrity_check", [], { $0.text(at: 0) }) == "ok")
            let file = StoreFile(url: copy, isReadOnly: false)
            let hashes = try file.metadata()[NSStoreModelVersionHashesKey] as? [String: Data]
            let isNew = hashes?["Part"] != nil
            let (database, _) = try file.open(
                model: isNew ? new : ShopModel.make(), configuration: nil,
                storeType: SMStore.type)
            let tag = isNew ? "Label" : "Tag"
            for (entity, count) in [("Item", 3), (tag, 2), ("Car", 1), ("Entry", 3)] {
                let schema = try #require(database.schema.entity(named: entity))
                let rows = try database.connection.firstRow(
                    "SELECT count(*) FROM \(schema.table.name) WHERE entity = \(schema.number)"
                ) { $0.integer(at: 0) }
                #expect(rows == Int64(count))
            }
        }
        try device.open(model: new)
        #expect(try device.text("Box", "b1", "items") == "i1,i2")
        #expect(try device.text("Label", "t1", "items") == "i1,i2")
    }

    // In a separate process, which simulates a full disk.
    @Test("of a migration that runs out of disk space leaves the old file, complete")
    func fullDisk() async {
        await #expect(processExitsWith: .success) {
            let device = try Device("crash", on: LocalCloud.inMemory(), model: ShopModel.make())
            try ShopModel.fill(device)
            device.close()
            let failures = try FullDisk.growing(from: 4096) {
                try device.open(model: CrashedMigrationTests.newModel())
            } afterFailure: {
                let file = StoreFile(url: device.file, isReadOnly: false)
                let hashes = try file.metadata()[NSStoreModelVersionHashesKey]
                #expect((hashes as? [String: Data])?["Tag"] != nil)
            }
            #expect(failures > 0)
            for entity in ["Box b1", "Label t1"] {
                let words = entity.components(separatedBy: " ")
                let items = try device.text(words[0], words[1], "items")
                #expect(items == "i1,i2", "\(entity): \(items)")
            }
        }
    }
}
