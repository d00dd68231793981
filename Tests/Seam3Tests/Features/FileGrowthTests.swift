import CoreData
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

@Suite("The files of a store shrink again") struct FileGrowthTests {
    private static func size(_ device: Device, _ suffix: String) -> Int {
        let path = device.file.path + suffix
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func fill(_ device: Device, _ count: Int) throws {
        try device.edit { context in
            let rows = (0..<count).map { index in
                ["label": "\(index)", "note": String(repeating: "n", count: 2000)]
            }
            _ = try context.execute(NSBatchInsertRequest(entityName: "Clock", objects: rows))
        }
    }

    private static func empty(_ device: Device) throws {
        try device.edit { context in
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Clock")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: request))
        }
    }

    @Test("when objects have come and gone") func deletion() async throws {
        let device = try Device(on: LocalCloud.inMemory())
        for _ in 1...2 {
            try Self.fill(device, 3000)
            #expect(Self.size(device, "") + Self.size(device, "-wal") > 5_000_000)
            try Self.empty(device)
        }
        try device.relaunch()
        try device.add("Clock", ["label": "one"])
        #expect(Self.size(device, "") < 2_000_000, "\(Self.size(device, ""))")
    }

    @Test("when objects have come from the server and gone") func pulled() async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try Self.fill(a, 1500)
        try await Device.settle(a, b)
        #expect(Self.size(b, "") + Self.size(b, "-wal") > 3_000_000)
        try Self.empty(a)
        try await Device.settle(a, b)
        try b.relaunch()
        try await b.store.sync()
        #expect(try b.count("Clock") == 0)
        #expect(Self.size(b, "") < 1_500_000, "\(Self.size(b, ""))")
    }

    @Test("and the log shrinks without a relaunch") func log() async throws {
        let device = try Device(on: LocalCloud.inMemory())
        // The first save also writes what Core Data has added to the metadata.
        try device.add("Clock", ["label": "first"])
        // A log above what a save leaves.
        try Self.fill(device, 8000)
        let bound = 4096 * StoreDatabase.pagesBeforeCheckpointBySave
        #expect(Self.size(device, "-wal") > bound)
        for number in 0..<20 { try device.add("Clock", ["label": "small \(number)"]) }
        #expect(Self.size(device, "-wal") <= 8_000_000, "\(Self.size(device, "-wal"))")
    }

    @Test("when the store is emptied") func reset() throws {
        let device = try Device(on: LocalCloud.inMemory())
        try Self.fill(device, 3000)
        try device.store.resetBackingStore()
        try device.relaunch()
        #expect(Self.size(device, "") < 2_000_000, "\(Self.size(device, ""))")
    }

    @Test("also a file that was made before they did") func olderFile() throws {
        let device = try Device(on: LocalCloud.inMemory())
        try Self.fill(device, 3000)
        device.close()
        let connection = try SQLiteConnection(path: device.file.path)
        try connection.execute("PRAGMA auto_vacuum = NONE")
        try connection.execute("VACUUM")
        try device.open(model: ClockModel.make())
        try Self.empty(device)
        for _ in 1...2 { try device.relaunch() }
        #expect(Self.size(device, "") < 2_000_000, "\(Self.size(device, ""))")
    }
}
