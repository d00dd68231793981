import Judge
import LocalCloud
import Seam3
import Testing

/// Schedules of the simulator in which edits were lost to deletions.
@Suite("A fleet that edits what is deleted elsewhere") struct FoundEditTests {
    @Test("tells an object that was made again from the one that was deleted")
    func refusedWhenMadeAgain() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .versions, policy: .mergeByPropertyClientWins, devices: 2, pageSize: 200,
                version: .first, harsh: 64, traits: [.rejectedRequests]))
        defer { fleet.end() }
        try await fleet.calm(true)
        try await fleet.calm(false)
        try await fleet.catchUp()
        try await fleet.insert(.node, "n32", on: 1, ["title": .text("v23")])
        try await fleet.catchUp()
        try await fleet.set("n32", on: 1, ["note": .text("v24")])
        try await fleet.delete("n32", on: 2)
        try await fleet.during(.modifyRecords, of: 1, afterwards: false, .sync(2))
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("knows no edit in a place of an order whose owner is gone")
    func placeWithoutOwner() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .processes, policy: .clientTellsWhichWins, devices: 3, pageSize: 200,
                version: .second, harsh: 61058,
                traits: [.throttling, .brokenConnections, .interruptions]))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.leaf, "n2", on: 0, ["note": .text("v4"), "title": .text("v3")])
        try await fleet.calm(true)
        try await fleet.insert(
            .node, "n19", on: 2, ["count": .int(11), "title": .text("v10")])
        try await fleet.during(.modifyRecords, of: 2, afterwards: false, .sync(0))
        try await fleet.sync(2)
        try await fleet.calm(false)
        try await fleet.sync(2)
        try await fleet.syncAll()
        try await fleet.delete("l1", on: 2)
        try await fleet.set("n2", on: 0, ["list": .object("l1")])
        try await fleet.sync(0)
        try await fleet.sync(2)
        try await fleet.insert(.cover, "c33", on: 2, [:])
        try await fleet.sync(2)
        try await fleet.syncAll()
        try await fleet.delete("n2", on: 0)
        try await fleet.sync(2)
        try await fleet.set("n2", on: 2, ["note": .text("v28")])
        try await fleet.sync(2)
        try await fleet.judge()
    }
}
