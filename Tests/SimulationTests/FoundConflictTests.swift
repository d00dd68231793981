import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules about changes that no user has made, and about objects that come back, as printed by
/// the simulator.
@Suite("A fleet that differs although nobody has edited anything") struct FoundConflictTests {
    @Test("keeps a reference's new destination, even if another client deletes the old one")
    func ledElsewhere() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.insert(.node, "n3", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("c1", on: 0, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.sync(1, complete: true)
        try await fleet.foreign(.deleteWithCascade, "n2", "l14")
        try await fleet.hold(
            21, on: 1, trump: .overwrite, follows: false,
            [.set("c1", ["node": .object("n2")]), .set("c1", ["node": .object("n3")])])
        try await fleet.saveHeld(21, on: 1)
        try await fleet.judge()
    }

    @Test("keeps an edit of an object that two others contest")
    func editOfContested() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n3")])
        try await fleet.set("c2", on: 0, ["node": .object("n2")])
        try await fleet.syncAll()
        try await fleet.refuseRequests(
            with: "c2", ServerErrorCode(rawValue: "SERVER_REJECTED_REQUEST"))
        try await fleet.save(
            [
                .delete("tfun"), .set("l1", ["title": .text("v9")]), .insert(.cover, "c20", [:]),
                .insert(.cover, "c21", ["node": .object("n2")]),
            ], on: 1)
        try await fleet.sync(1)
        try await fleet.set("n2", on: 1, ["price": .decimal("16.12345678901234567")])
        try await fleet.judge()
    }

