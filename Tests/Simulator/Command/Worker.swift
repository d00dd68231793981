import Foundation
import Judge

/// Runs schedules in a separate process, so that a schedule that ends the process ends nothing
/// else.
///
/// It writes a line before and after each schedule.
enum Worker {
    static func run(_ options: Options) async {
        for number in 0..<options.count {
            let seed = options.start + number * options.stride
            print("begin \(seed)")
            let watch = Watchdog(seconds: 120)
            let outcome = await Run.run(options.schedule(seed))
            watch.stop()
            let tally = outcome.tally
            for violation in outcome.violations {
                let text = violation.text.replacingOccurrences(of: "\n", with: " ")
                print("found \(seed)\t\(violation.rule)\t\(text)")
            }
            let word = outcome.violations.isEmpty ? "fine" : "done"
            print("\(word) \(seed) \(tally.exact) \(tally.narrowed) \(tally.undecided)")
            if !outcome.violations.isEmpty, !options.goesOn { return }
        }
    }
}

/// Ends a process that hangs.
final class Watchdog: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var isStopped = false

    init(seconds: Double) {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
            guard let self, !lock.withLock({ self.isStopped }) else { return }
            exit(3)
        }
    }

    func stop() { lock.withLock { isStopped = true } }
}
