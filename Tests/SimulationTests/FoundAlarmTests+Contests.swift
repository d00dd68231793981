import Judge
import Seam3
import Testing

/// Schedules with deletions and contested edits for which the oracle has demanded more than the documentation promises.
extension FoundAlarmTests {
    @Test("does not count a change that was taken back before any other device saw it as an edit")
    func takenBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v5")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n3")])
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.delete("c2", on: 1)
        try await fleet.set("c2", on: 0, ["node": .none])
        try await fleet.set("n3", on: 0, ["cover": .object("c2")])
        try await fleet.judge()
    }

    @Test("does not count a reference cleared with its deleted destination as an edit")
    func release() async throws {
        let fleet = try Fleet(
            Setting(mode: .kill, policy: .keepBoth, devices: 2, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c2", on: 0, [:])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.delete("c2", on: 1)
        try await fleet.set("n3", on: 0, ["cover": .object("c2")])
        try await fleet.delete("n3", on: 0)
        try await fleet.judge()
    }

    @Test("knows that a deletion was contested before the object was created again")
    func contestedBefore() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second, harsh: 3615, traits: [.brokenConnections, .interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v5")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.happens(.purgeZone, on: 1)
        try await fleet.save(
            [
                .set("n1", ["price": .none]), .insert(.list, "l20", ["title": .text("v11")]),
                .delete("n3"),
            ], on: 1)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.hold(
            24, on: 0, trump: .object, follows: false,
            [.insert(.cover, "c35", ["node": .object("n3")])])
        try await fleet.delete("n3", on: 0)
        try await fleet.sync(1)
        try await fleet.saveHeld(24, on: 0)
        try await fleet.judge()
    }

    @Test("lets an edit count against a deletion though the file has lost its value")
    func damagedEdit() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 0, ["title": .text("v3")])
        try await fleet.catchUp()
        try await fleet.set("n3", on: 2, ["photo": .data(200023)])
        try await fleet.damage(.fileName, on: 2)
        try await fleet.resetCloudFields(0)
        try await fleet.delete("n3", on: 0)
        try await fleet.judge()
    }

    @Test("does not count a deletion that was undone before it was sent as an edit")
    func undoneUnsent() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second, harsh: 100035, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n3")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.save(
            [
                .set("n3", ["title": .text("v13")]),
                .insert(.cover, "c24", ["node": .object("n3")]),
                .insert(.node, "n25", ["title": .text("v16")]), .delete("c1"),
            ], on: 0)
        try await fleet.saveAndUndo(
            [
                .delete("c1"), .set("n3", ["count": .int(20), "title": .text("v19")]),
                .set("n3", ["title": .longText(3021)]),
            ], on: 1, syncs: true)
        try await fleet.judge()
    }

    @Test("does not count the defaults of new attributes when a deletion was undone unsent")
    func undoneWithNewAttributes() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n3", on: 0, ["title": .text("v3")])
        try await fleet.set("n3", on: 0, ["list": .object("l1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.upgrade(0, to: .second)
        try await fleet.delete("n3", on: 1)
        try await fleet.saveAndUndo(
            [
                .set("f1", ["title": .text("v14")]), .set("l1", ["title": .text("v15")]),
                .delete("l1"),
            ], on: 0, syncs: false)
        try await fleet.judge()
    }

    @Test("does not count a reference that another object has taken over unsent as an edit")
    func takenOver() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 0, ["title": .text("v2")])
        try await fleet.insert(.cover, "c2", on: 0, [:])
        try await fleet.syncAll()
        try await fleet.set("c2", on: 0, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.delete("c2", on: 0)
        try await fleet.hold(
            18, on: 1, trump: .overwrite, follows: false,
            [.insert(.cover, "c30", ["node": .object("n2")])])
        try await fleet.set("c2", on: 1, ["node": .object("n2")])
        try await fleet.saveHeld(18, on: 1)
        try await fleet.judge()
    }

    @Test("lets a deletion win against an edit that has lost its destination before")
    func contestLostBefore() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .second, harsh: 900647,
                traits: [.lostAnswers, .refusedRecords, .slowAssets, .coalescedPushes]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 0, ["title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.insert(.cover, "c2", on: 0, [:])
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.set("c1", on: 0, ["node": .object("n3")])
        try await fleet.set("c2", on: 1, ["node": .object("n3")])
        try await fleet.calm(false)
        try await fleet.sync(0)
        try await fleet.batchDelete(.cover, ["c2"], on: 0)
        try await fleet.syncAll()
        try await fleet.judge()
    }

    @Test("lets an unanswered update that was set back count as not arrived")
    func setBackWithOthers() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second, harsh: 751262,
                traits: [.throttling, .brokenConnections, .lostAnswers, .interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["due": .date(6001.5), "title": .text("v5")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n2")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("c1", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.set("c1", on: 0, ["title": .text("v18")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("c1", on: 0, ["node": .object("n2")])
        try await fleet.judge()
    }

    @Test("does not count a reference cleared with one of two copies as an edit")
    func releaseWithCopy() async throws {
        let fleet = try Fleet(
            Setting(mode: .damage, policy: .keepBoth, devices: 3, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 1, ["title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n2")])
        try await fleet.syncAll()
        try await fleet.set("n2", on: 2, ["count": .int(9), "title": .text("v8")])
        try await fleet.sync(2)
        try await fleet.delete("c1", on: 2)
        try await fleet.hold(33, on: 1, trump: .object, follows: true, [.delete("n2")])
        try await fleet.set("n2", on: 1, ["count": .int(39)])
        try await fleet.sync(1)
        try await fleet.saveHeld(33, on: 1)
        try await fleet.judge()
    }

    @Test("lets a text that the app's block gave back contest a deletion")
    func givenBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v3")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("n2", on: 1, ["title": .text("v16")])
        try await fleet.set("n2", on: 0, ["due": .date(17004.25)])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.delete("n2", on: 1)
        try await fleet.judge()
    }

    @Test("lets another client's reference of the wrong type, which reads as nil, win a contest")
    func wrongType() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .mergeByPropertyClientTells, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 2, ["title": .text("v1")])
        try await fleet.insert(.tag, "thome", on: 2, ["name": .text("home"), "x": .text("v4")])
        try await fleet.insert(.node, "n19", on: 1, ["title": .text("v10")])
        try await fleet.sync(1)
        try await fleet.place("n19", in: "l1", "nodes", at: 2, on: 0)
        try await fleet.foreign(.wrongType, "n19", "thome")
        try await fleet.judge()
    }

    @Test("lets an older text come back that a device has which missed two contested edits")
    func comesBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .clientTellsWhichWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n17", on: 2, ["due": .date(9002.25), "title": .text("v8")])
        try await fleet.catchUp()
        try await fleet.set("n17", on: 2, ["title": .text("v10")])
        try await fleet.catchUp()
        try await fleet.set("n17", on: 0, ["title": .text("v11")])
        try await fleet.sync(0)
        try await fleet.hold(
            22, on: 1, trump: .object, follows: false, [.set("n17", ["note": .text("v23")])])
        try await fleet.insert(.item, "i37", on: 2, ["medium": .int(-28)])
        try await fleet.sync(2)
        try await fleet.saveHeld(22, on: 1)
        try await fleet.judge()
    }

    @Test("lets two devices lose the same reference to a contest that is about another property")
    func lostTwice() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.cover, "c15", on: 0, ["title": .text("v11")])
        try await fleet.insert(.node, "n22", on: 0, ["title": .text("v13")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("c15", on: 1, ["title": .text("")])
        try await fleet.sync(1)
        try await fleet.set("c15", on: 1, ["node": .object("n22")])
        try await fleet.set("c15", on: 0, ["node": .object("n22")])
        try await fleet.judge()
    }

    @Test("lets an object be deleted whose edit has lost and was gone before")
    func lostAndDeleted() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .serverRecordWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v3")])
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.set("n1", on: 0, ["count": .int(30), "title": .text("v29")])
        try await fleet.set("n1", on: 2, ["photo": .data(0)])
        try await fleet.syncAll()
        try await fleet.delete("n1", on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets an object return that another device has taken from a destination, and that has lost the next"
    )
    func takenFromDestination() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientWins, devices: 3, pageSize: 3,
                version: .second, harsh: 1602220,
                traits: [.lostAnswers, .interruptions, .slowAssets, .coalescedPushes]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["count": .int(5), "title": .text("v4")])
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v6")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .none])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n1")])
        try await fleet.calm(true)
        try await fleet.sync(0)
        try await fleet.calm(false)
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

    @Test("lets an object be deleted whose photo has lost and was gone before")
    func lostPhoto() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .serverRecordWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v3")])
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.set("n1", on: 0, ["count": .int(30), "title": .text("v29")])
        try await fleet.damage(.fileName, on: 2)
        try await fleet.set("n1", on: 2, ["photo": .data(0)])
        try await fleet.syncAll()
        try await fleet.delete("n1", on: 1)
        try await fleet.judge()
    }

    @Test("may lose both numbers if the app's block has taken a long text from one of the versions")
    func longText() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n11", on: 0, ["title": .text("v6")])
        try await fleet.catchUp()
        try await fleet.set("n11", on: 0, ["title": .text("v17")])
        try await fleet.sync(0)
        try await fleet.set("n11", on: 1, ["count": .int(19), "title": .longText(3018)])
        try await fleet.sync(1)
        try await fleet.set(
            "n11", on: 0, ["count": .int(22), "title": .text("../../important.data")])
        try await fleet.judge()
    }

    @Test(
        "lets a deletion win against an edit that was taken back after another deletion was undone"
    )
    func takenBackAfterUndoing() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.item, "i1", on: 0, ["isOpen": .bool(false), "title": .text("v1")])
        try await fleet.catchUp()
        try await fleet.saveAndUndo([.delete("i1")], on: 0, syncs: false)
        try await fleet.delete("i1", on: 1)
        try await fleet.sync(0)
        try await fleet.saveAndUndo([.set("i1", ["title": .none])], on: 0, syncs: false)
        try await fleet.judge()
    }
}
