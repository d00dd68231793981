import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules, as printed by the simulator, in which an edit counts whose value nobody shows, or does not count.
@Suite("A fleet whose devices meet what no user has seen") struct FoundUnseenAlarmTests {
    @Test("lets a version win that has a value which its device replaced in a request")
    func replacedInRequest() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientRecordWins, entityPolicies: [.node: .clientRecordWins],
                devices: 3, pageSize: 200, version: .second, harsh: 1780521, traits: [.lostAnswers])
        )
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 1, ["name": .text("fun")])
        try await fleet.sync(1)
        try await fleet.sync(2)
        try await fleet.sync(2)
        try await fleet.hold(
            10, on: 2, trump: .object, follows: false,
            [
                .set("tfun", ["y": .text("v11")]),
                .insert(.node, "n22", ["list": .object("l1"), "title": .text("v13")]),
            ])
        try await fleet.catchUp()
        try await fleet.set("tfun", on: 0, ["x": .text("v19")])
        try await fleet.during(
            .modifyRecords, of: 0, afterwards: false, .set("tfun", 0, ["x": .text("v20")]))
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.sync(2)
        try await fleet.saveHeld(10, on: 2)
        try await fleet.judge()
    }

    @Test("lets the app's block give a version back what two devices have changed")
    func givenBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.catchUp()
        try await fleet.set("c1", on: 1, ["title": .text("v6")])
        try await fleet.sync(1)
        try await fleet.resetCloudFields(0)
        try await fleet.catchUp()
        try await fleet.fail(
            .fetchZoneChanges, of: 1, skip: 0, times: 2, done: false,
            ServerErrorCode(rawValue: "INTERNAL_ERROR"), retryAfter: 30.0)
        try await fleet.sync(1)
        try await fleet.set("c1", on: 0, ["title": .text("v17")])
        try await fleet.syncAll()
        try await fleet.set("c1", on: 1, ["node": .object("n20")])
        try await fleet.set("c1", on: 0, ["node": .object("n20")])
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("lets an edit lose to a reference that is nil because its new destination was deleted")
    func nilAfterMove() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .serverRecordWins, entityPolicies: [.item: .keepBoth],
                devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v2")])
        try await fleet.insert(.leaf, "n3", on: 1, ["price": .none, "title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n3")])
        try await fleet.save(
            [
                .set("c1", ["node": .object("n2")]),
                .insert(
                    .item, "i19",
                    ["place": .uri("mailto:13@example.com"), "small": .none, "title": .text("v12")]),
            ], on: 1)
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.set("c1", on: 1, ["node": .object("n3")])
        try await fleet.delete("n3", on: 0)
        try await fleet.syncAll()
        try await fleet.set("c1", on: 0, ["title": .text("v38")])
        try await fleet.judge()
    }

    @Test("lets a reference of another client show again when its destination returns")
    func destinationReturns() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c1", on: 0, ["node": .none])
        try await fleet.save(
            [
                .insert(.leaf, "n17", ["due": .date(13003.25), "title": .text("v12")]),
                .insert(.node, "n18", ["title": .text("v15")]),
                .insert(.node, "n19", ["title": .text("v16")]),
                .insert(.node, "n20", ["title": .text("v17")]),
                .insert(.node, "n21", ["title": .text("v18")]),
                .link("n17", "friends", "n18", isThere: true),
                .link("n17", "friends", "n19", isThere: true),
            ], on: 0)
        try await fleet.catchUp()
        try await fleet.hold(
            22, on: 1, trump: .object, follows: false, [.set("n19", ["count": .int(23)])])
        try await fleet.delete("n19", on: 0)
        try await fleet.saveHeld(22, on: 1)
        try await fleet.foreign(.halfOwner, "n19", "c1")
        try await fleet.judge()
    }

    @Test("lets an object be copied whose destination a refused object has taken")
    func takenByRefused() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .keepBoth, entityPolicies: [.list: .mergeByProperty],
                devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v5")])
        try await fleet.insert(.cover, "c28", on: 0, ["node": .object("n1")])
        try await fleet.catchUp()
        try await fleet.refuseRequests(
            with: "c28", ServerErrorCode(rawValue: "SERVER_REJECTED_REQUEST"))
        try await fleet.set("n2", on: 1, ["cover": .object("c28")])
        try await fleet.sync(0)
        try await fleet.insert(.cover, "c36", on: 0, ["node": .object("n2")])
        try await fleet.catchUp()
        try await fleet.set("c36", on: 0, ["title": .text("v29")])
        try await fleet.judge()
    }

    @Test("does not require that an object survives which has only lost its destination")
    func takenAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .mergeByProperty, entityPolicies: [.node: .serverRecordWins],
                devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .none])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .none])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.batchDelete(.cover, ["c2"], on: 1)
        try await fleet.set("c1", on: 0, ["node": .object("n2")])
        try await fleet.saveAndUndo(
            [
                .insert(.cover, "c40", [:]), .set("c1", ["node": .object("n2")]),
                .set("c2", ["node": .object("n2")]),
                .insert(
                    .item, "i41",
                    [
                        "moment": .date(-3499999999.8766), "ratio": .double(-0.0),
                        "spot": .composite(["label": .text("v33"), "number": .int(34)]),
                        "title": .text("v32"),
                    ]),
            ], on: 0, syncs: false)
        try await fleet.judge()
    }

    @Test("does not require that what a migration sends brings an object back")
    func sentByMigration() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientWins,
                entityPolicies: [.node: .clientRecordWins], devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v2")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("n2", on: 0, ["memo": .text("")])
        try await fleet.upgrade(0, to: .memoIsSynced)
        try await fleet.delete("n2", on: 1)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("does not require that an edit survives which the deletion's device does not sync")
    func notSynced() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(
            .leaf, "n1", on: 0, ["price": .decimal("3.12345678901234567"), "title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.upgrade(0, to: .memoIsSynced)
        try await fleet.set("n1", on: 0, ["memo": .text("v5")])
        try await fleet.delete("n1", on: 1)
        try await fleet.judge()
    }

    @Test("lets the deletion of a link that leads nowhere wait beside that of its node")
    func linkToNowhere() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .mergeByProperty, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["list": .none, "title": .text("v1")])
        try await fleet.catchUp()
        try await fleet.foreign(.linkToNowhere, "n2", "n2")
        try await fleet.sync(0)
        try await fleet.delete("n2", on: 0)
        try await fleet.fail(
            .modifyRecords, of: 0, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("lets a deletion win against a value that its device had and another one has set again")
    func setAgain() async throws {
        let fleet = try Fleet(Setting(policy: .mergeByProperty, devices: 3))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.catchUp()
        try await fleet.delete("n1", on: 0)
        try await fleet.set("n1", on: 1, ["title": .text("v2")])
        try await fleet.sync(1)
        try await fleet.sync(2)
        try await fleet.set("n1", on: 2, ["title": .text("v1")])
        try await fleet.sync(2)
        try await fleet.judge()
    }

    @Test("lets a deletion win that was made again when an edit had brought its object back")
    func deletedInPass() async throws {
        let fleet = try Fleet(Setting(policy: .mergeByProperty, devices: 2))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.catchUp()
        try await fleet.set("n1", on: 0, ["title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.delete("n1", on: 0)
        try await fleet.insert(.node, "n2", on: 0)
        try await fleet.set("n1", on: 1, ["title": .text("v1")])
        try await fleet.fail(.modifyRecords, of: 1, done: true)
        try await fleet.sync(1)
        try await fleet.during(.modifyRecords, of: 0, afterwards: false, .delete("n1", 0))
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("does not require that a node survives whose list was gone for a while")
    func listReturns() async throws {
        let fleet = try Fleet(Setting(policy: .mergeByProperty, devices: 3))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.set("n1", on: 0, ["list": .object("l1")])
        try await fleet.delete("l1", on: 1)
        try await fleet.set("l1", on: 2, ["title": .text("v3")])
        try await fleet.delete("n1", on: 2)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.judge()
    }
}
