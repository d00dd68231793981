import CoreData
import LocalCloud
import Testing

@testable import Seam3

@Suite("A page that is applied in several transactions") struct PageInPartsTests {
    /// Two devices with the same clocks, the second of which takes one change in a transaction.
    private static func pair(limit: Int) async throws -> (Device, Device) {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud, options: [StepLimits.option: NSNumber(value: limit)])
        for name in ["Paris", "Rome"] { try a.add("Zone", ["name": name]) }
        for number in 0..<4 { try a.add("Clock", ["label": "\(number)", "note": "old"]) }
        try a.relate("0", "timeZone", to: "Paris")
        try a.relate("1", "timeZone", to: "Paris")
        try await Device.settle(a, b)
        return (a, b)
    }

    /// Edits, insertions, deletions, and relationships that change on both sides.
    private static func changeMuch(_ device: Device) throws {
        try device.change("0", ["note": "new"])
        try device.relate("0", "timeZone", to: "Rome")
        try device.delete("1")
        try device.add("Folder", ["name": "inbox"])
        for number in 4..<8 { try device.add("Clock", ["label": "\(number)"]) }
        try device.relate("2", "folder", to: "inbox")
        try device.relate("5", "folder", to: "inbox")
        try device.delete("3")
    }

    @Test("is the same page in the end", arguments: [1, 2, 3, 200])
    func converges(limit: Int) async throws {
        let (a, b) = try await Self.pair(limit: limit)
        try Self.changeMuch(a)
        try b.change("0", ["position": 7])
        try await Device.settle(a, b)
        #expect(try b.table() == a.table())
        #expect(try b.store.checkInvariants().isEmpty)
    }

    @Test("is complete after the next sync, at whichever statement the process was killed")
    func kill() async {
        // The logger, which all stores share, makes the copies.
        await #expect(processExitsWith: .success) {
            let (a, b) = try await PageInPartsTests.pair(limit: 1)
            try PageInPartsTests.changeMuch(a)
            try await a.store.sync()
            let expected = try a.table()
            b.close()
            let crashes = try CrashCopies(of: b.directory)
            crashes.start()
            try b.open(model: ClockModel.make())
            try await b.store.sync()
            let copies = try crashes.stop()
            #expect(copies.count > 100, "\(copies.count)")
            // Most statements in a row leave the same.
            for place in stride(from: 0, to: copies.count, by: 13) {
                b.close()
                try StoreFiles.replace(b.directory, by: copies[place])
                try b.open(model: ClockModel.make())
                try await b.store.sync()
                let table = try b.table()
                #expect(table == expected, "\(place)")
                let violations = try b.store.checkInvariants()
                #expect(violations.isEmpty, "\(place): \(violations)")
            }
        }
    }
}

