import Judge
import Seam3
import Testing

/// Schedules as the simulator prints them.
@Suite("A fleet")
struct FleetTests {
    @Test("whose users edit in turn, has nothing to complain of")
    func turns() async throws {
        let fleet = try Fleet(Setting(mode: .clean, policy: .mergeByProperty))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("a")])
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("b"), "list": .object("l1")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.set("n1", on: 1, ["count": .int(2)])
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.delete("l1", on: 0)
        try await fleet.judge()
    }
}
