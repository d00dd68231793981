import CoreData
import Measurement

/// How much more memory the process uses at the most while new objects are saved. The objects are there
/// before.
enum SaveMemory {
    static let title = "Memory of a save"

    static func table(_ options: MeasurementOptions) throws -> Table {
        var table = Table(title: title, columns: ["objects", "MB at the most"])
        for size in options.sizes where size <= 100_000 {
            let file = Temporary(BenchmarkFiles.shared.newURL())
            let side = try StoreSide(file.url)
            let growth = try side.context.performAndWait { () -> Int in
                side.make(0..<size)
                side.context.processPendingChanges()
                let before = MemoryUse.startPeak()
                try side.context.save()
                return MemoryUse.peakResidentBytes - before
            }
            table.add([size.grouped, (Double(growth) / 1_000_000).rounded(toPlaces: 1)])
        }
        return table
    }
}
