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
}
