import Judge
import Seam3
import Testing

/// Schedules, as printed by the simulator, in which a save was judged more strictly than Core Data's
/// documentation allows.
@Suite("A fleet whose saves meet what others have changed") struct FoundSaveAlarmTests {
    @Test("lets the deletions of an object and its copy wait")
    func deletedCopy() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .clean, policy: .clientTellsWhichWins, entityPolicies: [.node: .keepBoth],
                devices: 2, pageSize: 200, version: .second, harsh: 1_100_940,
                traits: [.interruptions]))
        defer { fleet.end() }
        try await fleet.calm(true)
        try await fleet.insert(.leaf, "n11", on: 1, ["title": .text("v2")])
        try await fleet.calm(false)
        try await fleet.catchUp()
        try await fleet.resetCloudFields(1)
        try await fleet.set("n11", on: 1, ["count": .int(13)])
        try await fleet.sync(1)
        try await fleet.batchDelete(.node, ["n11"], on: 1)
        try await fleet.sync(1)
        try await fleet.judge()
    }

    @Test("lets the store's side win if a context gives a tag another tag's name")
    func takenName() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .account, policy: .keepBoth, devices: 1, pageSize: 200, version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.insert(.tag, "t27", on: 0, ["name": .text("27"), "y": .text("v22")])
        try await fleet.hold(
            27, on: 0, trump: .store, follows: false,
            [.set("t27", ["name": .text("fun")]), .insert(.leaf, "n39", ["title": .text("v30")])])
        try await fleet.saveHeld(27, on: 0)
        try await fleet.judge()
    }
}
