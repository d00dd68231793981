import CoreData
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

@Suite("The cached rows of a store", .tags(.boundedGrowth)) struct RowCacheBesideSyncTests {
    private let cloud = LocalCloud.inMemory()
    private let device: Device
    private let other: Device

    init() async throws {
        device = try Device("device", on: cloud)
        other = try Device("other", on: cloud)
        for label in ["a", "b", "c"] { try device.add("Clock", ["label": label]) }
        try await Device.settle(device, other)
        // A merge reads what it merges.
        device.context.automaticallyMergesChangesFromParent = false
    }

    /// The labels of the clocks in the file as a context sees them, and how many statements have read the clocks' rows.
    private func shown(
        _ objects: [NSManagedObject]
    ) throws -> (labels: [String?], reads: Int) {
        var statements: [String] = []
        let connection = try device.store.lock.locked { try device.store.database().connection }
        connection.trace = { statements.append($0) }
        defer { connection.trace = nil }
        let labels = try device.read { context in
            objects.map { object -> String? in
                context.refresh(object, mergeChanges: false)
                return object.value(forKey: "label") as? String
            }
        }
        return (labels, statements.filter { $0.contains("FROM \"Clock\"") }.count)
    }

    private func clocks() throws -> [NSManagedObject] {
        let objects = try device.read { context in
            try ["a", "b", "c"].map { try Device.clock($0, in: context) }
        }
        _ = try shown(objects)
        return objects
    }

    @Test("lack only what a sync has changed")
    func sync() async throws {
        let objects = try clocks()
        #expect(try shown(objects).reads == 0)
        try other.change("b", ["label": "changed"])
        try await other.store.sync()
        try await device.store.sync()
        let (labels, reads) = try shown(objects)
        #expect(labels == ["a", "changed", "c"])
        #expect(reads == 1)
    }

    @Test("stay when a sync only sends")
    func push() async throws {
        let objects = try clocks()
        try device.change("b", ["label": "changed"])
        _ = try shown(objects)
        try await device.store.sync()
        #expect(try shown(objects).reads == 0)
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("are all read again after another process has saved, beside a sync, too")
    func otherProcess() async throws {
        let objects = try clocks()
        let process = try device.anotherContainer(model: ClockModel.make())
        let context = process.newBackgroundContext()
        try context.performAndWait {
            try Device.clock("c", in: context).setValue("elsewhere", forKey: "label")
            try context.save()
        }
        try other.change("b", ["label": "changed"])
        try await other.store.sync()
        try await device.store.sync()
        let (labels, reads) = try shown(objects)
        #expect(labels == ["a", "changed", "elsewhere"])
        #expect(reads == 3)
    }

    @Test("are all read again after somebody has written who is not a store")
    func stranger() throws {
        let objects = try clocks()
        let connection = try SQLiteConnection(path: device.file.path)
        try connection.execute("UPDATE Clock SET label = 'written' WHERE label = 'a'")
        #expect(try shown(objects).labels == ["written", "b", "c"])
    }
}

@Suite("Announced transactions") struct TransactionAnnouncementTests {
    private let announcements = TransactionAnnouncements()

    init() { announcements.begin(after: 5) }

    @Test("tell the rows of all that were committed since the last look")
    func rows() {
        announcements.announce(6, changing: [1, 2])
        announcements.announce(7, changing: [])
        announcements.announce(8, changing: [2, 3])
        #expect(announcements.take(upTo: 7) == [1, 2])
        #expect(announcements.take(upTo: 8) == [2, 3])
    }

    @Test("tell nothing if one between them was not announced")
    func gap() {
        announcements.announce(6, changing: [1])
        announcements.announce(8, changing: [2])
        #expect(announcements.take(upTo: 8) == nil)
        announcements.announce(9, changing: [3])
        #expect(announcements.take(upTo: 9) == [3])
    }

    @Test("tell nothing if the file has no new transaction although somebody has written")
    func uncounted() {
        #expect(announcements.take(upTo: 5) == nil)
        announcements.announce(6, changing: [])
        #expect(announcements.take(upTo: 6) == [])
    }

    @Test("tell nothing after one whose commit failed, whoever has its number then")
    func withdrawn() {
        announcements.announce(6, changing: [1])
        announcements.withdraw()
        announcements.announce(6, changing: [2])
        #expect(announcements.take(upTo: 6) == nil)
        announcements.announce(7, changing: [3])
        #expect(announcements.take(upTo: 7) == [3])
    }

    @Test("tell nothing of numbers that a file from elsewhere has", arguments: [Int64.max, .min])
    func extremes(number: Int64) {
        #expect(announcements.take(upTo: number) == nil)
        announcements.announce(number, changing: [1])
        #expect(announcements.take(upTo: number) == nil)
    }
}
