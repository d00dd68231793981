import Foundation
import Judge
import Seam3

/// The options of the command, each `--name value`.
struct Options {
    var start: UInt64 = 0
    var count: UInt64 = 1000
    /// The mode, which determines what goes wrong; nil to choose it by seed.
    var mode: Mode?
    /// The conflict policy; nil to choose it by seed.
    var policy: SMSyncConflictResolutionPolicy?
    /// Whether the server is harsh; nil to choose it by seed.
    var isHarsh: Bool?
    /// Whether devices reach the server over HTTP and a bad network.
    var isOverHTTP = false
    /// Whether schedules have few objects and steps.
    var isSmall = false
    /// The number of processes that run schedules.
    var jobs = 1
    /// Whether all seeds are run even after a violation.
    var goesOn = false
    /// Whether only the number of runs until the first violation is printed.
    var stopsWhenCaught = false
    /// The number of violations of each rule whose schedules are shortened.
    var reports = 1
    /// The only rule whose violations count; nil for all.
    var rule: String?
    /// The steps of a seed's schedule to run, by number; nil for all.
    var only: [Int]?
    /// Whether this process is a worker of another one.
    var isWorker = false
    /// The increment between a worker's seeds.
    var stride: UInt64 = 1

    static let usage = """
        usage: seam3-simulate [--seed FIRST] [--seeds COUNT] [--mode NAME] [--policy NAME]
                              [--temper kind|harsh] [--network http] [--small yes] [--jobs COUNT]
                              [--all yes [--reports COUNT] | --until-caught yes] [--rule NAME]

        Runs random schedules on simulated devices, and says which end in what the promises of
        sync do not allow: the first, with the shortest schedule that still does it, or
        with --all a table. With --until-caught it prints one line: "caught", the number of runs it took,
        the seed and the rule, or "survived" and the number of runs. The same seed gives the same schedule.
        modes: \(Mode.allCases.map(\.rawValue).joined(separator: " "))
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError() }
            switch name {
            case "--seed": start = try Self.number(value)
            case "--seeds": count = try Self.number(value)
            case "--jobs": jobs = max(1, Int(try Self.number(value)))
            case "--stride": stride = try Self.number(value)
            case "--all": goesOn = value == "yes"
            case "--until-caught": stopsWhenCaught = value == "yes"
            case "--temper":
                guard ["kind", "harsh"].contains(value) else { throw UsageError() }
                isHarsh = value == "harsh"
            case "--network":
                guard value == "http" else { throw UsageError() }
                isOverHTTP = true
            case "--small": isSmall = value == "yes"
            case "--rule": rule = value
            case "--reports": reports = Int(try Self.number(value))
            case "--worker": isWorker = value == "yes"
            case "--only": only = value.split(separator: ",").compactMap { Int($0) }
            case "--mode":
                guard let named = Mode(rawValue: value) else { throw UsageError() }
                mode = named
            case "--policy":
                policy = SMSyncConflictResolutionPolicy.allCases.first { "\($0)" == value }
                if policy == nil { throw UsageError() }
            default: throw UsageError()
            }
        }
    }

    struct UsageError: Error {}

    private static func number(_ text: String) throws -> UInt64 {
        guard let number = UInt64(text) else { throw UsageError() }
        return number
    }

    /// The schedule of a seed.
    func schedule(_ seed: UInt64) -> Schedule {
        var schedule = Schedule(
            seed: seed, mode: mode, policy: policy, isHarsh: isHarsh, isOverHTTP: isOverHTTP,
            isSmall: isSmall)
        if let only {
            schedule.steps = only.filter(schedule.steps.indices.contains).map { schedule.steps[$0] }
        }
        return schedule
    }

    /// The arguments of a worker with the same options.
    func workerArguments(from seed: UInt64, count: UInt64, stride: UInt64) -> [String] {
        var arguments = [
            "--worker", "yes", "--seed", "\(seed)", "--seeds", "\(count)", "--stride", "\(stride)",
            "--all", goesOn ? "yes" : "no",
        ]
        if let mode { arguments += ["--mode", mode.rawValue] }
        if let isHarsh { arguments += ["--temper", isHarsh ? "harsh" : "kind"] }
        if isSmall { arguments += ["--small", "yes"] }
        if isOverHTTP { arguments += ["--network", "http"] }
        if let policy { arguments += ["--policy", "\(policy)"] }
        return arguments
    }
}
