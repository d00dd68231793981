import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import SeamSQLite
import Testing

@testable import Seam3

/// A file from elsewhere may have any number in any place.
@Suite("A number of the file ends nothing") struct HostileNumberTests {
    static let numbers: [Int64] = [.min, .min + 1, -1, 0, 1 << 62, .max - 1, .max]

    /// The columns of numbers. The table of the clocks stands for all tables of entities.
    static let columns = [
        "Clock.version", "Clock.entity", "sm_object.entity", "sm_object.was_sent",
        "sm_outbox.revision", "sm_outbox.refusals", "sm_outbox.next_try", "sm_sequence.next_pk",
        "sm_sequence.next_revision", "sm_sequence.last_transaction", "sm_sync.sweep",
        "sm_sync.last_success",
        "sm_sync.failure_count", "sm_sync.retry_after", "sm_sync.file", "sm_sync.lease_process",
        "sm_sync.lease_expiry", "sm_tombstone.number", "sm_tombstone.pk", "sm_entity.root",
    ]

    let cloud = LocalCloud.inMemory()

    @Test("that it counts, compares, or adds to", arguments: columns)
    func column(path: String) async throws {
        let names = path.split(separator: ".").map(String.init)
        for number in Self.numbers {
            let device = try Device(on: cloud)
            for label in ["one", "two", "three"] { try device.add("Clock", ["label": label]) }
            try await device.store.sync()
            try device.delete("three")
            try await device.store.sync()
            try device.change("one", ["note": "waits"])
            device.close()
            try SQLiteConnection(path: device.file.path).execute(
                "UPDATE OR IGNORE \(names[0]) SET \(names[1]) = ?", [.integer(number)])
            // Whatever fails throws an error.
            try? device.open(model: ClockModel.make())
            let stores = device.container.persistentStoreCoordinator.persistentStores
            guard !stores.isEmpty else { continue }
            await use(device)
            await device.syncSendingNothing(on: cloud)
            await use(device)
        }
    }

    private func use(_ device: Device) async {
        // What is damaged may not be found.
        try? device.edit { context in
            for clock in try Device.all("Clock", in: context) {
                clock.setValue(7, forKey: "position")
            }
        }
        _ = try? device.add("Clock", ["label": "new"])
        try? device.edit { context in
            let update = NSBatchUpdateRequest(entityName: "Clock")
            update.propertiesToUpdate = ["note": "all"]
            _ = try context.execute(update)
        }
        try? device.edit { context in
            try Device.all("Clock", in: context).last.map(context.delete)
        }
        for _ in 1...2 { _ = await device.attemptSync() }
        _ = try? device.store.syncStatus()
        _ = try? device.store.checkInvariants()
        _ = try? device.table()
    }

    @Test("of an object that is deleted", arguments: [1 << 62, .max - 1, .max] as [Int64])
    func key(number: Int64) throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "one"])
        device.close()
        let connection = try SQLiteConnection(path: device.file.path)
        for table in ["Clock", "sm_object", "sm_outbox"] {
            try connection.execute("UPDATE \(table) SET pk = ?", [.integer(number)])
        }
        try device.open(model: ClockModel.make())
        try device.deleteAll("Clock")
        #expect(try device.count("Clock") == 0)
    }

    @Test("of a change's layers and requests, also in a migration", arguments: numbers)
    func layers(number: Int64) throws {
        var encoder = PropertyValues.Encoder()
        encoder.append("", .integer(number))
        encoder.append("enote", .text("before"))
        let stored = SQLiteValue.blob(encoder.data)
        for distance in [SequenceTable.numbers.upperBound, -SequenceTable.numbers.upperBound] {
            _ = ChangeLayers(stored: stored)?.shifted(by: 2 * distance).stored
        }
        var requests = PropertyValues.Encoder()
        requests.append("", .integer(number))
        let known = [SentRequest](stored: .blob(requests.data))
        #expect(known.isEmpty != OutboxTable.revisions.contains(number))
    }

    @Test("of the edit stamps in a record or in the file", arguments: numbers)
    func stamps(number: Int64) throws {
        let version = UInt64(bitPattern: number)
        for isOrigin in [false, true] {
            var bytes: [UInt8] = [isOrigin ? 0x81 : 1]
            bytes.append(number: UInt64(1))
            bytes.append(variable: isOrigin ? 3 : version)
            if isOrigin {
                bytes.append(number: UInt64(2))
                bytes.append(variable: version)
            }
            bytes.append(0)
            let stamps = EditStamps(Data(bytes))
            #expect((stamps != nil) == (1...EditStamps.lastVersion).contains(version))
            guard let stamps else { continue }
            #expect(EditStamps(stamps.encoded) == stamps)
            #expect(KnownEdits(stored: KnownEdits(stamps).stored)?.stamps == stamps)
        }
    }

    @Test("of the version of a row of Core Data's file", arguments: numbers)
    func adopted(number: Int64) throws {
        let model = NSManagedObjectModel(
            NSEntityDescription("Item", [NSAttributeDescription("name", .stringAttributeType)]))
        let file = try AdoptedFile(model, [CoreDataFileWriter.Row("Item", 1, ["name": "a"])])
        for column in ["Z_OPT", "Z_PK"] {
            try file.change("UPDATE ZITEM SET \(column) = ?", [.integer(number)])
        }
        let stack = try file.open()
        try stack.perform { context in
            for item in try Device.all("Item", in: context) { item.setValue("b", forKey: "name") }
            try context.save()
        }
        #expect(try stack.names("Item") == ["b"])
    }

    @Test("that a table has twice") func twice() throws {
        let model = NSManagedObjectModel(
            NSEntityDescription("Item", [NSAttributeDescription("name", .stringAttributeType)]))
        let file = try AdoptedFile(model, [CoreDataFileWriter.Row("Item", 1, ["name": "a"])])
        try file.change("ALTER TABLE ZITEM RENAME TO other")
        try file.change("CREATE TABLE ZITEM AS SELECT * FROM other UNION ALL SELECT * FROM other")
        _ = try? file.open()
    }
}
