import CloudKitService
import Judge
import Seam3
import Testing

/// Schedules, as printed by the simulator, whose devices meet versions of which they do not know everything.
@Suite("A fleet whose devices cannot see all of a version") struct FoundVersionAlarmTests {
    @Test(
        "lets the app's block bring a text back that it has taken over before a later one was sent")
    func takenOverText() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .poison, policy: .clientTellsWhichWins, devices: 2, pageSize: 200,
                version: .second))
        defer { fleet.end() }
        try await fleet.insert(.tag, "tfun", on: 0, ["name": .text("fun")])
        try await fleet.catchUp()
        try await fleet.set("tfun", on: 1, ["y": .text("v11")])
        try await fleet.set("tfun", on: 0, ["x": .text("v13")])
        try await fleet.sync(0, complete: true)
        try await fleet.refuseRequests(
            with: "tfun", ServerErrorCode(rawValue: "SERVER_REJECTED_REQUEST"))
        try await fleet.save(
            [
                .set("tfun", ["x": .text("../../important.data")]),
                .set("thome", ["x": .text("v51")]), .insert(.list, "l62", ["title": .text("v53")]),
                .set("i1", ["title": .text("v54")]),
            ], on: 0)
        try await fleet.judge()
    }
}
