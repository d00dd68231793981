import CloudKitService
import Seam3
import Testing

@testable import Judge

/// Schedules about objects that come back after the loss of the zone, and about objects that are
/// the same, as printed by the simulator.
@Suite("A fleet whose objects come back") struct FoundReturnTests {
    @Test("recognizes an object deleted before the loss of the zone when a context saves it again")
    func savedAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v4")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.hold(
            9, on: 1, trump: .object, follows: false, [.set("n3", ["memo": .text("v10")])])
        try await fleet.syncAll()
        try await fleet.batchDelete(.node, ["n3"], on: 1)
        try await fleet.happens(.resetEncryptedData, on: 0)
        try await fleet.sync(1)
        try await fleet.saveHeld(9, on: 1)
        try await fleet.judge()
    }

    @Test("recognizes an object deleted before the loss of the zone when a context refers to it")
    func tiedAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(
            .node, "n2", on: 1, ["secret": .text("v3"), "title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.syncAll()
        try await fleet.hold(
            18, on: 0, trump: .object, follows: false,
            [
                .set("n3", ["note": .text("v19")]),
                .insert(.cover, "c30", ["node": .object("n2")]),
            ])
        try await fleet.save(
            [
                .insert(.node, "n31", ["title": .text("v22")]),
                .insert(.cover, "c33", ["node": .none]), .delete("n2"),
            ], on: 0)
        try await fleet.happens(.resetEncryptedData, on: 0)
        try await fleet.catchUp()
        try await fleet.saveHeld(18, on: 0)
        try await fleet.judge()
    }

    @Test("does not duplicate an object whose natural key no record can represent exactly")
    func farKey() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientTells, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(
            .event, "e1e+300", on: 1, ["day": .date(1e+300), "text": .text("v7")])
        try await fleet.catchUp()
        try await fleet.insert(
            .event, "e1e+300", on: 2, ["day": .date(1e+300), "text": .text("v17")])
        try await fleet.judge()
    }

    @Test("takes what comes back from what led to it before, if a context leads it elsewhere")
    func ledElsewhere() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second, harsh: 60712, traits: [.throttling, .interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.folder, "f1", on: 1, ["title": .text("v2")])
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v3")])
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.save(
            [
                .insert(.node, "n15", ["note": .text("v7"), "title": .text("v6")]),
                .insert(.list, "l18", ["title": .text("v9")]),
                .set("c1", ["node": .object("n15")]), .set("n1", ["note": .text("v10")]),
            ], on: 1)
        try await fleet.set("c1", on: 1, ["node": .object("n3")])
        try await fleet.sync(1)
        try await fleet.sync(1, complete: true)
        try await fleet.insert(.list, "l29", on: 0, ["title": .text("v20")])
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.hold(
            21, on: 0, trump: .object, follows: false,
            [.insert(.cover, "c32", ["node": .object("n3")])])
        try await fleet.delete("n3", on: 0)
        try await fleet.sync(0)
        try await fleet.saveHeld(21, on: 0)
        try await fleet.judge()
    }

    @Test("hears of a deletion before it sends again what has vanished")
    func deletedElsewhere() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n3")])
        try await fleet.happens(.deleteZone, on: 0)
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.delete("c1", on: 0)
        try await fleet.sync(0)
        try await fleet.sync(1, complete: true)
        try await fleet.judge()
    }

    @Test("keeps an object whose deletion was undone after the server had carried it out")
    func undoneAfterwards() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n11", on: 1, ["title": .text("v2")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.saveAndUndo([.delete("n11")], on: 1, syncs: true)
        try await fleet.sync(1, complete: true)
        try await fleet.delete("n11", on: 0)
        try await fleet.judge()
    }

    @Test("keeps an object whose deletion was undone while it was sent, though an answer is lost")
    func undoneMeanwhile() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n11", on: 1, ["title": .text("v2")])
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.hold(
            9, on: 1, trump: .object, follows: false, [.set("n11", ["title": .text("v3")])])
        try await fleet.delete("n11", on: 1)
        try await fleet.during(.modifyRecords, of: 1, afterwards: true, .saveHeld(9, 1))
        try await fleet.fail(.modifyRecords, of: 1, skip: 1, times: 1, done: false)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("keeps what is set in an object whose natural key another device sends to a new zone")
    func setInLostZone() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "thome", on: 1, ["name": .text("home"), "y": .text("v7")])
        try await fleet.sync(1)
        try await fleet.happens(.resetEncryptedData, on: 1)
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.judge()
    }

    @Test("sends an object that comes back after its unsent deletion has won against an edit")
    func editedMeanwhile() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientRecordWins, devices: 2, pageSize: 1,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.syncAll()
        try await fleet.set("n1", on: 0, ["title": .text("v2")])
        try await fleet.sync(0)
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v3")])
        try await fleet.sync(0)
        try await fleet.hold(
            9, on: 1, trump: .object, follows: false,
            [.insert(.cover, "c1", ["node": .object("n1")])])
        try await fleet.delete("n1", on: 1)
        // The pass ends after a page with the edit, before it sends anything.
        try await fleet.fail(.fetchZoneChanges, of: 1, skip: 1, times: 1, done: false)
        try await fleet.sync(1)
        try await fleet.saveHeld(9, on: 1)
        try await fleet.judge()
    }

    @Test("gives a link that another device makes again the position that this device had for it")
    func linkedAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l11", on: 0, ["title": .text("v2")])
        try await fleet.insert(.node, "n14", on: 0, ["title": .text("v7")])
        try await fleet.place("n14", in: "l11", "picks", at: 9, on: 0)
        try await fleet.insert(.node, "n15", on: 0, ["title": .text("v8")])
        try await fleet.place("n15", in: "l11", "picks", at: 9, on: 0)
        try await fleet.catchUp()
        try await fleet.place("n15", in: "l11", "picks", at: 0, on: 0)
        try await fleet.link("l11", "picks", "n15", isThere: false, on: 0)
        try await fleet.resetCloudFields(1)
        try await fleet.judge()
    }

    @Test(
        "keeps an object that another device has taken from one node and given another in two saves"
    )
    func takenInTwoSaves() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientWins, devices: 3, pageSize: 200,
                version: .second, harsh: 1602220,
                traits: [.lostAnswers, .failingAssets, .touchedParents, .touchedTargets]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["count": .int(5), "title": .text("v4")])
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v6")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .none])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n1")])
        try await fleet.calm(true)
        try await fleet.saveHeld(11, on: 0)
        try await fleet.sync(0)
        try await fleet.calm(false)
        try await fleet.set("c2", on: 0, ["node": .none])
        try await fleet.set("c2", on: 0, ["node": .object("n2")])
        try await fleet.calm(true)
        try await fleet.sync(2)
        try await fleet.calm(false)
        try await fleet.set("c1", on: 2, ["node": .object("n2")])
        try await fleet.sync(2)
        try await fleet.syncAll()
        try await fleet.saveAndUndo([.delete("c2")], on: 2, syncs: true)
        try await fleet.judge()
    }

    @Test("shows that an object leads to another one again whose deletion was undone")
    func destinationIsBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["list": .object("l1"), "title": .text("v2")])
        try await fleet.insert(.leaf, "n3", on: 0, ["title": .none])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.set("n3", on: 0, ["cover": .object("c1")])
        try await fleet.syncAll()
        try await fleet.set("c1", on: 0, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.saveAndUndo([.delete("n2")], on: 1, syncs: true)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("keeps an object whose deletion was undone while both were not answered")
    func undoneWithoutAnswers() async throws {
        let fleet = try Fleet(
            Setting(mode: .original, policy: .keepBoth, devices: 1, pageSize: 200, version: .second)
        )
        defer { fleet.end() }
        func loseResponse() async throws {
            try await fleet.fail(
                .modifyRecords, of: 1, skip: 0, times: 1, done: true, .serverResponseLost,
                retryAfter: nil)
        }
        try await loseResponse()
        try await fleet.calm(true)
        try await fleet.insert(.node, "n29", on: 1, ["title": .text("v20")])
        try await fleet.catchUp()
        try await loseResponse()
        try await fleet.saveAndUndo([.delete("n29")], on: 1, syncs: true)
        try await fleet.judge()
    }

    @Test("gives no destination back to an object that another one had taken it from")
    func takenDestination() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n1")])
        try await fleet.catchUp()
        try await fleet.set("c1", on: 0, ["node": .object("n1")])
        try await fleet.during(
            .fetchZoneChanges, of: 1, afterwards: false, .set("n1", 1, ["title": .text("v3")]))
        try await fleet.sync(1)
        try await fleet.delete("n1", on: 0)
        try await fleet.judge()
    }

    @Test("keeps the reference that another device has set after it had come back with an object")
    func ledElsewhereLater() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.leaf, "n2", on: 0, ["title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n1")])
        try await fleet.catchUp()
        try await fleet.delete("n1", on: 0)
        try await fleet.set("n1", on: 1, ["price": .decimal("4.12345678901234567")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("n2", on: 1, ["cover": .object("c1")])
        try await fleet.judge()
        #expect(fleet.violations.isEmpty)
        var state = fleet.history.shows(0)
        for (id, object) in state.objects where object.ident == "c1" {
            #expect(object.values["node"] == .object("n2"))
            state.objects[id]?.values["node"] = .object("n1")
        }
        var oracle = fleet.oracle(for: state)
        oracle.judge()
        #expect(oracle.violations.map(\.rule) == ["value lost"])
    }
}
