import LocalCloud
import Measurement
import SyncedNotes

/// How long a new device takes until it shows something, against its whole first pull.
enum FirstScreen {
    static let title = "First screen"
    /// How many notes a screen shows.
    private static let shown = 50

    static func table(sizes: [Int]) async throws -> Table {
        var table = Table(
            title: title,
            columns: ["records", "50 notes, s", "the 50 newest notes, s", "all notes, s"])
        for size in sizes {
            let cloud = LocalCloud.inMemory()
            let other = try NoteStore(on: cloud)
            try other.insert(0..<size)
            try await other.store.sync()
            let device = try NoteStore(on: cloud, followsOnMainQueue: true)
            let clock = ContinuousClock()
            let start = clock.now
            let running = RunningSync()
            async let end: Void = running.run { try await device.store.sync() }
            let first = try await clock.now(after: { try device.count() >= shown }) - start
            let newest =
                try await clock.now(after: {
                    try device.titles(size - shown..<size).count == shown
                }) - start
            try await end
            let all = clock.now - start
            try device.close()
            try other.close()
            table.add(
                [size.grouped]
                    + [first, newest, all].map { ($0 / .seconds(1)).rounded(toPlaces: 2) })
        }
        return table
    }
}

extension ContinuousClock {
    /// The time when a condition is met, to the millisecond.
    fileprivate func now(after isMet: () throws -> Bool) async throws -> Instant {
        while try !isMet() { try await Task.sleep(for: .milliseconds(1)) }
        return now
    }
}