@Suite("A context that merges") struct MergeInPartsTests {
    @Test(
        "tells of so many objects at once, and shows none that refers to a deleted one",
        arguments: [1, 2, 100])
    func slices(limit: Int) async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud, options: [StepLimits.option: NSNumber(value: limit)])
        for name in ["Paris", "Rome"] { try a.add("Zone", ["name": name]) }
        for number in 0..<6 {
            try a.add("Clock", ["label": "\(number)"])
            try a.relate("\(number)", "timeZone", to: number < 4 ? "Paris" : "Rome")
        }
        try await Device.settle(a, b)
        let shown = try Shown(in: b)
        try a.edit { context in
            for number in 0..<3 { context.delete(try Device.clock("\(number)", in: context)) }
            try Device.clock("3", in: context).setValue("new", forKey: "note")
        }
        for number in 6..<9 { try a.add("Clock", ["label": "\(number)"]) }
        try a.relate("5", "timeZone", to: "Paris")
        try await a.store.sync()
        try await b.store.sync()
        let (counts, dangling) = shown.end()
        #expect(counts.count > 1 || limit == 100)
        #expect(counts.allSatisfy { $0 <= limit }, "\(counts)")
        #expect(dangling == 0)
        #expect(try b.table() == a.table())
    }

    /// All objects of a context, with what its notifications tell.
    private final class Shown {
        private let context: NSManagedObjectContext
        private let objects: [NSManagedObject]
        private var observer: (any NSObjectProtocol)?
        private var counts: [Int] = []
        private var danglingCount = 0

        init(in device: Device) throws {
            context = device.context
            objects = try device.read { context in
                let all = try ["Zone", "Clock"].flatMap { try Device.all($0, in: context) }
                for object in all {
                    for name in object.entity.relationshipsByName.keys {
                        _ = (object.value(forKey: name) as? Set<NSManagedObject>)?.count
                    }
                }
                return all
            }
            observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { [unowned self] in note($0) }
        }

        private func note(_ notification: Notification) {
            let keys = [
                NSInsertedObjectsKey, NSUpdatedObjectsKey, NSRefreshedObjectsKey,
                NSDeletedObjectsKey,
            ]
            let changed = keys.map {
                notification.userInfo?[$0] as? Set<NSManagedObject> ?? []
            }
            counts.append(changed.reduce(into: Set()) { $0.formUnion($1) }.count)
            for zone in objects where zone.entity.name == "Zone" && !zone.isFault {
                let clocks = zone.value(forKey: "clocks") as? Set<NSManagedObject> ?? []
                danglingCount += clocks.count { $0.managedObjectContext == nil }
            }
        }

        /// What was told until now: the number of objects in each notification, and how often one referred to an object
        /// that was gone.
        func end() -> (counts: [Int], dangling: Int) {
            context.performAndWait {
                if let observer { NotificationCenter.default.removeObserver(observer) }
                return (counts, danglingCount)
            }
        }
    }
}

@Suite("Pending merges") struct PendingMergesTests {
    private let ids: [NSManagedObjectID] = {
        let model = ClockModel.make()
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context.persistentStoreCoordinator = coordinator
        return context.performAndWait {
            (0..<5).map { _ in
                NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context).objectID
            }
        }
    }()

    /// The merges in their order.
    private func all(_ merges: PendingMerges) -> [ChangedObjectIDs] {
        var merges = merges
        var all: [ChangedObjectIDs] = []
        while let next = merges.takeFirst() { all.append(next) }
        return all
    }

    @Test("have deletions last") func deletionsLast() {
        var merges = PendingMerges()
        let changes = ChangedObjectIDs(
            inserted: [ids[0]], updated: [ids[1], ids[2]], deleted: [ids[3]])
        #expect(merges.add(changes, largest: 1) == 4)
        #expect(all(merges).map(\.deleted) == [[], [], [], [ids[3]]])
    }

    @Test("are filled up by later commits") func filled() {
        var merges = PendingMerges()
        #expect(merges.add(ChangedObjectIDs(updated: [ids[0]]), largest: 2) == 1)
        #expect(merges.add(ChangedObjectIDs(updated: [ids[1]]), largest: 2) == 0)
        #expect(merges.add(ChangedObjectIDs(updated: [ids[2]]), largest: 2) == 1)
        #expect(all(merges).map(\.updated) == [[ids[0], ids[1]], [ids[2]]])
    }

    @Test("do not insert what a later commit has deleted") func deletedAgain() {
        var merges = PendingMerges()
        _ = merges.add(ChangedObjectIDs(inserted: [ids[0]], updated: [ids[1]]), largest: 2)
        _ = merges.add(ChangedObjectIDs(deleted: [ids[0], ids[1]]), largest: 2)
        let all = all(merges)
        #expect(all.allSatisfy { $0.inserted.isEmpty && $0.updated.isEmpty })
        #expect(all.reduce(into: Set()) { $0.formUnion($1.deleted) } == [ids[0], ids[1]])
    }

    @Test("do not delete what a later commit has inserted again") func insertedAgain() {
        var merges = PendingMerges()
        _ = merges.add(ChangedObjectIDs(deleted: [ids[0]]), largest: 1)
        _ = merges.add(ChangedObjectIDs(inserted: [ids[0]]), largest: 1)
        let all = all(merges)
        #expect(all.allSatisfy { $0.deleted.isEmpty })
        #expect(all.contains { $0.inserted == [ids[0]] })
        #expect(all.contains { $0.updated == [ids[0]] })
    }
}
