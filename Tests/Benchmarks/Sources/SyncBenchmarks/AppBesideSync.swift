import CoreData
import LocalCloud
import Measurement
import SyncedNotes

/// What the user of an app waits for while its store syncs.
///
/// The app saves a note and fetches fifty again and again, in a context on the main queue that merges changes by itself.
/// Before each, it measures how long the main queue is busy with something else, such as a merge.
struct AppBesideSync {
    static let title = "App beside a sync"
    private static let mostSteps = 2_000
    private static let ownNotes = 1_000

    /// The number of records that are pulled or pushed.
    let size: Int
    private var table = Table(
        title: title, columns: ["an app waits, in ms", "times", "p50", "p90", "p99", "max"])
    private var lastNumber = 0

    static func table(size: Int) async throws -> Table {
        var measurement = AppBesideSync(size: size)
        try await measurement.pull()
        try await measurement.pullOfUpdates()
        try await measurement.push()
        return measurement.table
    }

    private init(size: Int) {
        self.size = size
    }

    /// A first pull, and a complete sync after it.
    private mutating func pull() async throws {
        let cloud = LocalCloud.inMemory()
        let device = try await device(on: cloud)
        add("idle", try await Self.measure(device, from: &lastNumber, count: Self.mostSteps / 4))
        try await fill(cloud).close()
        try await add("pull", device) { try await device.store.sync() }
        try await add("complete sync", device) { try await device.store.sync(complete: true) }
        try device.close()
    }

    /// A pull of changes to objects that the app holds.
    private mutating func pullOfUpdates() async throws {
        let cloud = LocalCloud.inMemory()
        let other = try await fill(cloud)
        let device = try await device(on: cloud)
        let held = try device.notes(0..<size)
        try other.changeTitles(of: 0..<size)
        try await other.store.sync()
        try await add("pull of changes to held objects", device) { try await device.store.sync() }
        try withExtendedLifetime(held) { try device.close() }
        try other.close()
    }

    private mutating func push() async throws {
        let device = try await device(on: LocalCloud.inMemory())
        try device.insert(0..<size)
        try await add("push", device) { try await device.store.sync() }
        try device.close()
    }

    /// A device that has synced.
    private func device(on cloud: LocalCloud) async throws -> NoteStore {
        let device = try NoteStore(on: cloud, followsOnMainQueue: true)
        try device.insert(-Self.ownNotes..<0)
        try await device.store.sync()
        return device
    }

    /// Another device that has sent its notes.
    private func fill(_ cloud: LocalCloud) async throws -> NoteStore {
        let other = try NoteStore(on: cloud)
        try other.insert(0..<size)
        try await other.store.sync()
        return other
    }

    // MARK: - Measuring

    /// The durations of what the app has done, in seconds.
    private struct Times {
        var queue: [Double] = []
        var saves: [Double] = []
        var fetches: [Double] = []
    }

    private mutating func add(
        _ name: String, _ device: NoteStore,
        during sync: @escaping @Sendable () async throws -> Void
    ) async throws {
        let running = RunningSync()
        async let end: Void = running.run(sync)
        // The pass takes what is saved meanwhile, too, so the app pauses at last, or it would never end.
        let times = try await Self.measure(device, from: &lastNumber, count: Self.mostSteps) {
            running.isOver
        }
        try await end
        add(name, times)
    }

    private mutating func add(_ name: String, _ times: Times) {
        for (what, times) in [
            ("save", times.saves), ("fetch of 50", times.fetches), ("main queue", times.queue),
        ] {
            let sorted = times.sorted()
            func percentile(_ share: Double) -> String {
                guard !sorted.isEmpty else { return "" }
                let place = min(Int(Double(sorted.count) * share), sorted.count - 1)
                return (sorted[place] * 1000).rounded(toPlaces: 1)
            }
            table.add([
                "\(what), \(name)", sorted.count.grouped, percentile(0.5), percentile(0.9),
                percentile(0.99), percentile(1),
            ])
        }
    }

    /// Lets an app save and fetch on a thread of its own, so that it takes none from the sync.
    private static func measure(
        _ device: NoteStore, from last: inout Int, count: Int,
        until isOver: @escaping @Sendable () -> Bool = { false }
    ) async throws -> Times {
        let start = last
        let times = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try steps(device, after: start, count: count, until: isOver) })
            }
        }
        last -= times.saves.count
        return times
    }

    private static func steps(
        _ device: NoteStore, after start: Int, count: Int, until isOver: () -> Bool
    ) throws -> Times {
        var times = Times()
        while times.saves.count < count, !isOver() {
            times.queue.append(duration { DispatchQueue.main.sync {} })
            let number = start - ownNotes - times.saves.count - 1
            times.saves.append(try duration { try device.insert(number..<number + 1) })
            let first = Int.random(in: -ownNotes..<(-50))
            times.fetches.append(
                try duration {
                    guard try device.titles(first..<first + 50).count == 50 else {
                        throw Throughput.Incomplete()
                    }
                })
        }
        return times
    }

    private static func duration(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let begin = clock.now
        try body()
        return (clock.now - begin) / .seconds(1)
    }
}
