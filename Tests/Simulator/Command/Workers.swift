import Foundation
import Judge

/// The processes that run schedules, and their results.
final class Workers {
    /// The result of a seed's schedule.
    struct Found {
        let seed: UInt64
        let rule: String
        let text: String
    }

    private let options: Options
    private(set) var found: [Found] = []
    private(set) var fineCount = 0
    private(set) var tally = Tally()

    private let folder: URL

    /// - Parameter folder: The folder in which the processes write.
    init(_ options: Options, in folder: URL) {
        self.options = options
        self.folder = folder
    }

    var runCount: Int { fineCount + Set(found.map(\.seed)).count }

    /// The number of runs until the first violation, in a machine-readable form.
    var summaryWhenCaught: String {
        guard let first = found.first else { return "survived\t\(runCount)" }
        return "caught\t\(runCount)\t\(first.seed)\t\(first.rule)"
    }

    private final class Worker {
        let process = Process()
        let log: URL
        let last: UInt64
        var seed: UInt64?
        var readCount = 0

        init(log: URL, last: UInt64) {
            self.log = log
            self.last = last
        }
    }

    /// Runs all seeds, or all up to the first violation.
    func run() throws {
        let jobs = UInt64(options.jobs)
        let end = options.start + options.count
        var workers: [Worker] = []
        for number in 0..<min(jobs, options.count) {
            workers.append(try start(options.start + number, end))
        }
        var lastReport = Date()
        while !workers.isEmpty {
            Thread.sleep(forTimeInterval: 0.1)
            var running: [Worker] = []
            for worker in workers {
                let isRunning = worker.process.isRunning
                read(worker)
                if isRunning {
                    running.append(worker)
                } else if let next = try replace(worker, end) {
                    running.append(next)
                }
            }
            workers = running
            if !found.isEmpty, !options.goesOn {
                for worker in workers { worker.process.terminate() }
                break
            }
            if !options.stopsWhenCaught, Date().timeIntervalSince(lastReport) > 30 {
                lastReport = Date()
                print("\(fineCount) schedules without a violation, \(found.count) violations")
            }
        }
    }

    private func start(_ seed: UInt64, _ end: UInt64) throws -> Worker {
        let log = folder.appendingPathComponent("\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let stride = UInt64(options.jobs)
        let count = (end - seed + stride - 1) / stride
        let worker = Worker(log: log, last: end)
        worker.process.executableURL = Bundle.main.executableURL
        worker.process.arguments = options.workerArguments(from: seed, count: count, stride: stride)
        worker.process.standardOutput = try FileHandle(forWritingTo: log)
        worker.process.standardError = FileHandle.nullDevice
        try worker.process.run()
        return worker
    }

    private func read(_ worker: Worker) {
        guard let data = try? Data(contentsOf: worker.log) else { return }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let isCut = !(data.last == UInt8(ascii: "\n"))
        let whole = isCut ? lines.dropLast() : lines[...]
        for line in whole.dropFirst(worker.readCount) {
            worker.readCount += 1
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch words[0] {
            case "begin": worker.seed = UInt64(words[1])
            case "fine", "done":
                let numbers = words[1].split(separator: " ").compactMap { Int($0) }
                if words[0] == "fine" { fineCount += 1 }
                if numbers.count == 4 {
                    tally += Tally(exact: numbers[1], narrowed: numbers[2], undecided: numbers[3])
                }
                worker.seed = nil
            case "found":
                let parts = words[1].split(separator: "\t", maxSplits: 2).map(String.init)
                if parts.count == 3, let seed = UInt64(parts[0]),
                    options.rule == nil || options.rule == parts[1]
                {
                    found.append(Found(seed: seed, rule: parts[1], text: parts[2]))
                }
            default: break
            }
        }
    }

    /// Starts another worker for the remaining seeds of one that has ended early.
    private func replace(_ worker: Worker, _ end: UInt64) throws -> Worker? {
        try? FileManager.default.removeItem(at: worker.log)
        guard let seed = worker.seed else { return nil }
        let status = worker.process.terminationStatus
        let rule = status == 3 ? "stands still" : "the process ends"
        found.append(Found(seed: seed, rule: rule, text: "status \(status)"))
        let next = seed + UInt64(options.jobs)
        return next < end && options.goesOn ? try start(next, end) : nil
    }

    // MARK: - Shortening

    /// The shortest schedule that ends the process or hangs, like a seed's.
    func shortenBySteps(_ seed: UInt64) async -> Schedule {
        let whole = options.schedule(seed)
        var left = Array(whole.steps.indices)
        var size = max(1, left.count / 2)
        while true {
            var start = 0
            var hasShortened = false
            while start < left.count {
                var fewer = left
                fewer.removeSubrange(start..<min(start + size, fewer.count))
                if endsProcess(seed, fewer) {
                    left = fewer
                    hasShortened = true
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShortened { break }
            if !hasShortened || size > 1 { size = max(1, size / 2) }
        }
        var schedule = whole
        schedule.steps = left.map { whole.steps[$0] }
        return schedule
    }

    private func endsProcess(_ seed: UInt64, _ steps: [Int]) -> Bool {
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments =
            options.workerArguments(from: seed, count: 1, stride: 1)
            + ["--only", steps.map(String.init).joined(separator: ",")]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal || process.terminationStatus == 3
    }
}
