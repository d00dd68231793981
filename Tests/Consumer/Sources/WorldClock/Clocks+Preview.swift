import CoreData
import Seam3

extension Clocks {
    /// Clocks in memory that never sync, for a preview.
    static func preview() throws -> Clocks {
        let clocks = try Clocks(at: URL(fileURLWithPath: "/dev/null"))
        clocks.store.syncAutomatically = false
        try clocks.add("Kitchen")
        try clocks.add("Office")
        return clocks
    }
}
