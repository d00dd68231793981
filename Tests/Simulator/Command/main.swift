import Foundation
import Seam3
import Simulation

/// The options of the command, each `--name value`.
struct Options {
    var start: UInt64 = 0
    var count: UInt64 = 1000
    var steps = 60
    var policies = SMSyncConflictResolutionPolicy.allCases

    static let usage = """
        usage: seam3-simulate [--seed FIRST] [--seeds COUNT] [--steps COUNT] [--policy NAME]

        Runs random schedules on simulated devices under each policy (or the one that is named), and
        stops at the first that the rules of synchronisation do not explain, with the shortest
        schedule that still does it. The same seed gives the same schedule.
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError() }
            switch name {
            case "--seed": start = try Self.number(value)
            case "--seeds": count = try Self.number(value)
            case "--steps": steps = Int(try Self.number(value))
            case "--policy":
                policies = policies.filter { "\($0)" == value }
                if policies.isEmpty { throw UsageError() }
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
for offset in 0..<options.count {
    let seed = options.start + offset
    for policy in options.policies {
        var simulation = Simulation(policy: policy)
        simulation.steps = options.steps
        do {
            try await simulation.run(seed: seed)
        } catch {
            print(error)
            exit(1)
        }
    }
    if (offset + 1) % 100 == 0 {
        print("\(offset + 1) seeds in \(Int(Date().timeIntervalSince(begin))) s")
    }
}
print(
    "\(options.count) seeds from \(options.start) under \(options.policies.count) policies: "
        + "no violation")
