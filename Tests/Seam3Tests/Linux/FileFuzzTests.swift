import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import SeamSQLite
import SeededRandom
import Testing

@testable import Seam3

/// A file, a record or a push from anybody gives an error or a value, in a bounded time.
@Suite("Fuzzing of files, records and pushes") struct FileFuzzTests {
    private let cloud = LocalCloud.inMemory()

    /// A device with objects in all states: sent, changed, deleted, new, refused.
    private func device() async throws -> Device {
        let device = try Device(
            on: cloud, policy: .mergeByProperty,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        try device.add("Folder", ["name": "family"])
        for label in ["one", "two", "three", "four"] {
            try device.add("Clock", ["label": label, "chime": Data([1, 2, 3])])
        }
        try device.relate("one", "folder", to: "family")
        try await device.store.sync()
        try device.delete("four")
        try await device.store.sync()
        try device.change("one", ["note": "waits"])
        try device.delete("three")
        try device.add("Clock", ["label": "new"])
        await device.syncSendingNothing(on: cloud)
        try device.change("two", ["position": 3])
        return device
    }

    /// Everything that reads the file, and much that writes it.
    private func use(_ file: URL, in folder: URL) async {
        guard
            let device = try? Device(
                "fuzzed", on: cloud, policy: .mergeByProperty, file: file,
                options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        else { return }
        _ = try? device.table()
        _ = try? device.add("Clock", ["label": "added"])
        try? device.edit { context in
            let clocks = try Device.all("Clock", in: context)
            for clock in clocks { clock.setValue(7, forKey: "position") }
            clocks.last.map(context.delete)
        }
        try? device.edit { context in
            let update = NSBatchUpdateRequest(entityName: "Clock")
            update.propertiesToUpdate = ["note": "all"]
            _ = try context.execute(update)
            let history = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            _ = try context.execute(history)
        }
        _ = await device.attemptSync()
        _ = await device.attemptSync(complete: true)
        _ = try? device.store.syncStatus()
        _ = try? device.store.checkInvariants()
        try? device.store.resetCloudFieldsInBackingStore()
        _ = await device.attemptSync()
    }

    private func copy(_ file: URL, to folder: URL) throws -> URL {
        let copy = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.copyItem(at: file, to: copy)
        return copy
    }

    /// Replaces a few values in the tables of a file.
    private func damageValues(of file: URL, _ random: inout SeededGenerator) throws {
        let connection = try SQLiteConnection(path: file.path)
        let tables = try connection.rows(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1"
        ) { $0.text(at: 0) }
        .filter { !$0.hasPrefix("sqlite_stat") }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let table = random.pick(tables) else { return }
            let columns = try connection.rows("PRAGMA table_info(\(table.sqlIdentifier))") {
                $0.text(at: 1)
            }
            guard let column = random.pick(columns)?.sqlIdentifier else { continue }
            let rows = try connection.rows("SELECT \(column) FROM \(table.sqlIdentifier)") {
                $0.value(at: 0)
            }
            guard let old = random.pick(rows) else { continue }
            let condition =
                Bool.random(using: &random) ? " WHERE \(column) IS ?2" : " WHERE ?2 IS ?2"
            try? connection.execute(
                "UPDATE OR IGNORE \(table.sqlIdentifier) SET \(column) = ?1" + condition,
                [damaged(old, &random), old])
        }
        try connection.execute("PRAGMA journal_mode = DELETE")
    }

    private func damaged(_ value: SQLiteValue, _ random: inout SeededGenerator) -> SQLiteValue {
        switch (value, Int.random(in: 0..<6, using: &random)) {
        case (_, 0): return .integer(random.pick(SeededGenerator.oddNumbers) ?? 0)
        case (_, 1):
            return random.pick([
                .null, .text(""), .blob(Data()), .real(.infinity), .real(1e300),
                .text(String(repeating: "x", count: 300)),
            ]) ?? .null
        case (.blob(let data), _): return .blob(Data(random.damaged([UInt8](data))))
        case (.text(let text), _): return .text(random.damaged(text))
        case (.integer(let number), _):
            return .integer(number ^ (1 << Int64.random(in: 0..<64, using: &random)))
        case (_, _): return .real(-1e300)
        }
    }

    @Test("of a store's file: its values") func values() async throws {
        let folder = try TestFolder()
        let device = try await device()
        device.close()
        try SQLiteConnection(path: device.file.path).execute("PRAGMA journal_mode = DELETE")
        let slow = try await FuzzRun("values of a store", rounds: 25).run { random in
            let copy = try copy(device.file, to: folder.url)
            try damageValues(of: copy, &random)
            await use(copy, in: folder.url)
        }
        #expect(slow.isEmpty)
    }

    @Test("of a store's file: its bytes") func bytes() async throws {
        let folder = try TestFolder()
        let device = try await device()
        device.close()
        try SQLiteConnection(path: device.file.path).execute("PRAGMA journal_mode = DELETE")
        let whole = [UInt8](try Data(contentsOf: device.file))
        let slow = try await FuzzRun("bytes of a store", rounds: 20).run { random in
            let copy = folder.url.appendingPathComponent(UUID().uuidString)
            try Data(random.damaged(whole, with: whole)).write(to: copy)
            await use(copy, in: folder.url)
        }
        #expect(slow.isEmpty)
    }

    @Test("of Core Data's file, which is adopted") func adopted() throws {
        let list = NSAttributeDescription("list", .transformableAttributeType)
        let place = NSAttributeDescription("place", .decimalAttributeType)
        let item = NSEntityDescription(
            "Item", [NSAttributeDescription("name", .stringAttributeType), list, place])
        let tag = NSEntityDescription("Tag", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join((item, "tags", 0), (tag, "items", 0))
        let model = NSManagedObjectModel(item, tag)
        var row = CoreDataFileWriter.Row(
            "Item", 1, ["name": "a", "place": .real(1.5), "list": .blob(Data([1, 2, 3]))])
        row.toManys = ["tags": [1]]
        let file = try AdoptedFile(
            model, [row, CoreDataFileWriter.Row("Tag", 1, ["name": "b"])])
        try file.addRecordColumns(to: "ZITEM")
        try file.addChange(1, of: "x", changing: ["name"])
        try file.change("PRAGMA journal_mode = DELETE")
        let whole = [UInt8](try Data(contentsOf: file.url))
        let folder = try TestFolder()
        let slow = try FuzzRun("files of Core Data", rounds: 60).run { random in
            let copy = folder.url.appendingPathComponent("\(UUID().uuidString).sqlite")
            if Bool.random(using: &random) {
                try Data(random.damaged(whole, with: whole)).write(to: copy)
            } else {
                try FileManager.default.copyItem(at: file.url, to: copy)
                try damageValues(of: copy, &random)
            }
            _ = try? SMStore.adoptFile(
                at: copy, model: model, isDryRun: Bool.random(using: &random))
        }
        #expect(slow.isEmpty)
    }

    @Test("of the bytes in a record and in columns") func columns() throws {
        let record = CKRecord(
            recordType: "Clock", recordID: CKRecord.ID(recordName: "a", zoneID: StoreZone.id))
        var stamps = EditStamps(chain: 1, version: 300)
        stamps.origin = .init(chain: 2, version: 7)
        stamps.note(.init(file: 3, token: 4, version: 300))
        stamps.stamps = [1: .init(edit: 5, digest: 6), 2: .init(edit: 300, digest: nil)]
        var layers = ChangeLayers(
            PropertyValues(["note": .text("a"), "n": .integer(1), "d": .blob(Data([1]))]), .edit,
            revision: 3)
        layers.note(PropertyValues(["b": .null]), .removal, revision: 5, sent: 4)
        let requests = [SentRequest(token: 7, revision: 3), SentRequest(revision: 4)]
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        let whole: [[UInt8]] = [
            [UInt8](SystemFields.data(of: SMCloudRecord(record))), [UInt8](archiver.encodedData),
            [UInt8](stamps.encoded), [UInt8](KnownEdits(stamps).stored),
            [UInt8](layers.stored.blob ?? Data()), [UInt8](requests.stored.blob ?? Data()),
            [UInt8](
                KeyedArchiveWriter.archive(
                    .object("CKServerChangeToken", ["ChangeTokenData": "token"]))),
        ]
        let slow = FuzzRun("columns", rounds: 5_000).run { random in
            let data = Data(
                random.damaged(random.pick(whole) ?? [], with: random.pick(whole) ?? []))
            _ = try? SystemFields.record(from: data)
            _ = try? ChangeTokenArchive.token(data)
            if let stamps = EditStamps(data) { _ = stamps.encoded }
            if let edits = KnownEdits(stored: data) { _ = edits.stored }
            if let layers = ChangeLayers(stored: .blob(data)) {
                _ = layers.shifted(by: 1 << 60).stored
                _ = layers.base
            }
            _ = [SentRequest](stored: .blob(data)).stored
            _ = try? Inflate.unpacked(data, limit: 1 << 20)
            _ = ZoneIdentity(data)
        }
        #expect(slow.isEmpty)
    }

    @Test("of pushes") func pushes() async throws {
        let device = try Device(on: cloud)
        let values: [Any] = [
            "text", "", 0, -1, 1.5, Double.nan, Double.infinity, Int64.min, true, Data([1]), Date(),
            NSNull(), [1, "a"] as [Any], ["a": 1] as [String: Any], [] as [Any], UUID().uuidString,
            StoreZone.name, StoreZone.subscriptionID, String(repeating: "x", count: 300),
        ]
        let keys = [
            "ck", "aps", "ce", "cid", "nid", "ckuserid", "met", "fet", "qry", "zid", "zoid", "sid",
            "dbs", "rid", "fo", "af", "alert", "badge", "sound", "content-available", "category",
        ]
        func dictionary(_ random: inout SeededGenerator, _ depth: Int) -> [AnyHashable: Any] {
            var result: [AnyHashable: Any] = [:]
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let key = random.pick(keys) ?? ""
                result[key] =
                    depth < 4 && Bool.random(using: &random)
                    ? dictionary(&random, depth + 1) : random.pick(values)
            }
            return result
        }
        let slow = await FuzzRun("pushes", rounds: 1_000).run { random in
            var push = dictionary(&random, 0)
            if Bool.random(using: &random) { push["ck"] = dictionary(&random, 1) }
            if let notification = CKNotification(fromRemoteNotificationDictionary: push) {
                _ = notification.description
                _ = notification.subscriptionID
                _ = (notification as? CKQueryNotification)?.recordFields
                _ = (notification as? CKRecordZoneNotification)?.recordZoneID
            }
            await withCheckedContinuation { continuation in
                device.store.handlePush(userInfo: push) { _ in continuation.resume() }
            }
        }
        #expect(slow.isEmpty)
    }
}
