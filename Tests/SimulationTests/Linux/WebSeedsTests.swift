import Judge
import Testing

/// The same seeds each time. The command runs other seeds, and more of them.
@Suite("Random schedules over HTTP")
struct WebSeedsTests {
    @Test(
        "on a bad network have results that the promises allow",
        arguments: 100..<110 as Range<UInt64>)
    func seed(_ seed: UInt64) async {
        let schedule = Schedule(seed: seed, mode: .lossy, isOverHTTP: true)
        for violation in await Run.run(schedule).violations {
            let shortest = await Run.shorten(schedule, rule: violation.rule)
            Issue.record("\(violation)\n\(shortest.swift(seed: seed))")
        }
    }

    @Test("do not blame a device for a request of another one that arrives during its pass")
    func lateArrival() async throws {
        // The last request of device 0 reaches the server after the last one of device 1.
        let fleet = try Fleet(
            Setting(
                mode: .lossy, policy: .clientRecordWins, devices: 2, pageSize: 200, network: 22144))
        defer { fleet.end() }
        try await fleet.sync(1)
        try await fleet.sync(0)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work")])
        try await fleet.sync(0)
        for _ in 1...2 { try await fleet.catchUp() }
        try await fleet.syncAll()
        try await fleet.set("twork", on: 0, ["x": .text("v18")])
        try await fleet.sync(0)
        try await fleet.sync(1)
        try await fleet.judge()
    }
}
