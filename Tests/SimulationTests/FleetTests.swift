import CloudKitService
import LocalCloud
import Seam3
import Testing

@testable import Judge

/// Schedules in the simulator's output format, without violations.
@Suite("A fleet")
struct FleetTests {
    @Test("whose users take turns to edit shows no violation")
    func turns() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("a")])
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("b"), "list": .object("l1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("n1", on: 1, ["count": .int(2)])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.delete("l1", on: 0)
        try await fleet.judge()
    }

    @Test("may have a link that another client made")
    func foreignLink() async throws {
        let fleet = try Fleet(Setting(mode: .hostile, policy: .clientRecordWins, devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v2")])
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun"), "x": .text("v10")])
        try await fleet.sync(0)
        try await fleet.foreign(.secondLink, "n1", "tfun")
        try await fleet.judge()
    }

    @Test(
        "sends a change that was refused once after a relaunch, while another is always refused")
    func refusedOnce() async throws {
        let fleet = try Fleet(
            Setting(mode: .poison, policy: .mergeByPropertyClientWins, devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c16", on: 0, [:])
        try await fleet.sync(0)
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.refuseRequests(with: "n1", .badRequest)
        try await fleet.refuseRecord(of: "c16", .badRequest, once: true)
        try await fleet.delete("c16", on: 0)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("agrees once all have the same model", arguments: ModelVersion.allCases)
    func versions(version: ModelVersion) async throws {
        let fleet = try Fleet(Setting(mode: .versions, policy: .mergeByProperty, version: .first))
        defer { fleet.end() }
        try await fleet.insert(
            .node, "n1", on: 0, ["title": .text("a"), "note": .text("b"), "memo": .text("c")])
        try await fleet.insert(.draft, "d1", on: 1, ["title": .text("d")])
        try await fleet.syncAll()
        // If the encryption differs, this has to be refused.
        try await fleet.upgrade(0, to: version)
        try await fleet.set("n1", on: 0, ["title": .text("e")])
        try await fleet.set("n1", on: 1, ["count": .int(9)])
        try await fleet.judge()
    }

    @Test("whose context follows the store need not save objects deleted in the meantime")
    func letGo() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .clientRecordWins))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v5")])
        try await fleet.syncAll()
        try await fleet.hold(
            7, on: 0, trump: .object, follows: true, [.set("n2", ["note": .text("v8")])])
        try await fleet.delete("n2", on: 0)
        try await fleet.sync(0)
        try await fleet.resetCloudFields(1)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.saveHeld(7, on: 0)
        try await fleet.judge()
    }

    @Test("loses photos whose file names were damaged, and no other file")
    func fileNames() async throws {
        let fleet = try Fleet(Setting(mode: .damage, policy: .mergeByProperty))
        defer { fleet.end() }
        for ident in ["n1", "n2", "n3"] {
            try await fleet.insert(.node, ident, on: 0, ["photo": .data(200_000)])
        }
        try await fleet.syncAll()
        try await fleet.damage(.fileName, on: 0)
        try await fleet.delete("n1", on: 0)
        try await fleet.set("n2", on: 0, ["photo": .data(200_001)])
        try await fleet.judge()
    }

    @Test("applies changes that arrive with a record that its files refuse")
    func refusedByFiles() async throws {
        let fleet = try Fleet(Setting(mode: .hostile, policy: .serverRecordWins))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0)
        try await fleet.syncAll()
        try await fleet.foreign(.longText, "n1", "n1")
        try await fleet.insert(.node, "n2", on: 0)
        try await fleet.syncAll()
        try await fleet.judge()
    }

    @Test(
        "agrees on values that another client writes as another type",
        arguments: [Fleet.Foreign.pathAsData, .textAsNumber, .touch])
    func otherTypes(foreign: Fleet.Foreign) async throws {
        let fleet = try Fleet(Setting(mode: .hostile, policy: .mergeByProperty))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c1", on: 0, ["title": .text("a")])
        try await fleet.syncAll()
        try await fleet.set("c1", on: 1, ["title": .text("b")])
        try await fleet.foreign(foreign, "c1", "c1")
        try await fleet.judge()
    }

    @Test("may rename an object that two devices had made one")
    func renamed() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty, devices: 3))
        defer { fleet.end() }
        try await fleet.insert(.tag, "thome", on: 2, ["name": .text("home"), "x": .text("v3")])
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.syncAll()
        try await fleet.set("thome", on: 1, ["name": .text("work")])
        try await fleet.judge()
    }

    @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
    @Test("never makes a device wait for its own running pass", .timeLimit(.minutes(1)))
    func nested() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a")])
        try await fleet.syncAll()
        for kind in [RequestKind.fetchZoneChanges, .modifyRecords] {
            try await fleet.during(kind, of: 1, afterwards: true, .sync(0))
            try await fleet.during(kind, of: 0, afterwards: false, .sync(1))
            try await fleet.set("n1", on: 0, ["title": .text("b")])
            try await fleet.set("n1", on: 1, ["count": .int(8)])
            try await fleet.sync(0)
        }
        try await fleet.judge()
    }

    @Test("whose users undo, and save children of contexts, shows no violation")
    func contexts() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a"), "photo": .data(0)])
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("b")])
        try await fleet.syncAll()
        try await fleet.saveInChild([.set("n1", ["title": .text("c")]), .delete("n2")], on: 0)
        try await fleet.sync(0)
        try await fleet.sync(1)
        #expect(fleet.history.shows(1).byIdent["n1"]?.first?.values["title"] == .text("c"))
        #expect(fleet.history.shows(1).byIdent["n2"] == nil)
        for syncs in [false, true] {
            try await fleet.saveAndUndo([.set("n1", ["title": .text("d")])], on: 1, syncs: syncs)
            #expect(fleet.history.shows(1).byIdent["n1"]?.first?.values["title"] == .text("c"))
            try await fleet.saveAndUndo([.delete("n1")], on: 1, syncs: syncs)
            #expect(fleet.history.shows(1).byIdent["n1"]?.count == 1)
        }
        try await fleet.judge()
    }

    @Test("leaves no data with another user")
    func otherUser() async throws {
        let fleet = try Fleet(Setting(mode: .account, policy: .mergeByProperty))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a")])
        try await fleet.syncAll()
        try await fleet.happens(.otherUser, on: 0)
        try await fleet.set("n1", on: 0, ["title": .text("b")])
        try await fleet.sync(0)
        try await fleet.judge()
        // The judge would see it.
        try fleet.cloud.signIn("other", device: ServerReader.strangersDevice)
        let reader = ServerReader(fleet.cloud, device: ServerReader.strangersDevice)
        let zone = ZoneIDDictionary(zoneName: ServerReader.zone)
        _ = try await fleet.cloud.modifyZones(
            ModifyZonesRequest(operations: [ZoneOperation(.create, zone)]), in: reader.context)
        let record = RecordDictionary(recordName: "R", recordType: "Node", fields: [:])
        _ = try await fleet.cloud.modifyRecords(
            ModifyRecordsRequest(
                zoneID: zone, operations: [RecordOperation(.forceUpdate, record)]),
            in: reader.context)
        await #expect(throws: Violation.self) { try await fleet.judge() }
        #expect(fleet.violations.map(\.rule) == ["another user has it"])
    }

    @Test(
        "objects to a value that is not synced and has changed, whatever else a new model syncs",
        arguments: [
            (ModelVersion.second, "d1", "title"), (.memoIsSynced, "d1", "title"),
            (.draftIsSynced, "n1", "memo"),
        ])
    func localValue(version: ModelVersion, ident: String, name: String) async throws {
        for isChanged in [false, true] {
            let fleet = try Fleet(
                Setting(mode: .versions, policy: .mergeByProperty, version: .first))
            defer { fleet.end() }
            try await fleet.insert(.draft, "d1", on: 0, ["title": .text("a")])
            try await fleet.insert(.node, "n1", on: 0, ["memo": .text("b")])
            for device in [0, 1] { try await fleet.upgrade(device, to: version) }
            try await fleet.syncAll()
            if isChanged { fleet.local[0][ident]?[name] = .text("c") }
            try await fleet.settleAccounts()
            #expect(fleet.violations.map(\.rule) == (isChanged ? ["value lost"] : []))
        }
    }

    @Test("objects to a value that is lost after the model's upgrade has sent it")
    func sentByUpgrade() async throws {
        let fleet = try Fleet(
            Setting(mode: .versions, policy: .mergeByProperty, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.draft, "d1", on: 0, ["title": .text("a")])
        for device in [0, 1] { try await fleet.upgrade(device, to: .draftIsSynced) }
        try await fleet.syncAll()
        var final = fleet.history.shows(1)
        for (title, rules) in [("a", []), ("b", ["value lost"])] {
            for id in final.objects.keys { final.objects[id]?.values["title"] = .text(title) }
            var oracle = fleet.oracle(for: final)
            oracle.judge()
            #expect(oracle.violations.map(\.rule) == rules)
        }
    }
}
