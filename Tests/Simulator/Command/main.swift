import Foundation
import Seam3
import Simulation

/// The options of the command, each `--name value`.
struct Options {
    var start: UInt64 = 0
    var count: UInt64 = 1000
    var steps = 60
    /// The policies of each seed; nil if the seeds take turns with all policies.
    var policies: [SMSyncConflictResolutionPolicy]?
    /// How many schedules run at a time.
    var jobs = 1

    static let usage = """
        usage: seam3-simulate [--seed FIRST] [--seeds COUNT] [--steps COUNT] [--policy all|NAME] [--jobs COUNT]

        Runs random schedules on simulated devices, and stops at the first that the rules of
        synchronisation do not explain, with the shortest schedule that still does it. The same seed
        gives the same schedule. Seeds take turns with the policies, unless one is named, or all, of
        which each seed then runs under each.
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError() }
            switch name {
            case "--seed": start = try Self.number(value)
            case "--seeds": count = try Self.number(value)
            case "--steps": steps = Int(try Self.number(value))
            case "--jobs": jobs = max(1, Int(try Self.number(value)))
            case "--policy":
                let named = SMSyncConflictResolutionPolicy.allCases.filter {
                    value == "all" || "\($0)" == value
                }
                if named.isEmpty { throw UsageError() }
                policies = named
            default: throw UsageError()
            }
        }
    }

    struct UsageError: Error {}

    private static func number(_ text: String) throws -> UInt64 {
        guard let number = UInt64(text) else { throw UsageError() }
        return number
    }
}

guard let options = try? Options(Array(CommandLine.arguments.dropFirst())) else {
    FileHandle.standardError.write(Data((Options.usage + "\n").utf8))
    exit(2)
}
// Each line of progress is seen at once, also in a file.
setvbuf(stdout, nil, _IOLBF, 0)
SMStore.logger = nil
let begin = Date()

/// Runs the schedule of a seed under its policies.
@Sendable func run(_ seed: UInt64) async throws {
    for policy in options.policies ?? [Simulation.policy(ofSeed: seed)] {
        var simulation = Simulation(policy: policy)
        simulation.steps = options.steps
        try await simulation.run(seed: seed)
    }
}

do {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for offset in 0..<options.count {
            if offset >= UInt64(options.jobs) { try await group.next() }
            if offset > 0, offset % 100 == 0 {
                print("about \(offset) seeds in \(Int(Date().timeIntervalSince(begin))) s")
            }
            group.addTask { try await run(options.start + offset) }
        }
        try await group.waitForAll()
    }
} catch {
    print(error)
    exit(1)
}
print(
    "\(options.count) seeds from \(options.start), under "
        + (options.policies?.map { "\($0)" }.joined(separator: ", ") ?? "the policies in turn")
        + ": no violation")
