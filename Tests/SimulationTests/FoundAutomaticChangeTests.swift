import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules about a store's automatic changes, and about objects and records that come back, as
/// printed by the simulator.
@Suite("A fleet whose stores make changes automatically") struct FoundAutomaticChangeTests {
    @Test("converges only after every device has received what one has written again")
    func writtenAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second, harsh: 1142, traits: [.throttling, .lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.insert(
            .event, "e-1000000000.0", on: 1, ["day": .date(-1000000000.0), "text": .text("v4")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.hold(
            5, on: 1, trump: .object, follows: false,
            [.set("c2", ["title": .text("../../important.data")])])
        try await fleet.sync(0)
        try await fleet.saveHeld(5, on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.batchDelete(.cover, ["c2"], on: 0)
        try await fleet.judge()
    }

    @Test("reports a deletion that was not answered, even if the object comes back")
    func deletionOfTaken() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .keepBoth, devices: 2, pageSize: 200, version: .second,
                harsh: 63, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 0, ["count": .int(3), "title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n2")])
        try await fleet.catchUp()
        try await fleet.calm(false)
        try await fleet.calm(false)
        try await fleet.calm(false)
        try await fleet.set("c1", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.delete("c2", on: 0)
        try await fleet.judge()
    }

    @Test("keeps an edit of an attribute that a migration of another device has filled")
    func filledByMigration() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.insert(.node, "n14", on: 0, ["title": .text("v5")])
        try await fleet.syncAll()
        try await fleet.set("n14", on: 1, ["rank": .int(106)])  // or "subtitle"
        try await fleet.judge()
    }

    @Test("makes no copy of an object with an attribute that a migration sends again")
    func sentByMigration() async throws {
        let fleet = try Fleet(
            Setting(mode: .versions, policy: .keepBoth, devices: 2, pageSize: 200, version: .first))
        defer { fleet.end() }
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.insert(.node, "n23", on: 0, ["title": .text("v14")])
        try await fleet.syncAll()
        try await fleet.set("n23", on: 1, ["subtitle": .text("v15")])
        try await fleet.judge()
    }

    @Test("leaves an object deleted that was only replaced by another one")
    func givenWay() async throws {
        let fleet = try Fleet(
            Setting(mode: .poison, policy: .keepBoth, devices: 3, pageSize: 2, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["count": .int(6), "title": .text("v5")])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.refuseRecord(
            of: "c2", ServerErrorCode(rawValue: "BAD_REQUEST"), once: false)
        try await fleet.syncAll()
        try await fleet.delete("c2", on: 2)
        try await fleet.set("c1", on: 2, ["node": .object("n2")])
        try await fleet.judge()
    }

    @Test("keeps both versions even if the server had no space for one at first")
    func noRoom() async throws {
        let fleet = try Fleet(
            Setting(mode: .poison, policy: .keepBoth, devices: 3, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.refuseRecord(
            of: "l1", ServerErrorCode(rawValue: "QUOTA_EXCEEDED"), once: true)
        try await fleet.set("l1", on: 2, ["title": .none])
        try await fleet.hold(
            26, on: 0, trump: .error, follows: true,
            [
                .delete("thome"), .set("l1", ["title": .text("v27")]),
                .insert(.cover, "c38", ["node": .object("n17")]),
            ])
        try await fleet.saveHeld(26, on: 0)
        try await fleet.judge()
    }

    @Test("gives the second version of an object its own place in an order")
    func placeOfCopy() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .keepBoth, devices: 1, pageSize: 200, version: .second,
                harsh: 259, traits: [.failingAssets]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n3", on: 0, ["photo": .data(105), "title": .text("v4")])
        try await fleet.catchUp()
        try await fleet.foreign(.deletingReference, "n3", "l1")
        try await fleet.catchUp()
        try await fleet.batchSet(.node, on: 0, "note", from: .text("-"), to: .text("v20"))
        try await fleet.resetCloudFields(0)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("keeps the records of two objects apart that were given one natural key")
    func recordsApart() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .first, harsh: 2934, traits: [.interruptions]))
        defer { fleet.end() }
        try await fleet.save([.insert(.node, "n11", ["list": .none, "title": .text("v2")])], on: 0)
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "x": .text("v4")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("twork", on: 1, ["name": .text("job")])
        try await fleet.sync(1)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "y": .text("v5")])
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.delete("twork", on: 0)
        try await fleet.hold(
            9, on: 0, trump: .object, follows: false,
            [
                .set("twork", ["x": .text("v10")]), .set("n11", ["count": .int(11)]),
                .insert(.leaf, "n22", ["title": .text("v13")]),
            ])
        try await fleet.delete("twork", on: 0)
        try await fleet.saveHeld(9, on: 0)
        try await fleet.judge()
    }

    @Test("reports a record that the files refuse once on each device")
    func refusedRecord() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.syncAll()
        try await fleet.foreign(.longText, "n1", "n1")
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.sync(0, complete: true)
        try await fleet.judge()
    }

    @Test("counts an object whose deletion was refused and undone as unchanged")
    func refusedDeletionUndone() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second, harsh: 1079, traits: [.rejectedRequests, .refusedRecords]))
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 0, ["title": .text("v2")])
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v3")])
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v4")])
        try await fleet.insert(
            .node, "n3", on: 0, ["secret": .longText(3006), "title": .text("v5")])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.insert(.cover, "c2", on: 0, [:])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("f1", on: 0, ["title": .text("v7")])
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.hold(
            10, on: 0, trump: .object, follows: false,
            [.insert(.node, "n21", ["folder": .object("f1")])])
        try await fleet.delete("f1", on: 0)
        try await fleet.sync(0)
        try await fleet.saveHeld(10, on: 0)
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("f1", on: 1, ["code": .text("B")])
        try await fleet.judge()
    }

    @Test("releases what is deleted, even if the store was told to forget the server")
    func deletedBeforeReset() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 2,
                version: .second, harsh: 2040,
                traits: [.throttling, .brokenConnections, .lostAnswers, .interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v4")])
        try await fleet.insert(.node, "n3", on: 0, ["title": .text("v5")])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .none])
        try await fleet.set("n3", on: 0, ["list": .object("l1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.delete("l1", on: 1)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(0, complete: true)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.resetCloudFields(1)
        try await fleet.sync(0)
        try await fleet.resetCloudFields(0)
        try await fleet.judge()
    }
}
