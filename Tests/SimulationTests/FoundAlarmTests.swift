import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules for which the oracle has demanded more than the documentation promises.
@Suite("An oracle") struct FoundAlarmTests {
    @Test("lets the place of a member be lost with its record")
    func placeInRecord() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientRecordWins, devices: 2, pageSize: 200, version: .second
            ))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v5")])
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v6")])
        try await fleet.set("n2", on: 1, ["list": .object("l1")])
        try await fleet.sync(1)
        try await fleet.save(
            [
                .set("thome", ["x": .text("../../important.data")]),
                .insert(.cover, "c19", ["node": .object("n1")]),
            ], on: 0)
        try await fleet.during(
            .modifyRecords, of: 0, afterwards: true, .set("n3", 0, ["list": .object("l1")]))
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.place("n3", in: "l1", "nodes", at: 0, on: 0)
        try await fleet.batchSet(.node, on: 1, "note", from: .text("-"), to: .text("v18"))
        try await fleet.judge()
    }

    @Test("does not take a list's title for a sign that a member's new place has arrived")
    func placeRefused() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .keepBoth, entityPolicies: [.node: .serverRecordWins],
                devices: 3, pageSize: 200, version: .second, harsh: 1831481,
                traits: [.rejectedRequests]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.list, "l16", on: 2, ["title": .text("v7")])
        try await fleet.insert(.node, "n19", on: 2, ["title": .text("v12")])
        try await fleet.place("n19", in: "l16", "nodes", at: 9, on: 2)
        try await fleet.insert(.node, "n20", on: 2, ["title": .text("v13")])
        try await fleet.place("n20", in: "l16", "nodes", at: 9, on: 2)
        try await fleet.catchUp()
        try await fleet.place("n20", in: "l16", "nodes", at: 0, on: 2)
        try await fleet.sync(2)
        try await fleet.sync(2, complete: true)
        try await fleet.set("l16", on: 2, ["title": .text("v14")])
        try await fleet.sync(2)
        try await fleet.sync(1)
        try await fleet.save(
            [
                .set("c2", ["node": .object("n1")]), .set("n1", ["list": .object("l16")]),
                .insert(.node, "n46", ["title": .text("v37")]),
                .set("twork", ["name": .text("work")]),
            ], on: 1)
        try await fleet.judge()
    }

    @Test("does not require an order that was unsent when the store forgot the server")
    func forgottenOrder() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByProperty, devices: 1, pageSize: 200, version: .second)
        )
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 1, ["list": .object("l1"), "title": .text("v3")])
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun"), "x": .text("v11")])
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.insert(.node, "n26", on: 0, ["title": .text("v17")])
        try await fleet.sync(0)
        try await fleet.place("n26", in: "l1", "nodes", at: 1, on: 0)
        try await fleet.sync(0)
        try await fleet.place("n26", in: "l1", "nodes", at: 0, on: 0)
        try await fleet.resetCloudFields(0)
        try await fleet.judge()
    }

    @Test("does not require a context that follows to show the file's intermediate state")
    func metMeanwhile() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .mergeByPropertyClientWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["secret": .text("v3"), "title": .text("v2")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.hold(
            7, on: 1, trump: .object, follows: true,
            [
                .set("c2", ["node": .none]), .set("l1", ["title": .text("v8")]),
                .insert(.cover, "c19", ["node": .object("n3")]),
            ])
        try await fleet.set("c2", on: 1, ["node": .none])
        try await fleet.set("c2", on: 1, ["node": .object("n2")])
        try await fleet.saveHeld(7, on: 1)
        try await fleet.judge()
    }

    @Test("takes no record for known because of an end that another record decides")
    func otherEnd() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n2")])
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun"), "x": .text("v3")])
        try await fleet.sync(1)
        try await fleet.insert(
            .node, "n29", on: 0, ["note": .text("v22"), "title": .text("v21")])
        try await fleet.catchUp()
        try await fleet.refuseRequests(with: "n29", .serverRejectedRequest)
        try await fleet.set("n29", on: 0, ["title": .text("v23")])
        try await fleet.set("c2", on: 0, ["node": .object("n29")])
        try await fleet.catchUp()
        try await fleet.link("n29", "tags", "tfun", isThere: true, on: 0)
        try await fleet.judge()
    }

    @Test("requires no copy of what two devices have written alike")
    func sameValue() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 1, ["title": .text("v1")])
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.set("f1", on: 0, ["code": .text("A")])
        try await fleet.sync(0)
        try await fleet.set("f1", on: 1, ["code": .text("A")])
        try await fleet.sync(1)
        try await fleet.set("f1", on: 0, ["code": .text("B")])
        try await fleet.judge()
    }

    @Test("lets a deletion wait if the server asks to wait because of a bad record")
    func busyServer() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second, harsh: 61523, traits: [.refusedRecords]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v3")])
        try await fleet.calm(true)
        try await fleet.calm(false)
        try await fleet.catchUp()
        try await fleet.refuseRecord(of: "n3", .quotaExceeded, once: false)
        try await fleet.insert(.cover, "c23", on: 1, ["node": .object("n3")])
        try await fleet.catchUp()
        try await fleet.calm(true)
        try await fleet.calm(false)
        try await fleet.insert(.list, "l33", on: 1, ["title": .text("v24")])
        try await fleet.catchUp()
        try await fleet.sync(1)
        try await fleet.delete("l33", on: 1)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("does not count a value as part of a version made after its place no longer showed it")
    func diedBefore() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .serverRecordWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n11", on: 2, ["title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.set("n11", on: 2, ["title": .text("v3")])
        try await fleet.catchUp()
        try await fleet.set("n11", on: 0, ["count": .int(6)])
        try await fleet.sync(0)
        try await fleet.set("n11", on: 2, ["count": .int(13)])
        try await fleet.save(
            [.set("n11", ["title": .text("v15")]), .set("n11", ["secret": .text("")])], on: 0)
        try await fleet.judge()
    }

    @Test("takes a save of a child context that Core Data refuses for one that changes nothing")
    func refusedInChild() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByProperty, devices: 1, pageSize: 200, version: .second)
        )
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 0, ["folder": .object("f1"), "title": .text("v2")])
        // A folder that has nodes cannot be deleted.
        try await fleet.saveInChild(
            [.insert(.list, "l1", ["title": .text("v3")]), .delete("f1")], on: 0)
        try await fleet.judge()
    }

    @Test("knows no edit that its place has not begun to send")
    func unsentElsewhere() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second, harsh: 800717,
                traits: [.brokenConnections, .lostAnswers, .failingAssets]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["photo": .data(0), "title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.save(
            [
                .delete("thome"), .insert(.cover, "c21", ["node": .object("n2")]),
                .insert(.list, "l22", ["title": .text("v13")]),
            ], on: 1)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("lets a reference that arrives after its object contest an edit made before it arrived")
    func lateReference() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByProperty, devices: 3, pageSize: 200,
                version: .second, harsh: 801581, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 2, ["title": .none])
        try await fleet.insert(.leaf, "n3", on: 2, ["title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 2, ["node": .object("n2")])
        try await fleet.insert(.cover, "c2", on: 2, ["node": .object("n3")])
        try await fleet.sync(2)
        try await fleet.sync(0)
        try await fleet.fail(
            .modifyRecords, of: 2, skip: 1, times: 2, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: 30.0)
        try await fleet.insert(.cover, "c17", on: 0, ["node": .object("n3")])
        try await fleet.sync(0)
        try await fleet.during(
            .modifyRecords, of: 2, afterwards: false, .set("c17", 2, ["node": .object("n2")]))
        try await fleet.sync(2)
        try await fleet.judge()
    }

    @Test("does not require a value to stay on its device once the model's upgrade has sent it")
    func syncedSince() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.draft, "d36", on: 0, ["title": .text("v27")])
        try await fleet.upgrade(0, to: .draftIsSynced)
        try await fleet.upgrade(1, to: .draftIsSynced)
        try await fleet.syncAll()
        try await fleet.set("d36", on: 1, ["title": .longText(3046)])
        try await fleet.judge()
    }

    @Test("knows what the server received in the pass during which its sender deleted it")
    func deletedWhileSent() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second, harsh: 920819, traits: [.throttling]))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.catchUp()
        try await fleet.set("twork", on: 0, ["x": .text("v2")])
        try await fleet.during(.modifyRecords, of: 0, afterwards: true, .delete("twork", 0))
        try await fleet.sync(0)
        try await fleet.set("twork", on: 1, ["x": .text("")])
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("knows what a device showed of an object that was made again")
    func madeAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second, harsh: 1608021, traits: [.rejectedRequests]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["photo": .none, "title": .text("v4")])
        try await fleet.insert(
            .item, "i1", on: 1, ["flag": .bool(true), "ratio": .none, "words": .none])
        try await fleet.sync(1)
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.hold(
            7, on: 1, trump: .object, follows: false,
            [.insert(.cover, "c18", ["node": .object("n3")])])
        try await fleet.delete("n3", on: 0)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.saveHeld(7, on: 1)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.set("n3", on: 0, ["count": .int(9223372036854775807)])
        try await fleet.set("n3", on: 1, ["title": .longText(3012)])
        try await fleet.judge()
    }

    @Test("lets an object be deleted whose edit has lost to another one that its deletion knows")
    func lostToKnown() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(
            .leaf, "n11", on: 1, ["price": .decimal("3.12345678901234567"), "title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.set("n11", on: 1, ["price": .decimal("4.12345678901234567")])
        try await fleet.catchUp()
        try await fleet.delete("n11", on: 1)
        try await fleet.set("n11", on: 0, ["title": .text("")])
        try await fleet.judge()
    }
}
