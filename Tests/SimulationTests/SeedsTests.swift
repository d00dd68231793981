import Judge
import Seam3
import Testing

/// The same seeds each time, in every mode. The command runs other seeds, and more of them.
@Suite("Random schedules")
struct SeedsTests {
    @Test(
        "have results that the promises allow", arguments: Mode.allCases,
        [(isSmall: false, count: 20), (isSmall: true, count: 100)])
    func seeds(mode: Mode, kind: (isSmall: Bool, count: UInt64)) async {
        var tally = Tally()
        for seed in 0..<kind.count {
            let schedule = Schedule(seed: seed, mode: mode, isSmall: kind.isSmall)
            let outcome = await Run.run(schedule)
            tally += outcome.tally
            for violation in outcome.violations {
                let shortest = await Run.shorten(schedule, rule: violation.rule)
                Issue.record("seed \(seed): \(violation)\n\(shortest.swift(seed: seed))")
            }
        }
        // An oracle that allows too much would find nothing. Some modes have many contested deletions, and devices
        // that forget the server.
        let least = [.account, .versions].contains(mode) ? 3 : 7
        #expect(tally.exact > least * (tally.narrowed + tally.undecided), "\(tally.summary)")
    }
}
