import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A store that is removed from its coordinator") struct ClosingTests {
    /// Whether any connection to a store file is open. The last one removes the write-ahead log.
    private func isOpen(_ url: URL) -> Bool {
        FileManager.default.fileExists(atPath: url.path + "-wal")
    }

    @Test("closes its file")
    func idle() throws {
        let folder = try TestFolder()
        for round in 1...20 {
            let stack = try StoreStack(at: folder.store, model: ClockModel.make())
            try stack.perform { context in
                NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                    .setValue("\(round)", forKey: "label")
                try context.save()
            }
            #expect(isOpen(folder.store))
            try stack.close()
            #expect(!isOpen(folder.store))
        }
    }

    @Test("closes its file, also after a sync")
    func afterSync() async throws {
        let device = try Device(on: LocalCloud.inMemory())
        for round in 1...5 {
            try device.add("Clock", ["label": "\(round)"])
            try await device.store.sync()
            let coordinator = device.container.persistentStoreCoordinator
            for store in coordinator.persistentStores { try coordinator.remove(store) }
            #expect(!isOpen(device.directory.appendingPathComponent("Clocks.sqlite")))
            try device.open(model: ClockModel.make())
        }
    }
}
