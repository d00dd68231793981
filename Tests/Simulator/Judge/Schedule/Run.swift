import Foundation
import Seam3

/// Runs schedules, and shortens failing ones.
public enum Run {
    /// The result of a schedule.
    public struct Outcome: Sendable {
        /// The violations, at most one for each rule.
        public let violations: [Violation]
        /// The number of properties for which the promises allow a single value.
        public let tally: Tally
    }

    /// Runs a schedule on new devices.
    public static func run(_ schedule: Schedule) async -> Outcome {
        do {
            let fleet = try Fleet(schedule.setting)
            defer { fleet.end() }
            do {
                for step in schedule.steps {
                    try await step.perform(on: fleet)
                    if let failure = fleet.failureWithin { throw failure }
                }
                try await fleet.settleAccounts()
            } catch {
                fleet.complain("broken", "\(error)")
            }
            return Outcome(violations: fleet.violations, tally: fleet.tally)
        } catch {
            return Outcome(violations: [Violation("broken", "\(error)")], tally: Tally())
        }
    }

    /// Removes the steps of a schedule without which it still fails.
    ///
    /// - Parameter fails: Whether a schedule still fails in the same way.
    public static func shorten(
        _ schedule: Schedule, most: Int = 150, fails: (Schedule) async -> Bool
    ) async -> Schedule {
        var schedule = schedule
        // A violation is easier to understand without a network.
        if schedule.setting.network != nil {
            var near = schedule
            near.setting.network = nil
            if await fails(near) { schedule = near }
        }
        // Without a harsh server, each part of the schedule runs the same way.
        if schedule.setting.harsh != nil {
            var kind = schedule
            kind.setting.harsh = nil
            if await fails(kind) { schedule = kind }
        }
        var tries = 0
        var size = max(1, schedule.steps.count / 2)
        while true {
            var hasShortened = false
            var start = 0
            while start < schedule.steps.count, tries < most {
                var shorter = schedule
                shorter.steps.removeSubrange(start..<min(start + size, shorter.steps.count))
                tries += 1
                if await fails(shorter) {
                    schedule = shorter
                    hasShortened = true
                } else {
                    start += size
                }
            }
            if tries >= most || size == 1 && !hasShortened { break }
            if !hasShortened || size > 1 { size = max(1, size / 2) }
        }
        return await simplify(schedule, fails: fails)
    }

    /// Simplifies a schedule's setting as long as it still fails.
    private static func simplify(
        _ schedule: Schedule, fails: (Schedule) async -> Bool
    ) async -> Schedule {
        var schedule = schedule
        func attempt(_ change: (inout Setting) -> Void) async -> Bool {
            var simpler = schedule
            change(&simpler.setting)
            guard await fails(simpler) else { return false }
            schedule = simpler
            return true
        }
        if schedule.setting.harsh != nil, await !attempt({ $0.harsh = nil }) {
            for trait in schedule.setting.traits {
                _ = await attempt { $0.traits.removeAll { $0 == trait } }
            }
        }
        for devices in 1..<max(2, schedule.setting.devices) {
            if await attempt({ $0.devices = devices }) { break }
        }
        _ = await attempt { $0.pageSize = 200 }
        _ = await attempt { $0.stepLimit = nil }
        return schedule
    }

    /// Shortens a schedule that violates a rule, as long as it violates the same one.
    public static func shorten(_ schedule: Schedule, rule: String) async -> Schedule {
        await shorten(schedule) { schedule in
            await run(schedule).violations.contains { $0.rule == rule }
        }
    }
}
