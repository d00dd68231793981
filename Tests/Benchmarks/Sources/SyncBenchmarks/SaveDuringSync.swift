import LocalCloud
import Measurement
import SyncedNotes

/// How long an app waits for a save of one object, while its store is idle, pulls, or pushes.
enum SaveDuringSync {
    static let title = "Save during a sync"
    private static let mostSaves = 2_000

    /// - Parameter size: The number of records that are pulled or pushed.
    static func table(size: Int) async throws -> Table {
        var table = Table(
            title: title, columns: ["save of one object", "saves", "p50 ms", "p90", "p99", "max"])
        func add(_ name: String, _ times: [Double]) {
            let sorted = times.sorted()
            func percentile(_ share: Double) -> String {
                if sorted.isEmpty { return "" }
                let place = min(Int(Double(sorted.count) * share), sorted.count - 1)
                return (sorted[place] * 1000).rounded(toPlaces: 1)
            }
            table.add([
                name, sorted.count.grouped, percentile(0.5), percentile(0.9), percentile(0.99),
                percentile(1),
            ])
        }
        let pulling = try NoteStore(on: try await Throughput.filledCloud(size))
        // The first save creates what later ones use.
        var number = -1
        _ = try save(&number, to: pulling)
        add("idle", try (0..<mostSaves / 4).map { _ in try save(&number, to: pulling) })
        let count = size.grouped
        add("while \(count) records are pulled", try await saves(during: pulling, &number))
        try pulling.close()
        let pushing = try NoteStore(on: LocalCloud.inMemory())
        try pushing.insert(0..<size)
        add("while \(count) records are pushed", try await saves(during: pushing, &number))
        try pushing.close()
        return table
    }

    private static func saves(during device: NoteStore, _ number: inout Int) async throws
        -> [Double]
    {
        let sync = RunningSync()
        async let end: Void = sync.run(device)
        var times: [Double] = []
        // Otherwise the sync would never have sent everything.
        while !sync.isOver, times.count < mostSaves { times.append(try save(&number, to: device)) }
        try await end
        return times
    }

    /// The elapsed time of a save in seconds.
    private static func save(_ number: inout Int, to device: NoteStore) throws -> Double {
        number -= 1
        let clock = ContinuousClock()
        let begin = clock.now
        try device.insert(number..<number + 1)
        return (clock.now - begin) / .seconds(1)
    }
}
