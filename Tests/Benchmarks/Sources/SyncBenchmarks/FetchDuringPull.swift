import Measurement
import SyncedNotes

/// The time of an app's fetch while its store pulls, compared with the same fetch before.
enum FetchDuringPull {
    static let title = "Fetch during a pull"
    private static let fetchCount = 300

    /// - Parameter size: The number of pulled records.
    static func table(size: Int) async throws -> Table {
        let cloud = try await Throughput.filledCloud(size)
        let device = try NoteStore(on: cloud)
        try device.insert(-10_000..<0)
        let quiet = try (0..<fetchCount).map { _ in try fetch(from: device) }
        let pull = RunningSync()
        async let end: Void = pull.run(device)
        var during: [Double] = []
        while !pull.isOver { during.append(try fetch(from: device)) }
        try await end
        try device.close()
        var table = Table(
            title: title, columns: ["fetch of 100 objects", "fetches", "median ms", "ratio"])
        let medians = (median(quiet), median(during))
        func add(_ name: String, _ count: Int, _ seconds: Double) {
            table.add([
                name, count.grouped, (seconds * 1000).rounded(toPlaces: 2),
                (seconds / medians.0).rounded(toPlaces: 2),
            ])
        }
        add("before", quiet.count, medians.0)
        add("while \(size.grouped) records are pulled", during.count, medians.1)
        return table
    }

    struct Incomplete: Error {}

    /// The elapsed time of one fetch in seconds.
    private static func fetch(from device: NoteStore) throws -> Double {
        let start = Int.random(in: -10_000..<(-100))
        let clock = ContinuousClock()
        let begin = clock.now
        guard try device.titles(start..<start + 100).count == 100 else { throw Incomplete() }
        return (clock.now - begin) / .seconds(1)
    }
}
