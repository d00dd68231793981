import Judge
import Seam3
import Testing

/// The same seeds each time, in every mode. The command runs other seeds, and more of them.
@Suite("Random schedules")
struct SeedsTests {
    /// Modes that the manual promises little of.
    private static let rare: Set<Mode> = [.copies, .backups, .lag, .uploaders, .schemaless]

    @Test(
        "have results that the promises allow", arguments: Mode.allCases, [false, true])
    func seeds(mode: Mode, isSmall: Bool) async {
        let count: UInt64 = Self.rare.contains(mode) ? isSmall ? 20 : 5 : isSmall ? 95 : 19
        var tally = Tally()
        for seed in 0..<count {
            let schedule = Schedule(seed: seed, mode: mode, isSmall: isSmall)
            let outcome = await Run.run(schedule)
            tally += outcome.tally
            for violation in outcome.violations {
                let shortest = await Run.shorten(schedule, rule: violation.rule)
                Issue.record("seed \(seed): \(violation)\n\(shortest.swift(seed: seed))")
            }
        }
        // An oracle that allows too much would find nothing. Some modes have many contested deletions, and devices
        // that forget the server, or few seeds.
        let least = Self.rare.union([.account, .versions]).contains(mode) ? 3 : 7
        #expect(tally.exact > least * (tally.narrowed + tally.undecided), "\(tally.summary)")
    }
}
