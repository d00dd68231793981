import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules in which a reference that a user has removed may look as if it had followed from something else.
extension FoundUndecidedTests {
    private static func fleet() throws -> Fleet {
        try Fleet(
            Setting(
                mode: .poison, policy: .mergeByPropertyClientTells, devices: 3, pageSize: 200,
                version: .second))
    }

    @Test("lets a deletion win if the destination that an edit has removed is deleted, too")
    func removedAndDeleted() async throws {
        let fleet = try Self.fleet()
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.hold(
            5, on: 1, trump: .store, follows: true,
            [.delete("c1"), .insert(.node, "n16", ["title": .text("v7")])])
        try await fleet.set("c1", on: 0, ["node": .object("n16")])
        try await fleet.save([.delete("n1")], on: 0)
        try await fleet.saveHeld(5, on: 1)
        try await fleet.judge()
    }

    @Test(
        "lets a deletion win if any other device has deleted the list that an edit has removed",
        arguments: [0, 2])
    func removedFromDeletedList(device: Int) async throws {
        let fleet = try Self.fleet()
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n1", on: 0, ["list": .object("l1"), "title": .text("v2")])
        try await fleet.catchUp()
        try await fleet.set("n1", on: 0, ["list": .none])
        try await fleet.delete("n1", on: 1)
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.delete("l1", on: device)
        for device in [2, 0, 1] { try await fleet.sync(device) }
        try await fleet.judge()
    }

    @Test(
        "lets a deletion win if a third device gives away the destination that an edit has removed"
    )
    func removedAndGivenAwayElsewhere() async throws {
        let fleet = try Self.fleet()
        defer { fleet.end() }
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.cover, "c1", on: 0, ["node": .object("n1")])
        try await fleet.insert(.cover, "c2", on: 0, [:])
        try await fleet.catchUp()
        try await fleet.set("c1", on: 0, ["node": .none])
        try await fleet.delete("c1", on: 1)
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.set("c2", on: 2, ["node": .object("n1")])
        for device in [2, 1] { try await fleet.sync(device) }
        try await fleet.judge()
    }
}
