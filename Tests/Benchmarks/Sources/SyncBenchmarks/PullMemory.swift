import Measurement
import SyncedNotes

/// The additional peak memory of the process while it pulls into an empty store. The cloud exists
/// before, but the memory for its responses counts.
enum PullMemory {
    static let title = "Memory of a pull"

    static func table(sizes: [Int]) async throws -> Table {
        var table = Table(title: title, columns: ["records", "MB at the most"])
        for size in sizes {
            let cloud = try await Throughput.filledCloud(size)
            let device = try NoteStore(on: cloud)
            let before = MemoryUse.startPeak()
            try await device.store.sync()
            let growth = MemoryUse.peakResidentBytes - before
            try device.close()
            table.add([size.grouped, (Double(growth) / 1_000_000).rounded(toPlaces: 1)])
        }
        return table
    }
}
