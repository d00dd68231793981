import CoreData
import Seam3

/// What the program of "Getting started" declares, for the samples that use it. The program itself needs a bundle.
struct Clocks: Sendable {
    let container: NSPersistentContainer
    let store: SMStore

    init() throws {
        container = NSPersistentContainer(name: "WorldClock")
        store = try SMStore.store(in: container)
    }
}
