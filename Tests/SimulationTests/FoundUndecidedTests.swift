import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules whose results no promise decides, although the judge has demanded one.
@Suite("The judge") struct FoundUndecidedTests {
    @Test(
        "requires no deletion of a record that a bad object has taken over",
        arguments: [true, false])
    func takenOver(once: Bool) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByPropertyClientTells, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.hold(
            9, on: 0, trump: .object, follows: false,
            [.set("thome", ["name": .text("work")]), .set("c1", ["title": .text("v10")])])
        try await fleet.hold(11, on: 0, trump: .object, follows: false, [.delete("thome")])
        try await fleet.sync(0, complete: true)
        try await fleet.refuseRecord(of: "thome", .badRequest, once: once)
        try await fleet.saveHeld(11, on: 0)
        try await fleet.saveHeld(9, on: 0)
        try await fleet.judge()
    }

    @Test(
        "lets the deletion of an object wait whose record cannot be fetched, if an edit would win",
        arguments: [true, false])
    func assetIsAway(once: Bool) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .serverRecordWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["photo": .data(105), "title": .text("v4")])
        try await fleet.sync(0)
        try await fleet.loseAsset(ofSize: 105, once: once)
        try await fleet.batchDelete(.node, ["n2"], on: 0)
        try await fleet.judge()
    }

    @Test("lets a deletion win against an edit whose value was lost to damage before it was sent")
    func lostBeforeSending() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 0, ["count": .int(6), "title": .text("v5")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("n3", on: 1, ["photo": .data(200_019)])
        try await fleet.damage(.fileName, on: 1)
        try await fleet.sync(1)
        try await fleet.delete("n3", on: 0)
        try await fleet.judge()
    }

    @Test("does not take the default of a property that is new on a device for an edit")
    func newProperty() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(
            .node, "n22", on: 1, ["photo": .data(200_014), "title": .text("v13")])
        try await fleet.catchUp()
        try await fleet.catchUp()
        try await fleet.upgrade(1, to: .second)
        try await fleet.resetCloudFields(1)
        try await fleet.upgrade(0, to: .second)
        try await fleet.delete("n22", on: 0)
        try await fleet.judge()
    }

    @Test("does not count a reference to an object that was deleted first as an edit")
    func destinationDeletedFirst() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n3", on: 0, ["memo": .text("v7"), "title": .text("v6")])
        try await fleet.syncAll()
        try await fleet.delete("l1", on: 1)
        try await fleet.set("n3", on: 0, ["list": .object("l1")])
        try await fleet.sync(1)
        try await fleet.batchDelete(.node, ["n3"], on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets a device send again what another device replaced by earlier values before it knew",
        arguments: [false, true])
    func replacedBeforeTheResponse(deletes: Bool) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.item, "i1", on: 1, ["flag": .bool(false)])
        try await fleet.fail(
            .modifyRecords, of: 1, skip: 1, times: 2, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: 30)
        try await fleet.insert(.node, "n37", on: 0, ["count": .int(30), "title": .text("v29")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("n37", on: 1, ["count": .int(31)])
        try await fleet.sync(1)
        if deletes {
            try await fleet.delete("n37", on: 0)
        } else {
            try await fleet.set("n37", on: 0, ["photo": .data(200_032)])
        }
        try await fleet.judge()
    }

    @Test("lets a version win whose destination was deleted in the meantime")
    func winnerIsReleased() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second,
                harsh: 722891, traits: [.interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v2")])
        try await fleet.insert(.node, "n3", on: 1, ["count": .int(5), "title": .text("v4")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n1")])
        try await fleet.set("n1", on: 1, ["list": .object("l1")])
        try await fleet.catchUp()
        try await fleet.set("c2", on: 0, ["title": .text("v15")])
        try await fleet.set("c2", on: 1, ["node": .object("n3")])
        try await fleet.calm(false)
        try await fleet.syncAll()
        try await fleet.delete("l1", on: 1)
        try await fleet.judge()
    }

    @Test("lets the server's destination be deleted if a device has forgotten who edited last")
    func forgottenAndReleased() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientTells, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n3")])
        try await fleet.catchUp()
        try await fleet.save(
            [
                .insert(.leaf, "n26", ["title": .text("v18")]),
                .set("c2", ["node": .object("n26")]),
            ], on: 0)
        try await fleet.resetCloudFields(0)
        try await fleet.delete("n3", on: 0)
        try await fleet.judge()
    }

    @Test(
        "lets the server's destination go to another object if a device has forgotten who edited last"
    )
    func forgottenAndTaken() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 1, ["due": .date(4001.0), "title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 1, [:])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("n1", on: 0, ["cover": .object("c1")])
        try await fleet.insert(.node, "n21", on: 1, ["title": .text("v20")])
        try await fleet.insert(.cover, "c22", on: 1, ["node": .object("n1")])
        try await fleet.catchUp()
        try await fleet.set("c22", on: 1, ["node": .object("n21")])
        try await fleet.resetCloudFields(1)
        try await fleet.judge()
    }

    @Test("lets a later destination hold if an earlier one was deleted before it was sent")
    func deletedBeforeSending() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second, harsh: 723923, traits: []))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v1")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.insert(.node, "n16", on: 1, ["title": .text("v7")])
        try await fleet.catchUp()
        try await fleet.delete("n16", on: 1)
        try await fleet.sync(1)
        try await fleet.set("c1", on: 0, ["node": .object("n16")])
        try await fleet.calm(true)
        try await fleet.insert(.leaf, "n19", on: 1, ["price": .none, "title": .text("v10")])
        try await fleet.fail(
            .modifyRecords, of: 1, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("c1", on: 1, ["node": .object("n2")])
        try await fleet.judge()
    }

    @Test("lets a later destination hold if an earlier one was taken over, if they are the same")
    func takenBefore() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientWins,
                entityPolicies: [.node: .serverRecordWins], devices: 3, pageSize: 200,
                version: .second,
                harsh: 735440, traits: [.rejectedRequests]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 0, ["note": .text("v4"), "title": .text("v3")])
        try await fleet.insert(.leaf, "n2", on: 0, ["title": .text("v5")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.insert(.cover, "c2", on: 0, [:])
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.calm(false)
        try await fleet.place("n2", in: "l1", "picks", at: 3, on: 2)
        try await fleet.sync(2)
        try await fleet.syncAll()
        try await fleet.set("c2", on: 0, ["node": .object("n1")])
        try await fleet.set("c1", on: 1, ["node": .object("n1")])
        try await fleet.catchUp()
        try await fleet.save(
            [.insert(.cover, "c41", [:]), .set("c2", ["node": .object("n1")])], on: 2)
        try await fleet.judge()
    }

    @Test("lets the app keep a value that it has combined with another device's version")
    func combined() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 1, ["note": .text("v3"), "title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.set("c1", on: 0, ["node": .none])
        try await fleet.set("c1", on: 1, ["title": .text("v10")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("n2", on: 0, ["cover": .object("c1")])
        try await fleet.judge()
    }

    @Test("lets a device send again what has vanished if a harsh server's token has expired")
    func tokenExpired() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second,
                harsh: 721565, traits: [.expiredTokens]))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n1")])
        try await fleet.happens(.deleteZone, on: 1)
        try await fleet.calm(true)
        try await fleet.calm(false)
        try await fleet.sync(1)
        try await fleet.calm(true)
        try await fleet.catchUp()
        try await fleet.calm(false)
        try await fleet.delete("c2", on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("compares all copies of an object while another record is bad")
    func copiesNextToABadRecord() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .keepBoth, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(
            .leaf, "n14", on: 0, ["note": .text("v8"), "title": .text("v7")])
        try await fleet.catchUp()
        try await fleet.set("n14", on: 0, ["title": .text("v9")])
        try await fleet.resetCloudFields(0)
        try await fleet.hold(
            15, on: 1, trump: .object, follows: false,
            [.insert(.cover, "c28", ["node": .object("n14")])])
        try await fleet.refuseRecord(of: "n11", .quotaExceeded, once: false)
        try await fleet.saveHeld(15, on: 1)
        try await fleet.judge()
    }

    @Test("lets another device's destination hold if it was deleted on one before it was sent")
    func deletedByAnotherClient() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .mergeByPropertyClientTells, devices: 3, pageSize: 2,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 1, ["memo": .text("v4"), "title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 1, [:])
        try await fleet.syncAll()
        try await fleet.foreign(.deleteWithCascade, "n3", "f1")
        try await fleet.set("n3", on: 2, ["cover": .object("c1")])
        try await fleet.sync(2)
        try await fleet.set("n3", on: 1, ["cover": .object("c1")])
        try await fleet.set("n3", on: 1, ["title": .text("v9")])
        try await fleet.judge()
    }

    @Test("lets a deletion win against an edit whose value was lost, whatever the policy")
    func lostAgainstPolicy() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v2")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.delete("n1", on: 0)
        try await fleet.set("n1", on: 1, ["photo": .data(200_005)])
        try await fleet.damage(.fileName, on: 1)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("lets a deletion win if another object has got the destination that an edit has removed")
    func removedAndGivenAway() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 1, [:])
        try await fleet.catchUp()
        try await fleet.sync(0, complete: true)
        try await fleet.save([.set("c1", ["node": .none])], on: 0)
        try await fleet.delete("c1", on: 1)
        try await fleet.set("c2", on: 0, ["node": .object("n1")])
        try await fleet.judge()
    }

    @Test("lets an object come back that has lost its destination to one that is gone")
    func lostToDeleted() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["list": .none, "title": .text("v1")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .none])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.foreign(.halfOwner, "n1", "c1")
        try await fleet.save([.delete("c2")], on: 1)
        try await fleet.sync(0)
        try await fleet.during(.fetchZoneChanges, of: 0, afterwards: true, .delete("c1", 0))
        try await fleet.sync(0)
        try await fleet.judge()
    }
}
