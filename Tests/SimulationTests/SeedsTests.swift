import Judge
import Seam3
import Testing

/// The same seeds each time, in every mode. The command runs other seeds, and more of them.
@Suite("Random schedules")
struct SeedsTests {
    private static let seeds: Range<UInt64> = 0..<20

    @Test("have results that the promises allow", arguments: Mode.allCases)
    func seeds(mode: Mode) async {
        var tally = Tally()
        for seed in Self.seeds {
            let schedule = Schedule(seed: seed, mode: mode)
            let outcome = await Run.run(schedule)
            tally += outcome.tally
            for violation in outcome.violations {
                let shortest = await Run.shorten(schedule, rule: violation.rule)
                Issue.record("seed \(seed): \(violation)\n\(shortest.swift(seed: seed))")
            }
        }
        // An oracle that allows too much would find nothing.
        #expect(tally.exact > 7 * (tally.narrowed + tally.undecided), "\(tally.summary)")
    }
}
