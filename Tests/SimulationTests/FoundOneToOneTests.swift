import CloudKitService
import Judge
import LocalCloud
import Seam3
import Testing

/// Schedules of the simulator in which the destination of a one-to-one relationship passes from one object
/// to another.
@Suite("A fleet whose objects take destinations over") struct FoundOneToOneTests {
    @Test("ties an object to what a deleted one had, though the deletion is refused")
    func refusedDeletion() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .serverRecordWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v2")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n1")])
        try await fleet.sync(0)
        try await fleet.refuseRecord(of: "c2", .quotaExceeded, once: false)
        try await fleet.save(
            [.insert(.cover, "c26", ["node": .object("n1")]), .delete("c2")], on: 0)
        try await fleet.judge()
    }

    @Test("ties an object to what a deleted one had, though the server slows requests down")
    func throttled() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByProperty, devices: 3, pageSize: 200,
                version: .second, harsh: 70131, traits: [.throttling]))
        defer { fleet.end() }
        try await fleet.insert(.leaf, "n2", on: 2, ["title": .text("v5")])
        try await fleet.insert(.cover, "c1", on: 2, ["node": .object("n2")])
        try await fleet.insert(.cover, "c2", on: 2, ["node": .object("n1")])
        try await fleet.calm(true)
        try await fleet.sync(2)
        try await fleet.calm(false)
        try await fleet.delete("c1", on: 2)
        try await fleet.set("n2", on: 2, ["cover": .object("c2")])
        try await fleet.sync(2)
        try await fleet.judge()
    }

    @Test("forgets what led to a deleted object, though the store has forgotten the server")
    func forgotten() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .mergeByPropertyClientWins, devices: 1, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("v3")])
        try await fleet.insert(.node, "n3", on: 1, ["title": .text("v4")])
        try await fleet.insert(.cover, "c2", on: 1, ["node": .object("n3")])
        try await fleet.syncAll()
        try await fleet.sync(0)
        try await fleet.set("n2", on: 0, ["cover": .object("c2")])
        try await fleet.resetCloudFields(0)
        try await fleet.delete("n2", on: 0)
        try await fleet.judge()
    }

    @Test("ties a new object that a context has saved after another one was tied and sent again")
    func heldCover() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .mergeByPropertyClientTells, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.leaf, "n2", on: 0, ["title": .text("v2")])
        try await fleet.insert(.cover, "c2", on: 0, ["node": .object("n3")])
        try await fleet.hold(
            10, on: 0, trump: .rollback, follows: true,
            [.set("tfun", ["x": .text("v11")]), .insert(.cover, "c22", ["node": .object("n2")])])
        try await fleet.set("c2", on: 0, ["node": .object("n2")])
        try await fleet.catchUp()
        try await fleet.insertMany(36, "n26m", in: "l1", at: 1, on: 0)
        try await fleet.resetCloudFields(1)
        try await fleet.saveHeld(10, on: 0)
        try await fleet.judge()
    }

    @Test("leaves a destination to its new owner though the former one's record cannot be fetched")
    func unfetchedOwner() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByProperty, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 1, ["title": .text("v1")])
        try await fleet.insert(.cover, "c1", on: 1, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 1, [:])
        try await fleet.syncAll()
        try await fleet.syncAll()
        try await fleet.set("c1", on: 1, ["node": .none, "scan": .data(200_031)])
        try await fleet.set("c2", on: 1, ["node": .object("n1")])
        try await fleet.loseAsset(ofSize: 200_031, once: false)
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.sync(0)
        try await fleet.judge()
    }

    @Test("does not bring back an object whose destination a refused one has taken")
    func refusedTaker() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .mergeByPropertyClientTells,
                entityPolicies: [.node: .clientTellsWhichWins], devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.node, "n24", on: 2, ["title": .text("v15")])
        try await fleet.sync(2)
        try await fleet.catchUp()
        try await fleet.refuseRequests(
            with: "c26", ServerErrorCode(rawValue: "SERVER_REJECTED_REQUEST"))
        try await fleet.insert(.cover, "c26", on: 2, ["node": .object("n24")])
        try await fleet.insert(.cover, "c42", on: 1, ["node": .object("n24")])
        try await fleet.catchUp()
        try await fleet.delete("c42", on: 1)
        try await fleet.judge()
    }
}
