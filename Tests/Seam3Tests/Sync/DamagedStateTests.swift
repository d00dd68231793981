import CloudKit
import CoreData
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// An unreadable value in the file, caused by the disk or by another program.
@Suite("A damaged value of the file stops nothing else") struct DamagedStateTests {
    let cloud = LocalCloud.inMemory()

    /// The replacement for the value.
    enum Damage: String, CaseIterable {
        case nothing = "NULL"
        case empty = "x''"
        case bytes = "x'00ff00ff00ff'"
        case text = "'text'"
        case number = "7"
        case otherArchive
        case archiveOfOtherClass
        case truncated
        case turned

        private static func literal(_ data: Data) -> String {
            "x'" + data.map { String(format: "%02x", $0) }.joined() + "'"
        }

        /// The SQL expression for a column.
        func expression(_ column: String) throws -> String {
            switch self {
            case .nothing, .empty, .bytes, .text, .number: return rawValue
            case .otherArchive:
                let data = try NSKeyedArchiver.archivedData(
                    withRootObject: NSString(string: "other"), requiringSecureCoding: true)
                return Self.literal(data)
            case .archiveOfOtherClass:
                let data = try NSKeyedArchiver.archivedData(
                    withRootObject: NSArray(array: ["other"]), requiringSecureCoding: true)
                return Self.literal(data)
            case .truncated: return "substr(\(column), 1, length(\(column)) / 2)"
            case .turned: return "CAST(replace(hex(\(column)), '0', 'F') AS BLOB)"
            }
        }
    }

    /// Two devices that both have the clocks "one" and "two". The first has waiting edits.
    private func devices() async throws -> (a: Device, b: Device) {
        let a = try Device("a", on: cloud, policy: .mergeByProperty)
        let b = try Device("b", on: cloud, policy: .mergeByProperty)
        try a.add("Folder", ["name": "family"])
        for label in ["one", "two"] { try a.add("Clock", ["label": label]) }
        try await Device.settle(a, b)
        return (a, b)
    }

    private func damage(_ device: Device, _ statement: String) throws {
        device.close()
        try SQLiteConnection(path: device.file.path).execute(statement)
        try device.open(model: ClockModel.make())
    }

    /// Expects that edits of each device reach the other one, although the file was damaged.
    private func expectSyncGoesOn(
        _ a: Device, _ b: Device, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try b.change("one", ["note": "by b"])
        try b.add("Clock", ["label": "three"])
        try await b.store.sync()
        for _ in 1...2 {
            if let error = await a.attemptSync() {
                Issue.record("\(error)", sourceLocation: sourceLocation)
            }
        }
        try await b.store.sync()
        try expectAgreement(a, b, sourceLocation: sourceLocation)
        #expect(try a.value("note", of: "one") == "by b", sourceLocation: sourceLocation)
        #expect(try b.value("position", of: "one") == 7, sourceLocation: sourceLocation)
        #expect(try b.value("position", of: "two") == 7, sourceLocation: sourceLocation)
        #expect(try b.count("Clock") == 4, sourceLocation: sourceLocation)
        #expect(try a.store.checkInvariants() == [], sourceLocation: sourceLocation)
    }

    private func editSome(_ device: Device) throws {
        for label in ["one", "two"] { try device.change(label, ["position": 7]) }
        try device.add("Clock", ["label": "new"])
    }

    @Test(
        "a change token counts as expired", arguments: ["zone_token", "database_token"],
        Damage.allCases)
    func token(key: String, damage: Damage) async throws {
        let (a, b) = try await devices()
        try editSome(a)
        try self.damage(
            a,
            "UPDATE OR IGNORE sm_sync SET \(key) = \(try damage.expression(key))")
        try await expectSyncGoesOn(a, b)
    }

