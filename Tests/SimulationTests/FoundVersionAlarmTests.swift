import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Schedules, as printed by the simulator, whose devices meet versions of which they do not know everything.
@Suite("A fleet whose devices cannot see all of a version") struct FoundVersionAlarmTests {
    @Test(
        "lets the app's block bring a text back that it has taken over before a later one was sent")
    func takenOverText() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.catchUp()
        try await fleet.set("tfun", on: 1, ["y": .text("v11")])
        try await fleet.set("tfun", on: 0, ["x": .text("v13")])
        try await fleet.sync(0, complete: true)
        try await fleet.refuseRequests(
            with: "tfun", ServerErrorCode(rawValue: "SERVER_REJECTED_REQUEST"))
        try await fleet.save(
            [
                .set("tfun", ["x": .text("../../important.data")]),
                .set("thome", ["x": .text("v51")]), .insert(.list, "l62", ["title": .text("v53")]),
                .set("i1", ["title": .text("v54")]),
            ], on: 0)
        try await fleet.judge()
    }

    @Test("lets a version win that has the destination which another device's edit has given up")
    func formerDestination() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 1, ["title": .text("v3")])
        try await fleet.insert(.node, "n2", on: 1, ["photo": .none, "title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 1, [:])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n1")])
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.hold(
            30, on: 1, trump: .store, follows: false,
            [
                .delete("l26"), .set("c2", ["title": .text("v31")]),
                .insert(
                    .item, "i42",
                    ["title": .text("v33"), "token": .uuid("00000022-0000-4000-8000-00000000000A")]),
            ])
        try await fleet.set("n2", on: 1, ["cover": .object("c1")])
        try await fleet.sync(1, complete: true)
        try await fleet.set("c2", on: 0, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.saveHeld(30, on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets an object come back whose record may be another one, because its system fields are damaged",
        arguments: [false, true])
    func damagedFields(isFetchedInVain: Bool) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .keepBoth, devices: 1, pageSize: 200, version: .second,
                harsh: 1843417,
                traits: (isFetchedInVain ? [.interruptions] : [])
                    + [.failingAssets, .touchedTargets]))
        defer { fleet.end() }
        try await fleet.insert(
            .leaf, "n1", on: 1, ["price": .decimal("3.12345678901234567"), "title": .text("v2")])
        try await fleet.calm(true)
        try await fleet.catchUp()
        try await fleet.sync(0)
        try await fleet.calm(false)
        try await fleet.saveInChild(
            [
                .delete("i2"), .insert(.cover, "c25", ["node": .object("n1")]),
                .set("n1", ["price": .decimal("16.12345678901234567")]),
            ], on: 0)
        try await fleet.set("n1", on: 0, ["photo": .data(200019)])
        try await fleet.syncAll()
        try await fleet.delete("n1", on: 0)
        if isFetchedInVain { try await fleet.sync(0) }
        try await fleet.damage(.systemFields, on: 0)
        try await fleet.judge()
    }

    @Test("lets a device with an older model delete an object with an edit that it does not see")
    func olderModel() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells,
                entityPolicies: [.node: .mergeByPropertyClientWins], devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v4")])
        try await fleet.upgrade(1, to: .memoIsSynced)
        try await fleet.catchUp()
        try await fleet.sync(0)
        try await fleet.set("n2", on: 1, ["subtitle": .text("v11")])
        try await fleet.sync(1)
        try await fleet.batchDelete(.node, ["n2"], on: 0)
        try await fleet.judge()
    }

    /// A fleet whose device 1 has deleted a leaf, and whose device 0 has a newer model, which stores titles in
    /// another field.
    private static func deleted() async throws -> Fleet {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .first))
        try await fleet.insert(.leaf, "n2", on: 0, ["title": .longText(3003)])
        try await fleet.catchUp()
        try await fleet.upgrade(0, to: .titleHasAnotherField)
        try await fleet.delete("n2", on: 1)
        return fleet
    }

    @Test("lets it delete one with edits of what it lacks, and of what it has in another field")
    func olderModelAndField() async throws {
        let fleet = try await Self.deleted()
        defer { fleet.end() }
        try await fleet.set("n2", on: 0, ["title": .text("v5")])
        try await fleet.hold(
            6, on: 0, trump: .store, follows: false,
            [
                .set("n2", ["rank": .int(107)]), .set("n1", ["title": .text("v8")]),
                .insert(.leaf, "n19", ["title": .text("v10")]),
            ])
        try await fleet.saveHeld(6, on: 0)
        try await fleet.judge()
    }

    @Test(
        "does not let it delete one with an edit that it sees, or once it has the newer model",
        arguments: [["count": .int(8)], ["title": .none], [:]] as [[String: Value]])
    func olderModelSees(edit: [String: Value]) async throws {
        let fleet = try await Self.deleted()
        defer { fleet.end() }
        let unseen = ["title": Value.text("v5"), "rank": .int(107)]
        try await fleet.set("n2", on: 0, unseen.merging(edit) { $1 })
        try await fleet.sync(0)
        if edit.isEmpty { try await fleet.upgrade(1, to: .titleHasAnotherField) }
        try await fleet.sync(1)
        var gone = fleet.history.shows(1)
        #expect(gone.byIdent["n2"]?.count == 1)
        gone.objects = gone.objects.filter { $0.value.ident != "n2" }
        var oracle = fleet.oracle(for: gone)
        oracle.judge()
        #expect(oracle.violations.map(\.rule) == ["edit lost to a deletion"])
        try await fleet.judge()
    }

    @Test("lets an older number come back after the versions of two devices have won as a whole")
    func olderNumber() async throws {
        let fleet = try Fleet(
            Setting(mode: .versions, policy: .clientRecordWins, devices: 3, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n17", on: 1, ["title": .text("v8")])
        try await fleet.catchUp()
        try await fleet.set("n17", on: 1, ["price": .decimal("9.12345678901234567")])
        try await fleet.catchUp()
        try await fleet.set("n17", on: 2, ["price": .decimal("10.12345678901234567")])
        try await fleet.set("n17", on: 1, ["count": .int(12)])
        try await fleet.during(.modifyRecords, of: 1, afterwards: false, .sync(2))
        try await fleet.sync(1)
        try await fleet.sync(2)
        try await fleet.batchSet(.node, on: 0, "note", from: .text("-"), to: .text("v20"))
        try await fleet.judge()
        #expect(fleet.violations.isEmpty)
    }

    @Test("lets a number come back with a version whose device got it while it was being undone")
    func undoneNumber() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByProperty, entityPolicies: [.node: .clientRecordWins],
                devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 0, ["secret": .text("v3"), "title": .text("v2")])
        try await fleet.saveAndUndo([.set("n1", ["count": .int(5)])], on: 0, syncs: true)
        try await fleet.during(.fetchZoneChanges, of: 1, afterwards: true, .sync(0))
        try await fleet.sync(1)
        try await fleet.set("n1", on: 1, ["title": .text("v6")])
        try await fleet.judge()
        #expect(fleet.violations.isEmpty)
    }

    @Test("lets a value be lost to a version that a device had changed again after it won")
    func changedAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.catchUp()
        try await fleet.set("twork", on: 1, ["x": .text("v1")])
        try await fleet.sync(1)
        try await fleet.saveAndUndo([.set("twork", ["y": .text("v2")])], on: 0, syncs: true)
        try await fleet.sync(1)
        try await fleet.set("twork", on: 1, ["x": .text("v4")])
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test(
        "lets a version keep the value with which it has won before",
        arguments: [
            (SMSyncConflictResolutionPolicy.clientRecordWins, "title", Value.text("v4")),
            (.clientTellsWhichWins, "title", .text("v4")),
            (.clientRecordWins, "list", .object("l2")),
        ])
    func keptWithVersion(
        policy: SMSyncConflictResolutionPolicy, name: String, value: Value
    ) async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: policy))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v9")])
        for list in ["l1", "l2"] { try await fleet.insert(.list, list, on: 0) }
        try await fleet.catchUp()
        try await fleet.set("n1", on: 1, [name: name == "list" ? .object("l1") : .text("v1")])
        try await fleet.sync(1)
        try await fleet.set("n1", on: 0, ["note": .text("a")])
        try await fleet.sync(0)
        try await fleet.set("n1", on: 0, ["note": .text("b")])
        try await fleet.sync(1)
        try await fleet.set("n1", on: 1, [name: value])
        try await fleet.sync(1)
        try await fleet.judge()
        let node = fleet.history.shows(0).byIdent["n1"]?.first
        #expect(node?.values[name] == (name == "list" ? Value.none : .text("v9")))
    }

    @Test(
        "lets a version win with the value that it has brought back",
        arguments: [
            (SMSyncConflictResolutionPolicy.clientRecordWins, "v9"), (.clientTellsWhichWins, "v5"),
        ])
    func wonWithVersion(policy: SMSyncConflictResolutionPolicy, title: String) async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: policy))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v9")])
        try await fleet.catchUp()
        try await fleet.set("n1", on: 1, ["title": .text("v1")])
        try await fleet.sync(1)
        for count in [2, 3] {
            try await fleet.set("n1", on: 0, ["count": .int(count)])
            try await fleet.sync(0)
        }
        try await fleet.set("n1", on: 1, ["title": .text(title)])
        try await fleet.judge()
        let node = fleet.history.shows(0).byIdent["n1"]?.first
        #expect(node?.values["title"] == .text("v9"))
        #expect(node?.values["count"] == .int(3))
    }

    @Test("requires the value that follows if the version was not changed after all")
    func notChangedAfterAll() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .clientRecordWins))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v9")])
        try await fleet.catchUp()
        try await fleet.set("n1", on: 1, ["title": .text("v1")])
        try await fleet.sync(1)
        try await fleet.set("n1", on: 0, ["count": .int(2)])
        try await fleet.sync(0)
        for count in [3, 2] { try await fleet.set("n1", on: 0, ["count": .int(count)]) }
        try await fleet.sync(1)
        try await fleet.set("n1", on: 1, ["title": .text("v4")])
        try await fleet.sync(1)
        try await fleet.judge()
        let node = fleet.history.shows(0).byIdent["n1"]?.first
        #expect(node?.values["title"] == .text("v4"))
    }
}
