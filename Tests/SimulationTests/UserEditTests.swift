import CloudKitService
import Foundation
import Seam3
import Testing

@testable import Judge

@Suite("The judge's knowledge of users' edits") struct UserEditTests {
    private static let device = "device0"

    /// Device 0 has a node and a list, and knows version "1" of the node's record.
    private static func known() -> UserEdits {
        var edits = UserEdits()
        edits.note(device, before: Snapshot(), after: state(), isHeld: false)
        edits.beginPass(of: device)
        edits.note("1", of: "N", "n1", by: device, sent: ["title", "count"])
        edits.endPass(of: device, isWhole: true)
        return edits
    }

    private static func state(_ values: [String: Value] = [:]) -> Snapshot {
        Snapshot([
            "n1": ["title": .text("a"), "list": .object("l1")].merging(values) { $1 },
            "l1": ["title": .text("b"), "nodes": .ordered(["n1"])],
        ])
    }

    private static func edited(
        _ edits: UserEdits, since tag: String = "1", before time: Int = .max
    ) -> Set<String> {
        edits.isEdited("n1", on: device, since: tag, of: "N", before: time)
    }

    @Test("has all properties of a new object as perhaps edited until a whole pass has sent them")
    func inserted() {
        var edits = UserEdits()
        edits.note(Self.device, before: Snapshot(), after: Self.state(), isHeld: false)
        let all = edits.mayBeEdited("n1", on: Self.device)
        #expect(all == ["ident", "title", "list"])
        edits.beginPass(of: Self.device)
        edits.note("1", of: "N", "n1", by: Self.device, sent: ["title"])
        edits.endPass(of: Self.device, isWhole: false)
        #expect(edits.mayBeEdited("n1", on: Self.device) == all)
        edits.beginPass(of: Self.device)
        edits.note("2", of: "N", "n1", by: Self.device, sent: ["title"])
        edits.endPass(of: Self.device, isWhole: true)
        #expect(edits.mayBeEdited("n1", on: Self.device) == ["ident", "list"])
        #expect(edits.mayBeEdited("n1", on: "device1") == [])
    }

    @Test("is certain of an edit since the device learned the version that a save replaces")
    func certain() {
        var edits = Self.known()
        #expect(Self.edited(edits) == [])
        let time = edits.time
        edits.note(
            Self.device, before: Self.state(), after: Self.state(["title": .text("c")]),
            isHeld: false)
        #expect(Self.edited(edits) == ["title"])
        #expect(edits.mayBeEdited("n1", on: Self.device).contains("title"))
        #expect(Self.edited(edits, since: "2") == [], "somebody else has saved since")
        #expect(Self.edited(edits, before: time) == [], "the request was sent before")
        edits.forget(Self.device)
        #expect(Self.edited(edits) == [], "the device may have forgotten the version")
    }

    @Test("is not certain of an edit that was reverted")
    func reverted() {
        var edits = Self.known()
        let other = Self.state(["title": .text("c")])
        edits.note(Self.device, before: Self.state(), after: other, isHeld: false)
        edits.note(Self.device, before: other, after: Self.state(), isHeld: false)
        #expect(Self.edited(edits) == [])
    }

    @Test("is not certain of an edit of an object that has copies")
    func copies() {
        var edits = Self.known()
        edits.note(
            Self.device, before: Self.state(), after: Self.state(["title": .text("c")]),
            isHeld: false)
        edits.note("1", of: "M", "n1", by: "device1", sent: [])
        #expect(Self.edited(edits) == [])
    }

    @Test("takes a reference that is nil for an edit unless the same save deletes its destination")
    func references() {
        var edits = UserEdits()
        edits.note(
            Self.device, before: Self.state(), after: Self.state(["list": .none]), isHeld: false)
        #expect(edits.mayBeEdited("n1", on: Self.device) == ["list"])
        var without = Self.state(["list": .none])
        without.objects["l1"] = nil
        for isHeld in [false, true] {
            edits = UserEdits()
            edits.note(Self.device, before: Self.state(), after: without, isHeld: isHeld)
            #expect(edits.mayBeEdited("n1", on: Self.device) == (isHeld ? ["list"] : []))
            #expect(Self.edited(edits) == [])
        }
    }
}

@Suite("The wire's judge of edit stamps") struct StampWatchTests {
    private static func saves(
        on setting: Setting, _ body: (Fleet) async throws -> Void
    ) async throws -> (saves: Int, stamps: Int, rules: [String]) {
        let fleet = try Fleet(setting)
        defer { fleet.end() }
        try await body(fleet)
        fleet.reportStamps()
        let judge = fleet.wire.lock.withLock { fleet.wire.stamps.judge }
        return (judge.saveCount, judge.stampCount, fleet.violations.map(\.rule))
    }

    @Test("judges each save of an object that the server carries out, and finds nothing wrong")
    func saves() async throws {
        let (saves, stamps, rules) = try await Self.saves(on: Setting()) { fleet in
            try await fleet.insert(.item, "i1", on: 0, ["title": .text("a"), "blob": .data(300)])
            try await fleet.insert(.node, "n1", on: 0, ["secret": .text("s"), "photo": .data(9)])
            try await fleet.syncAll()
            try await fleet.set("i1", on: 1, ["title": .text("b"), "spot": .none])
            try await fleet.syncAll()
            try await fleet.foreign(.edit, "n1", "i1")
            try await fleet.set("n1", on: 1, ["price": .decimal("1.2345678901234567")])
            try await fleet.syncAll()
            try await fleet.set("n1", on: 1, ["count": .int(8)])
            try await fleet.syncAll()
        }
        #expect(rules == [])
        #expect(saves == 5)
        #expect(stamps > 5 * 10)
    }

    @Test("judges a save whose response was lost")
    func lost() async throws {
        let (saves, _, rules) = try await Self.saves(on: Setting(mode: .lossy)) { fleet in
            try await fleet.fail(.modifyRecords, of: 0, done: true)
            try await fleet.insert(.list, "l1", on: 0, ["title": .text("a")])
            try await fleet.sync(0)
        }
        #expect(rules == [])
        #expect(saves > 0)
    }

    @Test("notices that a device leaves the field as it is")
    func missing() async throws {
        let cloud = Setting()
        let fleet = try Fleet(cloud)
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("a")])
        try await fleet.sync(0)
        let name = try #require(fleet.server.records.keys.first)
        let context = RequestContext(
            container: ServerReader.container, device: App.name(1))
        let record = RecordDictionary(
            recordName: name, recordType: "List",
            fields: ["title": RecordFieldDictionary(.string("b"))])
        _ = try await fleet.wire.modifyRecords(
            ModifyRecordsRequest(
                zoneID: ZoneIDDictionary(zoneName: ServerReader.zone),
                operations: [RecordOperation(.forceUpdate, record)]),
            in: context)
        fleet.reportStamps()
        #expect(fleet.violations.map(\.rule) == ["a save lacks edit stamps"])
    }
}
