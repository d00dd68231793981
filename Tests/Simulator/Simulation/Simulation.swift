import LocalCloud
import Seam3

/// A run of a schedule in a new world.
public struct Simulation: Sendable {
    /// How many steps a schedule has.
    public var steps = 60
    /// The policy of all devices.
    public var policy: SMSyncConflictResolutionPolicy

    /// What went wrong, and the shortest schedule found that does.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        /// The seed of the schedule.
        public let seed: UInt64
        /// The policy of all devices.
        public let policy: SMSyncConflictResolutionPolicy
        /// The shortest schedule found that fails.
        public let steps: [Step]
        /// What is seen, and what was possible.
        public let reason: String

        /// The steps, one a line, and the reason.
        public var description: String {
            let lines = steps.enumerated().map { "  \($0.offset). \($0.element)" }
            return "seed \(seed), policy \(policy):\n\(lines.joined(separator: "\n"))\n\(reason)"
        }
    }

    /// A simulation.
    ///
    /// - Parameter policy: The policy of all devices.
    public init(policy: SMSyncConflictResolutionPolicy) {
        self.policy = policy
    }

    /// The policy whose turn it is at a seed.
    public static func policy(ofSeed seed: UInt64) -> SMSyncConflictResolutionPolicy {
        let policies = SMSyncConflictResolutionPolicy.allCases
        return policies[Int(seed % UInt64(policies.count))]
    }

    /// Runs the schedule that follows from a seed.
    ///
    /// - Parameters:
    ///   - seed: The same seed gives the same schedule.
    ///   - minimizes: Whether a failing schedule is made as short as possible.
    /// - Throws: A ``Failure``.
    public func run(seed: UInt64, minimizes: Bool = true) async throws {
        let schedule = Step.schedule(seed: seed, devices: Self.devices(seed), steps: steps)
        guard let failure = await failure(of: schedule, seed) else { return }
        var shortest = (steps: Array(schedule.prefix(failure.step + 1)), reason: failure.reason)
        if minimizes { shortest = await minimized(shortest, seed) }
        throw Failure(
            seed: seed, policy: policy, steps: shortest.steps, reason: shortest.reason)
    }

    /// How many devices there are: two or three.
    private static func devices(_ seed: UInt64) -> Int { seed % 2 == 0 ? 3 : 2 }

    /// Some seeds have a server that takes little in one request, or gives little.
    private static func limits(_ seed: UInt64) -> LocalCloudOptions {
        var options = LocalCloudOptions()
        if seed % 3 == 0 { options.maximumOperations = 3 }
        if seed % 4 == 0 { options.pageSize = 4 }
        return options
    }

    /// Where and why a schedule fails; nil if it does not.
    private func failure(
        of schedule: [Step], _ seed: UInt64
    ) async -> (step: Int, reason: String)? {
        var position = 0
        do {
            let world = try World(
                devices: Self.devices(seed), policy: policy, limits: Self.limits(seed))
            for step in schedule {
                try await world.run(step)
                position += 1
            }
            try await world.settle()
            return nil
        } catch {
            return (min(position, schedule.count - 1), "\(error)")
        }
    }

    /// Leaves out whatever the failure does not need: halves first, then less and less.
    private func minimized(
        _ failing: (steps: [Step], reason: String), _ seed: UInt64
    ) async -> (steps: [Step], reason: String) {
        var shortest = failing
        var size = max(1, shortest.steps.count / 2)
        while true {
            var start = 0
            var isShorter = false
            while start < shortest.steps.count {
                var candidate = shortest.steps
                candidate.removeSubrange(start..<min(start + size, candidate.count))
                if !candidate.isEmpty, let failure = await failure(of: candidate, seed) {
                    shortest = (Array(candidate.prefix(failure.step + 1)), failure.reason)
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { return shortest }
            size = max(1, size / 2)
        }
    }
}
