import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules about deletions and lost responses that the simulator has found, as it printed them.
@Suite("A fleet that deletes") struct FoundDeletionTests {
    @Test("keeps the edit that has created an object again after its deletion")
    func editOfDeleted() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 2,
                version: .second, harsh: 6, traits: [.throttling, .lostAnswers, .refusedRecords]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["price": .none, "title": .text("v1")])
        try await fleet.insert(.node, "n3", on: 1, ["secret": .text("v3"), "title": .text("v2")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.insert(.cover, "c14", on: 1, ["node": .object("n2")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.delete("n2", on: 1)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(1, complete: true)
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.hold(
            13, on: 0, trump: .error, follows: true,
            [.delete("f17"), .set("c2", ["node": .object("n2")])])
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.set("n3", on: 1, ["cover": .object("c2")])
        try await fleet.switchProcess(1)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.hold(
            16, on: 1, trump: .error, follows: false,
            [
                .delete("c2"), .set("tfun", ["y": .text("v17")]),
                .insert(.cover, "c28", ["node": .object("n2")]),
            ])
        try await fleet.syncAll()
        try await fleet.saveHeld(16, on: 1)
        try await fleet.saveHeld(13, on: 0)
        try await fleet.judge()
    }

    @Test("does not count a reference cleared with its destination as an edit")
    func releasedReference() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 1, ["secret": .text("v3"), "title": .text("v2")])
        try await fleet.insert(.node, "n2", on: 1, ["folder": .none, "title": .text("v4")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.hold(
            5, on: 0, trump: .object, follows: false,
            [.insert(.node, "n16", ["list": .object("l1")])])
        try await fleet.sync(0)
        try await fleet.saveHeld(5, on: 0)
        try await fleet.batchSet(.node, on: 0, "note", from: .text("-"), to: .text("v8"))
        try await fleet.syncAll()
        try await fleet.delete("l1", on: 1)
        try await fleet.set("n1", on: 0, ["list": .object("l1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.sync(1)
        try await fleet.hold(
            16, on: 0, trump: .object, follows: false,
            [.set("tfun", ["x": .none]), .delete("n1")])
        try await fleet.sync(1)
        try await fleet.saveHeld(16, on: 0)
        try await fleet.judge()
    }

    @Test("deletes permanently what it was told to send again")
    func deletedAfterReset() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .original, policy: .keepBoth, devices: 1, pageSize: 200, version: .second,
                harsh: 79, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n3", on: 1, ["memo": .text("v4"), "title": .text("v3")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.resetCloudFields(0)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.set("c1", on: 1, ["node": .object("n3")])
        try await fleet.sync(1)
        try await fleet.hold(
            8, on: 0, trump: .rollback, follows: true,
            [.delete("c1"), .set("n3", ["due": .date(1e+300)])])
        try await fleet.sync(0, complete: true)
        try await fleet.saveHeld(8, on: 0)
        try await fleet.judge()
    }

    @Test("deletes what was edited in turn, even if answers were lost")
    func editedInTurn() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .keepBoth, devices: 2, pageSize: 200, version: .second,
                harsh: 112, traits: [.lostAnswers]))
        defer { fleet.end() }
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v3")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n3")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("c2", on: 1, ["title": .text("v5")])
        try await fleet.sync(1)
        try await fleet.syncAll()
        try await fleet.set("c2", on: 0, ["node": .object("n16")])
        try await fleet.sync(0)
        try await fleet.save(
            [
                .insert(.node, "n30", ["memo": .text("v22"), "title": .text("v21")]),
                .insert(.cover, "c33", ["node": .object("n30")]),
                .set("l1", ["title": .text("../../important.data")]), .delete("c2"),
            ], on: 0)
        try await fleet.judge()
    }

    @Test("deletes what a list deletes with it, even if the server refuses it for a while")
    func refusedCascade() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.leaf, "n1", on: 1, ["title": .text("v3")])
        try await fleet.place("n1", in: "l1", "nodes", at: 0, on: 1)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.refuseRequests(
            with: "n1", ServerErrorCode(rawValue: "INTERNAL_ERROR"))
        try await fleet.delete("l1", on: 0)
        try await fleet.judge()
    }

    @Test("leaves no file if a process has ended during a pull")
    func fileOfEndedProcess() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .clientTellsWhichWins, devices: 2, pageSize: 5,
                version: .second))
        defer { fleet.end() }
        for number in 0..<5 {
            try await fleet.insert(
                .node, "n1\(3 + number)", on: 1, ["photo": .data(1_200_000 + number)])
        }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "x": .text("v8")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.kill(0, atCommit: 5)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("creates a record again that an object has left for that of another natural key")
    func savedUnderAnotherKey() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "y": .text("v22")])
        try await fleet.set("twork", on: 1, ["name": .text("job")])
        try await fleet.syncAll()
        try await fleet.hold(
            27, on: 1, trump: .object, follows: false, [.set("twork", ["x": .text("v28")])])
        try await fleet.delete("twork", on: 1)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.saveHeld(27, on: 1)
        try await fleet.resetCloudFields(0)
        try await fleet.judge()
    }

    @Test("deletes what another device sends in other fields because of another model")
    func otherFields() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .first))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v2")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.upgrade(1, to: .titleHasAnotherField)
        try await fleet.batchDelete(.node, ["n1"], on: 0)
        try await fleet.judge()
    }

    @Test("creates an object again without its old values, even if its system fields are damaged")
    func damagedAndMadeAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .damage, policy: .mergeByProperty, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work"), "x": .text("v4")])
        try await fleet.syncAll()
        try await fleet.damage(.systemFields, on: 1)
        try await fleet.delete("twork", on: 1)
        try await fleet.insert(.tag, "twork", on: 1, ["name": .text("work")])
        try await fleet.judge()
    }

    @Test("saves nothing that a context has undone, and shows no members of a wrong type")
    func takenBack() async throws {
        let fleet = try Fleet(Setting(mode: .hostile, policy: .keepBoth, devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v2")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n2")])
        try await fleet.insert(.tag, "thome", on: 0, ["name": .text("home")])
        try await fleet.hold(
            9, on: 0, trump: .object, follows: false,
            [.set("c1", ["node": .none]), .set("c1", ["node": .object("n2")])])
        try await fleet.saveHeld(9, on: 0)
        try await fleet.sync(0)
        try await fleet.foreign(.wrongType, "n2", "thome")
        try await fleet.judge()
    }
}
