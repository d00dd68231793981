import LocalCloud
import Measurement
import SyncedNotes

/// The CPU time of a push and of a pull, without the cloud's, compared with reading and writing the
/// same rows with plain SQLite.
struct Throughput {
    static let pushTitle = "Push of new objects"
    static let pullTitle = "Pull into an empty store"

    let sizes: [Int]
    let rounds: Int

    struct Incomplete: Error {}

    func push() async throws -> Table {
        try await table(Self.pushTitle) { size in
            let cloud = TimedService(LocalCloud.inMemory(), clock: processorTime)
            let device = try NoteStore(on: cloud)
            try device.insert(0..<size)
            let seconds = try await ownTime(of: device, on: cloud)
            guard try device.store.syncStatus().pendingChangeCount == 0 else { throw Incomplete() }
            try device.close()
            return seconds
        } yardstick: { size in
            let plain = try PlainNotes()
            try plain.insert(size)
            let start = processorTime()
            guard try plain.push() == size else { throw Incomplete() }
            return processorTime() - start
        }
    }

    func pull() async throws -> Table {
        var clouds: [Int: TimedService] = [:]
        for size in sizes { clouds[size] = try await Self.filledCloud(size) }
        return try await table(Self.pullTitle) { size in
            guard let cloud = clouds[size] else { throw Incomplete() }
            let device = try NoteStore(on: cloud)
            let seconds = try await ownTime(of: device, on: cloud)
            guard try device.count() == size else { throw Incomplete() }
            try device.close()
            return seconds
        } yardstick: { size in
            let plain = try PlainNotes()
            let start = processorTime()
            try plain.pull(size)
            return processorTime() - start
        }
    }

    /// A cloud to which a device has sent a number of notes.
    static func filledCloud(_ size: Int) async throws -> TimedService {
        let cloud = TimedService(LocalCloud.inMemory(), clock: processorTime)
        let device = try NoteStore(on: cloud)
        try device.insert(0..<size)
        try await device.store.sync()
        try device.close()
        return cloud
    }

    private func ownTime(of device: NoteStore, on cloud: TimedService) async throws -> Double {
        let start = (processorTime(), cloud.answerTime)
        try await device.store.sync()
        return (processorTime() - start.0) - (cloud.answerTime - start.1)
    }

    /// The minimum total of records in the rounds of a size. A thousand rows are written so quickly
    /// that a few rounds are not meaningful.
    private static let leastRecords = 50_000

    /// Measures both sides in turn. The first round is discarded.
    private func table(
        _ title: String, subject: (Int) async throws -> Double,
        yardstick: (Int) async throws -> Double
    ) async throws -> Table {
        var table = Table(
            title: title,
            columns: ["records", "SMStore µs a record", "SQLite µs a record", "ratio"])
        for size in sizes {
            var times: (subject: [Double], yardstick: [Double]) = ([], [])
            for round in 0...max(rounds, Self.leastRecords / size) {
                let (own, plain) = (try await subject(size), try await yardstick(size))
                if round > 0 {
                    times.subject.append(own)
                    times.yardstick.append(plain)
                }
            }
            let (own, plain) = (median(times.subject), median(times.yardstick))
            let scale = 1e6 / Double(size)
            table.add([
                size.grouped, (own * scale).rounded(toPlaces: 1),
                (plain * scale).rounded(toPlaces: 1), (own / plain).rounded(toPlaces: 2),
            ])
        }
        return table
    }
}
