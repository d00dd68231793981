import Foundation
import Judge
import Seam3

guard let options = try? Options(Array(CommandLine.arguments.dropFirst())) else {
    FileHandle.standardError.write(Data((Options.usage + "\n").utf8))
    exit(2)
}
// Each line is written immediately, also to a file.
setvbuf(stdout, nil, _IOLBF, 0)
SMStore.logger = nil

if options.isWorker {
    await Worker.run(options)
    exit(0)
}

// All workers write in one folder, which also contains the files of workers that were killed.
let folder = Fleet.root.appendingPathComponent("seam3-simulate-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
setenv("TMPDIR", folder.path, 1)

/// Removes the files of the runs, and exits.
func end(_ status: Int32) -> Never {
    try? FileManager.default.removeItem(at: folder)
    exit(status)
}

/// Prints a violation with the shortest schedule that leads to it.
func report(_ found: Workers.Found, _ workers: Workers) async {
    let schedule: Schedule
    var text = found.text
    if ["the process ends", "stands still"].contains(found.rule) {
        schedule = await workers.shortenBySteps(found.seed)
    } else {
        schedule = await Run.shorten(options.schedule(found.seed), rule: found.rule)
        let rest = await Run.run(schedule).violations
        text = rest.first { $0.rule == found.rule }?.text ?? text
    }
    print("seed \(found.seed), \(schedule.setting.mode), \(schedule.setting.policy)")
    print("\(found.rule): \(text)\n")
    print(schedule.swift(seed: found.seed) + "\n")
}

let begin = Date()
let workers = Workers(options, in: folder)
do { try workers.run() } catch {
    print(error)
    end(2)
}
if options.stopsWhenCaught {
    print(workers.summaryWhenCaught)
    end(workers.found.isEmpty ? 0 : 1)
}
let seconds = max(1, Int(Date().timeIntervalSince(begin)))
let count = workers.runCount
print("\(count) schedules in \(seconds) s; \(workers.tally.summary)")
var reports: [String: Int] = [:]
for found in workers.found.sorted(by: { $0.seed < $1.seed }) {
    reports[found.rule, default: 0] += 1
    if reports[found.rule] == 1 {
        let seeds = workers.found.filter { $0.rule == found.rule }.map { "\($0.seed)" }
        print("\n\(found.rule): \(seeds.count) times: \(seeds.prefix(12).joined(separator: " "))")
    }
    guard reports[found.rule, default: 0] <= options.reports else { continue }
    await report(found, workers)
    if !options.goesOn { break }
}
end(workers.found.isEmpty ? 0 : 1)
