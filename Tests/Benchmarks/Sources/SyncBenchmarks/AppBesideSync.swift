import CoreData
import LocalCloud
import Measurement
import SyncedNotes

/// What the user of an app waits for while its store syncs, against the same app while it does not.
///
/// The app saves a note and fetches fifty every few milliseconds, in a context on the main queue that merges changes by
/// itself.
/// Before each, it measures how long the main queue is busy with something else, such as a merge.
struct AppBesideSync {
    /// What the store does meanwhile.
    enum Sync: CaseIterable {
        case pull, pullOfChanges, completeSync, push, pushOfMigration, pullWithHistory
    }

    let sync: Sync
    /// The number of records that are pulled or pushed.
    let size: Int
    private let cloud = LocalCloud.inMemory()

    private static let mostSteps = 10_000
    private static let idleSteps = 500
    /// Between two steps, in seconds.
    private static let pause = 0.001
    private static let ownNotes = 1_000

    static func title(_ sync: Sync) -> String {
        switch sync {
        case .pull: "App beside a pull"
        case .pullOfChanges: "App beside changes to objects it holds"
        case .completeSync: "App beside a complete sync"
        case .push: "App beside a push"
        case .pushOfMigration: "App beside a migration's push"
        case .pullWithHistory: "App with a history beside a pull"
        }
    }

    static func table(_ sync: Sync, size: Int) async throws -> Table {
        try await AppBesideSync(sync: sync, size: size).table()
    }

    private init(sync: Sync, size: Int) {
        self.sync = sync
        self.size = size
    }

    private func table() async throws -> Table {
        let device = try NoteStore(
            on: cloud, followsOnMainQueue: true, keepsHistory: sync == .pullWithHistory)
        try device.insert(-Self.ownNotes..<0)
        try await device.store.sync()
        let other = try NoteStore(on: cloud)
        let held = try await prepare(device, other)
        let idle = try await Self.measure(device, after: 0, count: Self.idleSteps) { false }
        let running = RunningSync()
        let isComplete = sync == .completeSync
        async let end: Void = running.run { try await device.store.sync(complete: isComplete) }
        // The pass takes what is saved meanwhile, too, so the app pauses at last, or it would never end.
        let beside = try await Self.measure(
            device, after: idle.saves.count, count: Self.mostSteps
        ) { running.isOver }
        try await end
        try withExtendedLifetime(held) { try device.close() }
        try other.close()
        return comparison(idle, beside)
    }

    /// Leaves a device with something to sync.
    ///
    /// - Returns: The objects that the app holds meanwhile.
    private func prepare(
        _ device: NoteStore, _ other: NoteStore
    ) async throws -> [NSManagedObject] {
        switch sync {
        case .push:
            try device.insert(0..<size)
        case .pushOfMigration:
            try device.insert(0..<size)
            try await device.store.sync()
            try device.migrate()
            guard try device.store.syncStatus().pendingChangeCount >= size else {
                throw Throughput.Incomplete()
            }
        case .pull:
            try other.insert(0..<size)
            try await other.store.sync()
        case .pullWithHistory:
            try device.insert(size..<2 * size)
            try await device.store.sync()
            try other.insert(0..<size)
            try await other.store.sync()
        case .pullOfChanges, .completeSync:
            try other.insert(0..<size)
            try await other.store.sync()
            try await device.store.sync()
            guard sync == .pullOfChanges else { break }
            let held = try device.notes(0..<size)
            try other.changeTitles(of: 0..<size)
            try await other.store.sync()
            return held
        }
        return []
    }

    // MARK: - Measuring

    /// The durations of what the app has done, in milliseconds.
    private struct Times {
        var queue: [Double] = []
        var saves: [Double] = []
        var fetches: [Double] = []
    }

    private func comparison(_ idle: Times, _ beside: Times) -> Table {
        var table = Table(
            title: Self.title(sync),
            columns: [
                "records", "what waits", "times", "idle p50", "p90", "p99", "max", "beside p50",
                "p90", "p99", "max", "ratio",
            ])
        for (what, times) in [
            ("save", \Times.saves), ("fetch", \.fetches), ("main queue", \.queue),
        ] {
            let (idle, beside) = (idle[keyPath: times].sorted(), beside[keyPath: times].sorted())
            func percentiles(_ sorted: [Double]) -> [String] {
                [0.5, 0.9, 0.99, 1].map { Self.percentile($0, of: sorted).rounded(toPlaces: 1) }
            }
            // An idle queue is never busy.
            let ratio =
                what == "main queue"
                ? ""
                : (Self.percentile(0.9, of: beside) / Self.percentile(0.9, of: idle))
                    .rounded(toPlaces: 2)
            table.add(
                [size.grouped, what, beside.count.grouped] + percentiles(idle)
                    + percentiles(beside) + [ratio])
        }
        return table
    }

    private static func percentile(_ share: Double, of sorted: [Double]) -> Double {
        guard let last = sorted.last else { return .nan }
        let place = Int(Double(sorted.count) * share)
        return place < sorted.count ? sorted[place] : last
    }

    /// Lets an app save and fetch on a thread of its own, so that it takes none from the sync.
    private static func measure(
        _ device: NoteStore, after start: Int, count: Int,
        until isOver: @escaping @Sendable () -> Bool
    ) async throws -> Times {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try steps(device, after: start, count: count, until: isOver) })
            }
        }
    }

    private static func steps(
        _ device: NoteStore, after start: Int, count: Int, until isOver: () -> Bool
    ) throws -> Times {
        var times = Times()
        while times.saves.count < count, !isOver() {
            Thread.sleep(forTimeInterval: pause)
            times.queue.append(milliseconds { DispatchQueue.main.sync {} })
            let number = -ownNotes - start - times.saves.count - 1
            times.saves.append(try milliseconds { try device.insert(number..<number + 1) })
            let first = Int.random(in: -ownNotes..<(-50))
            times.fetches.append(
                try milliseconds {
                    guard try device.titles(first..<first + 50).count == 50 else {
                        throw Throughput.Incomplete()
                    }
                })
        }
        return times
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let begin = clock.now
        try body()
        return (clock.now - begin) / .milliseconds(1)
    }
}