    @Test("a record whose system fields are lost is fetched again", arguments: Damage.allCases)
    func systemFields(damage: Damage) async throws {
        for isAll in [false, true] {
            let (a, b) = try await devices()
            try editSome(a)
            let whole = isAll ? "" : " WHERE pk = (SELECT pk FROM Clock WHERE label = 'one')"
            try self.damage(
                a,
                "UPDATE sm_object SET system_fields = \(try damage.expression("system_fields"))"
                    + whole)
            try await expectSyncGoesOn(a, b)
            for device in [a, b] {
                try device.edit { context in
                    for entity in ["Clock", "Folder"] {
                        for object in try Device.all(entity, in: context) { context.delete(object) }
                    }
                }
                try await device.store.sync()
            }
        }
    }

    @Test("a deletion of a record whose system fields are lost is sent", arguments: Damage.allCases)
    func deletion(damage: Damage) async throws {
        let (a, b) = try await devices()
        try a.delete("one")
        try self.damage(
            a, "UPDATE sm_object SET system_fields = \(try damage.expression("system_fields"))")
        for _ in 1...2 { #expect(await a.attemptSync() == nil) }
        try await b.store.sync()
        try expectAgreement(a, b)
        #expect(try b.count("Clock") == 1)
    }

    @Test(
        "an object that another device has made again survives, with the same values too",
        arguments: Damage.allCases)
    func madeAgain(damage: Damage) async throws {
        let (a, b) = try await devices()
        let client = RawClient(cloud)
        let record = try #require(
            try await client.records(ofType: "Clock").first { $0["label"] as? String == "one" })
        try await client.delete(record.recordID.recordName)
        try await client.save(
            client.record("Clock", named: record.recordID.recordName, ["label": "one"]))
        try a.delete("one")
        try self.damage(
            a, "UPDATE sm_object SET system_fields = \(try damage.expression("system_fields"))")
        for _ in 1...2 { #expect(await a.attemptSync() == nil) }
        try await b.store.sync()
        try expectAgreement(a, b)
        #expect(try b.count("Clock") == 2)
    }

    @Test(
        "a waiting change whose base values are lost is sent anyway",
        arguments: ["changes", "requests"], Damage.allCases)
    func change(column: String, damage: Damage) async throws {
        // A missing value cannot be unreadable.
        guard damage != .nothing else { return }
        let (a, b) = try await devices()
        try editSome(a)
        await a.syncSendingNothing(on: cloud)
        try self.damage(
            a, "UPDATE sm_outbox SET \(column) = \(try damage.expression(column))")
        try await b.store.sync()
        for _ in 1...2 {
            if let error = await a.attemptSync() { Issue.record("\(error)") }
        }
        try await b.store.sync()
        try expectAgreement(a, b)
        #expect(try b.value("position", of: "two") == 7)
        #expect(try b.count("Clock") == 3)
    }

    @Test(
        "the record of the last sync is forgotten",
        arguments: ["retry_after", "last_success", "last_error", "failure_count", "is_subscribed"],
        Damage.allCases)
    func notes(key: String, damage: Damage) async throws {
        let (a, b) = try await devices()
        await a.syncSendingNothing(on: cloud)
        try editSome(a)
        await a.syncSendingNothing(on: cloud)
        try self.damage(
            a,
            "UPDATE OR IGNORE sm_sync SET \(key) = \(try damage.expression(key))")
        _ = try a.store.syncStatus()
        try await expectSyncGoesOn(a, b)
    }

    @Test(
        "a value that is needed to open the file is an error, or created again",
        arguments: ["model", "metadata", "names"], Damage.allCases)
    func structure(key: String, damage: Damage) async throws {
        let expression = try damage.expression("value")
        // In a separate process, because damage might end it.
        await #expect(processExitsWith: .success) {
            [key = key as String, expression = expression as String] in
            let device = try Device(on: LocalCloud.inMemory())
            try device.add("Clock", ["label": "one"])
            device.close()
            try SQLiteConnection(path: device.file.path).execute(
                "UPDATE OR IGNORE sm_metadata SET value = \(expression) WHERE key = '\(key)'")
            do {
                try device.open(model: ClockModel.make())
            } catch {
                return
            }
            #expect(try device.value("label", of: "one") == "one")
            try device.change("one", ["note": "edited"])
        }
    }
}