    @Test("makes no copy of an object of which only a relationship was set")
    func tiedToAnother() async throws {
        let fleet = try Fleet(
            Setting(mode: .versions, policy: .keepBoth, devices: 3, pageSize: 200, version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v3")])
        try await fleet.syncAll()
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.hold(
            23, on: 2, trump: .overwrite, follows: false,
            [
                .set("f1", ["title": .text("../../important.data")]),
                .insert(.cover, "c34", ["node": .object("n3")]),
            ])
        try await fleet.saveHeld(23, on: 2)
        try await fleet.judge()
    }

    @Test("makes no copy if both sides cleared references to a deleted object")
    func lettingGo() async throws {
        let fleet = try Fleet(
            Setting(mode: .poison, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n1")])
        try await fleet.set("n1", on: 0, ["list": .object("l1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.refuseRequests(with: "c1", ServerErrorCode(rawValue: "BAD_REQUEST"))
        try await fleet.set("c1", on: 1, ["title": .longText(3019)])
        try await fleet.delete("l1", on: 1)
        try await fleet.judge()
    }

    @Test("lets a deletion stand even if another deletion has cleared a reference")
    func deletedOnBothSides() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .mergeByPropertyClientTells, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 2, ["title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 2, ["node": .object("n1")])
        try await fleet.sync(2)
        try await fleet.sync(0)
        try await fleet.hold(13, on: 2, trump: .object, follows: false, [.delete("c1")])
        try await fleet.delete("n1", on: 0)
        try await fleet.saveHeld(13, on: 2)
        try await fleet.judge()
    }

    @Test("relates an object that comes back to those that refer to it")
    func tiedWhenBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByProperty, devices: 2, pageSize: 200, version: .second
            ))
        defer { fleet.end() }
        try await fleet.save([.insert(.node, "n12", ["title": .none])], on: 0)
        try await fleet.hold(
            6, on: 0, trump: .object, follows: false,
            [
                .set("n12", ["due": .date(7001.75)]), .set("twork", ["name": .text("home")]),
                .insert(.cover, "c18", ["node": .none]),
            ])
        try await fleet.syncAll()
        try await fleet.hold(
            9, on: 1, trump: .object, follows: true,
            [.insert(.cover, "c20", ["node": .object("n12")])])
        try await fleet.delete("n12", on: 0)
        try await fleet.saveHeld(9, on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.saveHeld(6, on: 0)
        try await fleet.judge()
    }

    @Test("takes from the server what another client has left of a one-to-one")
    func halfWritten() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .clientTellsWhichWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 1, ["title": .text("v3")])
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v4")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.foreign(.twoOwners, "n3", "c2")
        try await fleet.sync(1)
        try await fleet.batchDelete(.cover, ["c2"], on: 1)
        try await fleet.judge()
    }

    @Test("keeps the values set of an object that came back unsent")
    func setWhenBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second, harsh: 1851, traits: [.throttling, .interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.sync(1)
        try await fleet.insert(
            .leaf, "n16", on: 1, ["folder": .object("f1"), "title": .text("v7")])
        try await fleet.fail(
            .modifyRecords, of: 1, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.hold(
            12, on: 1, trump: .object, follows: false,
            [.insert(.cover, "c23", ["node": .object("n16")])])
        try await fleet.delete("n16", on: 1)
        try await fleet.saveHeld(12, on: 1)
        try await fleet.place("n16", in: "l1", "nodes", at: 0, on: 1)
        try await fleet.judge()
    }

    @Test("makes no copy of an object that came back unsent")
    func onceWhenBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .keepBoth, devices: 2, pageSize: 200, version: .second,
                harsh: 3157, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["folder": .object("f1"), "title": .text("v4")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n1")])
        try await fleet.syncAll()
        try await fleet.hold(
            6, on: 1, trump: .object, follows: false, [.set("c2", ["node": .object("n3")])])
        try await fleet.delete("c2", on: 1)
        try await fleet.saveHeld(6, on: 1)
        try await fleet.judge()
    }

    @Test("creates an object again without its old values, even if the answer to it was lost")
    func unansweredAndMadeAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second, harsh: 3569, traits: [.throttling, .lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.tag, "thome", on: 1, ["name": .text("home"), "y": .text("v4")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.delete("thome", on: 1)
        try await fleet.insert(.tag, "thome", on: 1, ["name": .text("home"), "x": .text("v22")])
        try await fleet.judge()
    }

    @Test(
        "keeps the link that a context had not seen when it moves another one",
        arguments: [Trump.object, .store])
    func unseenLinkOfMoved(trump: Trump) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientRecordWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.save(
            [
                .insert(.node, "n1", ["title": .text("v1")]),
                .insert(.list, "l1", ["title": .text("v2")]),
                .insert(.list, "l2", ["title": .text("v3")]),
                .insert(.list, "l3", ["title": .text("v4")]),
                .link("n1", "picked", "l1", isThere: true),
                .link("n1", "picked", "l2", isThere: true),
            ], on: 0)
        try await fleet.hold(9, on: 0, trump: trump, follows: false, [.show("n1")])
        try await fleet.save(
            [
                .link("n1", "picked", "l3", isThere: true),
                .place("l2", in: "n1", "picked", at: 0),
            ], on: 0)
        try await fleet.changeHeld(
            9, on: 0,
            [
                .place("l2", in: "n1", "picked", at: 0),
                .set("n1", ["secret": .text("v5")]),
            ])
        try await fleet.saveHeld(9, on: 0)
        try await fleet.judge()
    }

    @Test("finds that an object was deleted and saved again since a context has read it")
    func savedAgainMeanwhile() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 0, ["title": .text("v2")])
        try await fleet.syncAll()
        try await fleet.hold(
            7, on: 0, trump: .error, follows: false, [.set("f1", ["code": .text("A")])])
        try await fleet.set("f1", on: 0, ["title": .text("v25")])
        try await fleet.hold(
            26, on: 0, trump: .object, follows: false,
            [.insert(.node, "n37", ["folder": .object("f1")])])
        try await fleet.delete("f1", on: 0)
        try await fleet.saveHeld(26, on: 0)
        try await fleet.saveHeld(7, on: 0)
        try await fleet.judge()
    }

    @Test("tells in the history of a renamed object that a link has passed to its namesake")
    func passedLink() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work")])
        try await fleet.insert(.node, "n28", on: 0, ["title": .text("v19")])
        try await fleet.set("twork", on: 1, ["name": .text("home")])
        try await fleet.refuseRequests(
            with: "twork", ServerErrorCode(rawValue: "SERVER_REJECTED_REQUEST"))
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.link("n28", "tags", "twork", isThere: true, on: 0)
        try await fleet.judge()
    }

    @Test("keeps the edit of an object that leads to another one whose deletion loses")
    func destinationIsBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.catchUp()
        try await fleet.during(
            .fetchZoneChanges, of: 1, afterwards: true, .set("n2", 1, ["secret": .text("v4")]))
        try await fleet.set("c1", on: 1, ["title": .text("v5")])
        try await fleet.sync(1)
        try await fleet.delete("n2", on: 0)
        try await fleet.set("c1", on: 1, ["title": .text("v6")])
        try await fleet.judge()
    }

    @Test("lets an object come back without a reference that its device had not sent")
    func unsentReference() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByPropertyClientTells, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(
            .leaf, "n2", on: 0,
            ["price": .decimal("3.12345678901234567"), "title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.catchUp()
        try await fleet.set("n2", on: 2, ["cover": .object("c1")])
        try await fleet.delete("n2", on: 2)
        try await fleet.hold(
            4, on: 0, trump: .object, follows: false,
            [.set("n2", ["title": .text("v5")]), .insert(.item, "i16", [:])])
        try await fleet.saveHeld(4, on: 0)
        try await fleet.judge()
    }

    @Test("lets a record win as a whole, so that a later edit of it is no conflict")
    func wonAsWhole() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 0, ["memo": .text("v3"), "title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.set("n1", on: 0, ["secret": .text("v4")])
        try await fleet.saveAndUndo([.set("n1", ["title": .text("v6")])], on: 1, syncs: true)
        try await fleet.judge()
    }
}
