import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules about requests whose responses were lost, as printed by the simulator.
@Suite("A fleet with lost responses") struct FoundLostAnswerTests {
    @Test("lets a deletion know the sent values, even if the error has a retry delay")
    func deletedAfterPlacing() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientTellsWhichWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.node, "n15", on: 1, ["title": .text("v6")])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.place("n15", in: "l1", "nodes", at: 3, on: 0)
        try await fleet.fail(
            .modifyRecords, of: 0, skip: 0, times: 2, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: 30.0)
        try await fleet.syncAll()
        try await fleet.delete("l1", on: 0)
        try await fleet.judge()
    }

    @Test("sends that an object gives way to another, though it was sent otherwise")
    func givenWayAfterSending() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v4")])
        try await fleet.insert(.cover, "c1", on: 1, [:])
        try await fleet.calm(true)
        try await fleet.syncAll()
        try await fleet.set("c1", on: 1, ["node": .object("n2")])
        try await fleet.fail(
            .modifyRecords, of: 1, skip: 0, times: 2, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: 30.0)
        try await fleet.sync(1, complete: true)
        try await fleet.insert(.cover, "c24", on: 1, ["node": .object("n2")])
        try await fleet.judge()
    }

    @Test("keeps an edit of a new object that was sent")
    func editedAfterSending() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .serverRecordWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.cover, "c2", on: 1, [:])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("c2", on: 0, ["node": .object("n1")])
        try await fleet.fail(
            .modifyRecords, of: 0, skip: 1, times: 2, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: 30.0)
        try await fleet.sync(0)
        try await fleet.insert(.node, "n18", on: 0, ["title": .text("v9")])
        try await fleet.sync(0)
        try await fleet.set("n18", on: 0, ["price": .decimal("10.12345678901234567")])
        try await fleet.judge()
    }

    @Test("deletes a new object that was sent")
    func deletedAfterSending() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientTells, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.fail(
            .modifyRecords, of: 1, skip: 0, times: 2, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: 30.0)
        try await fleet.insert(.node, "n17", on: 1, ["title": .text("v8")])
        try await fleet.hold(5, on: 1, trump: .overwrite, follows: true, [.delete("n17")])
        try await fleet.sync(1)
        try await fleet.saveHeld(5, on: 1)
        try await fleet.judge()
    }

    @Test("takes over that another device has set back what was sent")
    func setBack() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.syncAll()
        try await fleet.set("twork", on: 1, ["y": .text("v10")])
        try await fleet.fail(
            .modifyRecords, of: 1, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.set("twork", on: 0, ["y": .none])
        try await fleet.judge()
    }

    @Test("takes over that another device has untied what was tied by the other end")
    func untied() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientTellsWhichWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 0, ["title": .text("v5")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n3")])
        try await fleet.sync(0)
        try await fleet.insert(.tag, "twork", on: 2, ["name": .text("work"), "x": .text("v15")])
        try await fleet.fail(
            .modifyRecords, of: 2, skip: 1, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.sync(2)
        try await fleet.set("n2", on: 2, ["cover": .object("c2")])
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.save(
            [
                .set("c2", ["node": .object("n3")]),
                .insert(.node, "n34", ["title": .text("v25")]),
            ], on: 0)
        try await fleet.judge()
    }

    @Test("takes over that another device has set back what was sent before a deletion")
    func setBackAfterAnother() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.leaf, "n43", on: 0, ["title": .text("v35")])
        try await fleet.set("l1", on: 0, ["title": .text("v30")])
        try await fleet.catchUp()
        try await fleet.set("l1", on: 0, ["title": .text("v31")])
        try await fleet.delete("n43", on: 0)
        try await fleet.fail(
            .modifyRecords, of: 0, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("l1", on: 1, ["title": .text("v30")])
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("may delete a new object that was sent, and whose deletion another device has undone")
    func undoneElsewhere() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .kill, policy: .mergeByPropertyClientWins, devices: 3, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.folder, "f1", on: 2, ["title": .text("v1")])
        try await fleet.fail(
            .modifyRecords, of: 2, skip: 0, times: 1, done: true,
            ServerErrorCode(rawValue: "SERVER_RESPONSE_LOST"), retryAfter: nil)
        try await fleet.sync(2)
        try await fleet.delete("f1", on: 2)
        try await fleet.sync(1)
        try await fleet.saveAndUndo([.delete("f1")], on: 1, syncs: true)
        try await fleet.judge()
    }
}
