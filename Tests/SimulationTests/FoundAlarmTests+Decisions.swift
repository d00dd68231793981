import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules with edits that meet what was decided without the knowledge of their users, for which the oracle has
/// demanded more than the documentation promises.
extension FoundAlarmTests {
    @Test("lets a text lose to an earlier one that the app's block has given back unseen")
    func textGivenBack() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .clientTellsWhichWins))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1)
        try await fleet.insert(
            .cover, "c1", on: 1, ["node": .object("n1"), "title": .text("v9")])
        try await fleet.sync(1)
        try await fleet.set("c1", on: 1, ["node": .none])
        try await fleet.sync(0)
        try await fleet.set("c1", on: 0, ["title": .text("v8")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("c1", on: 0, ["title": .text("v15")])
        try await fleet.judge()
    }

    @Test("lets a number be lost to a record to which the app's block has given a text back unseen")
    func numberLost() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .clientTellsWhichWins))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n17", on: 1, ["title": .text("v8")])
        try await fleet.catchUp()
        try await fleet.set("n17", on: 0, ["count": .int(9)])
        try await fleet.set("n17", on: 1, ["title": .text("v10")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("n17", on: 1, ["count": .int(12)])
        try await fleet.judge()
    }

    @Test(
        "may lose two dates to one that was taken back, if both times the app's block takes a text",
        arguments: [("v4", "v5"), ("v2", "v5")])
    func takenBack(titles: (String, String)) async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .clientTellsWhichWins))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.saveAndUndo([.set("n1", ["due": .date(3000.75)])], on: 0, syncs: true)
        try await fleet.set("n1", on: 1, ["count": .int(3), "title": .text(titles.0)])
        try await fleet.set("n1", on: 0, ["title": .text(titles.1)])
        try await fleet.sync(1)
        try await fleet.set("n1", on: 1, ["due": .date(6001.5)])
        try await fleet.judge()
    }

    @Test("lets a reference hold after one that lost its destination before anybody else saw it")
    func afterLostDestination() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second, harsh: 1854992, traits: []))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n2")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .none])
        try await fleet.set("c1", on: 1, ["node": .object("n16")])
        try await fleet.insert(.node, "n37", on: 1, ["title": .text("v28")])
        try await fleet.catchUp()
        try await fleet.fail(.modifyRecords, of: 1, skip: 1, times: 2, done: false)
        try await fleet.set("c1", on: 1, ["node": .object("n2")])
        try await fleet.set("c2", on: 0, ["node": .object("n2")])
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.set("c2", on: 1, ["node": .object("n37")])
        try await fleet.judge()
    }

    @Test("lets an edit hold that follows the decision of the app's block in the same pass")
    func editAfterDecision() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientTellsWhichWins,
                entityPolicies: [.cover: .clientTellsWhichWins], devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n1", on: 0, ["title": .text("v2")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("n1", on: 0, ["title": .text("v3")])
        try await fleet.sync(0)
        try await fleet.set("n1", on: 1, ["title": .text("v4")])
        try await fleet.during(
            .modifyRecords, of: 1, afterwards: false, .set("n1", 1, ["secret": .text("v5")]))
        try await fleet.sync(1)
        try await fleet.judge()
    }

    // MARK: - Deletions

    @Test("lets a removed link be sent again by a device that has received it, but not its list")
    func waitingLink() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second, harsh: 1853965, traits: [.brokenConnections]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n15", on: 0, ["title": .text("v6")])
        try await fleet.insert(
            .leaf, "n20", on: 0, ["count": .int(12), "title": .text("../../important.data")])
        try await fleet.catchUp()
        try await fleet.set("n15", on: 0, ["title": .text("v8")])
        try await fleet.delete("n20", on: 0)
        try await fleet.fail(
            .modifyRecords, of: 0, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.fail(
            .modifyRecords, of: 0, skip: 1, times: 2, done: false,
            ServerErrorCode(rawValue: "NETWORK_FAILURE"), retryAfter: nil)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.calm(true)
        try await fleet.save(
            [
                .insert(.list, "l27", ["title": .text("v22")]),
                .insert(.leaf, "n28", ["title": .text("v23")]),
                .insert(.node, "n29", ["photo": .data(200025), "title": .text("v24")]),
                .insert(.leaf, "n30", ["title": .text("v26")]),
                .insert(.node, "n31", ["count": .int(28), "title": .text("v27")]),
                .link("l27", "picks", "n28", isThere: true),
                .link("l27", "picks", "n29", isThere: true),
            ], on: 0)
        try await fleet.catchUp()
        try await fleet.hold(29, on: 0, trump: .store, follows: false, [.show("l27")])
        try await fleet.changeHeld(29, on: 0, [.link("l27", "picks", "n29", isThere: false)])
        try await fleet.saveHeld(29, on: 0)
        try await fleet.happens(.purgeZone, on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets a deletion win against a reference that has lost its destination before the two meet",
        arguments: [true, false])
    func destinationLost(isDeleted: Bool) async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByPropertyClientWins))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0)
        try await fleet.insert(.cover, "c2", on: 0)
        try await fleet.catchUp()
        try await fleet.set("c2", on: 0, ["node": .object("n2")])
        try await fleet.delete("c2", on: 0)
        try await fleet.set("c2", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        if isDeleted {
            try await fleet.delete("n2", on: 1)
        } else {
            try await fleet.insert(.cover, "c31", on: 1, ["node": .object("n2")])
        }
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test(
        "lets a deletion win against a reference whose destination another device has deleted unseen"
    )
    func destinationDeletedUnseen() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["count": .int(3), "title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 0, [:])
        try await fleet.catchUp()
        try await fleet.delete("n1", on: 0)
        try await fleet.set("n1", on: 1, ["cover": .object("c1")])
        try await fleet.sync(1)
        try await fleet.delete("c1", on: 2)
        try await fleet.judge()
    }

    @Test("lets a deletion win against an edit that was sent and taken back")
    func sentAndTakenBack() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .clientTellsWhichWins))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.catchUp()
        try await fleet.set("l1", on: 1, ["title": .text("v14")])
        try await fleet.set("l1", on: 0, ["title": .text("v13")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.delete("l1", on: 1)
        try await fleet.sync(0)
        try await fleet.saveAndUndo([.set("l1", ["title": .text("v33")])], on: 0, syncs: true)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test(
        "lets a deletion win against an edit, undone before it was sent, of an object that had come back",
        arguments: [("price", Value.decimal("9.12345678901234567")), ("rank", .int(9))],
        [false, true])
    func undoneAfterReturning(edit: (name: String, value: Value), hasUnsent: Bool) async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        // Only the second version has the rank.
        if edit.name == "rank" { try await fleet.upgrade(1, to: .second) }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.set("n2", on: 0, ["title": .text("v6")])
        try await fleet.sync(0)
        try await fleet.delete("n2", on: 0)
        // The object comes back without what has gone with its deletion.
        let unsent: Value = edit.name == "rank" ? .int(5) : .decimal("3.5")
        if hasUnsent { try await fleet.set("n2", on: 1, [edit.name: unsent]) }
        try await fleet.delete("n2", on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.saveAndUndo([.set("n2", [edit.name: edit.value])], on: 1, syncs: false)
        try await fleet.judge()
    }

    @Test("lets a deletion win against an edit that was undone after a pass had failed to send it")
    func undoneAfterFailure() async throws {
        let fleet = try Fleet(Setting(mode: .lossy, policy: .mergeByPropertyClientTells))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.set("n2", on: 0, ["title": .text("v6")])
        try await fleet.sync(0)
        for device in [0, 1] { try await fleet.delete("n2", on: device) }
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.fail(.fetchZoneChanges, of: 1, skip: 0, times: 3, done: false)
        try await fleet.saveAndUndo([.set("n2", ["price": .decimal("3.5")])], on: 1, syncs: true)
        try await fleet.judge()
    }

    @Test("lets a deletion win against a reference that was restored and has lost its destination")
    func restoredAfterReturning() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByPropertyClientTells))
        defer { fleet.end() }
        for node in ["n1", "n2"] { try await fleet.insert(.node, node, on: 0) }
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n1"), "title": .text("v1")])
        try await fleet.catchUp()
        try await fleet.set("c1", on: 0, ["title": .text("v2")])
        try await fleet.sync(0)
        for device in [0, 1] { try await fleet.delete("c1", on: device) }
        try await fleet.sync(1)
        try await fleet.sync(0)
        for node in ["n2", "n1"] { try await fleet.set("c1", on: 1, ["node": .object(node)]) }
        try await fleet.delete("n1", on: 1)
        try await fleet.judge()
    }

    @Test("lets a deletion win if a reference was removed, restored, and lost to another object")
    func restoredAndLost() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("../../important.data")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 1, [:])
        try await fleet.catchUp()
        try await fleet.catchUp()
        try await fleet.delete("c1", on: 0)
        try await fleet.saveAndUndo([.set("c1", ["node": .none])], on: 1, syncs: true)
        try await fleet.sync(1)
        try await fleet.set("c2", on: 1, ["node": .object("n1")])
        try await fleet.judge()
    }

    @Test("lets a deletion win if both the former and the next destination of an object are taken")
    func bothDestinationsTaken() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty))
        defer { fleet.end() }
        for node in ["n1", "n2"] { try await fleet.insert(.node, node, on: 1) }
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        for cover in ["c2", "c3"] { try await fleet.insert(.cover, cover, on: 1) }
        try await fleet.catchUp()
        try await fleet.catchUp()
        try await fleet.delete("c1", on: 0)
        try await fleet.set("c1", on: 1, ["node": .object("n2")])
        try await fleet.set("c2", on: 1, ["node": .object("n2")])
        try await fleet.set("c3", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test(
        "lets a reference lose to an edit that its nil was sent with",
        arguments: [SMSyncConflictResolutionPolicy.serverRecordWins, .clientTellsWhichWins])
    func nilSentWithEdit(_ policy: SMSyncConflictResolutionPolicy) async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: policy))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0)
        try await fleet.insert(.cover, "c1", on: 0)
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n1")])
        try await fleet.catchUp()
        try await fleet.set("c2", on: 1, ["title": .text("v2")])
        try await fleet.saveAndUndo([.set("c1", ["node": .object("n1")])], on: 0, syncs: true)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("lets an edit lose to another one that an older value was sent with after a migration")
    func migratedValueSentWithEdit() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0)
        try await fleet.catchUp()
        try await fleet.set("n1", on: 0, ["memo": .text("v1")])
        try await fleet.set("n1", on: 1, ["title": .text("v2")])
        try await fleet.upgrade(0, to: .memoIsSynced)
        try await fleet.sync(0)
        try await fleet.set("n1", on: 0, ["memo": .text("v3")])
        try await fleet.sync(1)
        try await fleet.judge()
    }
}
