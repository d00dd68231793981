import ArgumentParser
import Foundation
import Measurement
import Seam3

/// Many devices that edit and sync with one server.
struct Devices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Let many devices edit and sync, and compare what they have at the end.",
        discussion: """
            Each device is a store with a CloudKitWebService of its own. It makes an edit and syncs, again and \
            again. At the end all sync until nothing waits, and must have what a new device gets.
            """)

    @OptionGroup var options: ServerOptions

    @Option(help: "The number of devices.")
    var devices = 200

    @Option(help: "For how many seconds they edit.")
    var seconds = 60.0

    @Option(help: "How many seconds pass from the start of a device's pass to the next at least.")
    var interval = 5.0

    @Option(help: "The number of notes that all devices edit.")
    var notes = 500

    func validate() throws {
        guard devices > 0, notes > 0, interval >= 0 else {
            throw ValidationError("There must be devices and notes.")
        }
    }

    func run() async throws {
        SMStore.logger = nil
        SMStore.syncAutomatically = false
        Self.allowOpenFiles()
        try await options.withServer { server in
            let first = try await NoteDevice(0, on: server)
            try first.insert(0..<notes)
            _ = try await first.sync()
            var all = [first]
            for index in 1..<devices { all.append(try await NoteDevice(index, on: server)) }
            for device in all { _ = try await device.sync() }
            let passes = try await edit(all)
            try await settle(all, on: server)
            show(passes, all)
            for device in all { try device.close() }
        }
    }

    /// A store keeps several files open, and the usual limit is 1024 a process.
    private static func allowOpenFiles() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    // MARK: - The minute

    /// What the passes of a device, or of all, did.
    private struct Passes: Sendable {
        var seconds: [Double] = []
        var requests: [Double] = []
        var sent = 0
        var received = 0
        var conflicts = 0
        var errors: [String: Int] = [:]

        static func += (left: inout Passes, right: Passes) {
            left.seconds += right.seconds
            left.requests += right.requests
            left.sent += right.sent
            left.received += right.received
            left.conflicts += right.conflicts
            left.errors.merge(right.errors) { $0 + $1 }
        }

        mutating func add(_ summary: SMSyncSummary, seconds time: Double) {
            seconds.append(time)
            sent += summary.savedRecordCount + summary.deletedRecordCount
            received +=
                summary.insertedObjectCount + summary.updatedObjectCount
                + summary.deletedObjectCount
            conflicts += summary.conflictCount
        }
    }

    private func edit(_ all: [NoteDevice]) async throws -> Passes {
        let end = ContinuousClock.now + .seconds(seconds)
        return try await withThrowingTaskGroup(of: Passes.self) { group in
            for (index, device) in all.enumerated() {
                let delay = interval * Double(index) / Double(all.count)
                group.addTask { try await edit(device, until: end, delay: delay) }
            }
            return try await group.reduce(into: Passes()) { $0 += $1 }
        }
    }

    private func edit(
        _ device: NoteDevice, until end: ContinuousClock.Instant, delay: Double
    ) async throws -> Passes {
        let clock = ContinuousClock()
        var passes = Passes()
        let earlierRequests = device.service.answerTimes.count
        var next = clock.now + .seconds(delay)
        for number in 0... {
            try await Task.sleep(until: next, clock: clock)
            guard clock.now < end else { break }
            try await device.edit(number, shared: 0..<notes)
            let start = clock.now
            do {
                passes.add(try await device.sync(), seconds: (clock.now - start) / .seconds(1))
            } catch {
                passes.errors["\(error)", default: 0] += 1
            }
            next = max(clock.now, next + .seconds(interval))
        }
        passes.requests = Array(device.service.answerTimes.dropFirst(earlierRequests))
        return passes
    }

    // MARK: - The end

    /// Devices that do not have the same.
    struct Disagreement: Error, CustomStringConvertible {
        let description: String
    }

    /// Syncs until nothing waits, and compares all devices with a new one.
    private func settle(_ all: [NoteDevice], on server: ServerProcess) async throws {
        var waiting = all
        for _ in 0..<5 where !waiting.isEmpty {
            for device in waiting { _ = try await device.sync() }
            waiting = try waiting.filter { try $0.pendingChangeCount() > 0 }
        }
        guard waiting.isEmpty else {
            throw Disagreement(description: "On \(waiting.count) devices changes still wait.")
        }
        // What the last ones have sent.
        for device in all { _ = try await device.sync() }
        let new = try await NoteDevice(all.count, on: server)
        _ = try await new.sync()
        let expected = try await new.titles()
        for (index, device) in all.enumerated() {
            let titles = try await device.titles()
            guard titles != expected else { continue }
            let numbers = Set(titles.keys).union(expected.keys).filter {
                titles[$0] != expected[$0]
            }
            throw Disagreement(
                description: "Device \(index) differs in \(numbers.sorted().prefix(10)).")
        }
        try new.close()
        print("All \(all.count) devices have the same \(expected.count) notes as the server.")
    }

    private func show(_ passes: Passes, _ all: [NoteDevice]) {
        var table = Table(
            title: "\(all.count) devices, \(Int(seconds)) seconds",
            columns: ["what", "number", "a second", "p50 ms", "p99 ms"])
        func add(_ name: String, _ count: Int, _ times: [Double]? = nil) {
            let latencies = times.map(Latencies.init)
            table.add([
                name, count.grouped, (Double(count) / seconds).rounded(toPlaces: 1),
                latencies?.milliseconds(0.5).rounded(toPlaces: 1) ?? "",
                latencies?.milliseconds(0.99).rounded(toPlaces: 1) ?? "",
            ])
        }
        add("passes", passes.seconds.count, passes.seconds)
        add("requests", passes.requests.count, passes.requests)
        add("changes sent", passes.sent)
        add("changes received", passes.received)
        add("conflicts", passes.conflicts)
        add("passes that failed", passes.errors.values.reduce(0, +))
        table.print(as: options.markdown ? .markdown : .text)
        for (error, count) in passes.errors { print("\(count) times: \(error)") }
    }
}
