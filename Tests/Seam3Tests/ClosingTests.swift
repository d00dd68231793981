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

    /// Removes a device's store while a request of its next sync is under way.
    ///
    /// - Parameter body: Runs during that request, after the removal.
    private func removeDuringRequest(
        _ kind: RequestKind, of device: Device, on cloud: LocalCloud,
        _ body: @escaping @Sendable () throws -> Void
    ) async throws {
        // The sync fails at once, while the store is still being removed.
        let (removal, continuation) = AsyncStream.makeStream(of: Never.self)
        cloud.faults.add(
            .call(.beforeCommit) { _ in
                defer { continuation.finish() }
                #expect(throws: Never.self) {
                    let coordinator = device.container.persistentStoreCoordinator
                    for store in coordinator.persistentStores { try coordinator.remove(store) }
                    try body()
                }
            }, for: .kind(kind))
        await #expect(throws: CancellationError.self) { try await device.store.sync() }
        for await _ in removal {}
    }

    @Test(
        "closes its file at once, also during a sync",
        arguments: [RequestKind.fetchZoneChanges, .modifyRecords])
    func duringSync(request: RequestKind) async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "one"])
        let url = device.directory.appendingPathComponent("Clocks.sqlite")
        try await removeDuringRequest(request, of: device, on: cloud) {
            #expect(!FileManager.default.fileExists(atPath: url.path + "-wal"))
        }
        try device.open(model: ClockModel.make())
        try await device.store.sync()
        #expect(try device.count("Clock") == 1)
        #expect(try await RawClient(cloud).records().count == 1)
    }

    @Test("leaves another file alone that an app puts in its place during a sync")
    func replacedDuringSync() async throws {
        let cloud = LocalCloud.inMemory()
        let backup = try TestFolder()
        let stack = try StoreStack(at: backup.store, model: ClockModel.make())
        try stack.perform { context in
            NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
                .setValue("backup", forKey: "label")
            try context.save()
        }
        try stack.close()
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "one"])
        let url = device.directory.appendingPathComponent("Clocks.sqlite")
        try await removeDuringRequest(.modifyRecords, of: device, on: cloud) {
            try FileManager.default.removeItem(at: url)
            try FileManager.default.copyItem(at: backup.store, to: url)
            try device.open(model: ClockModel.make())
            try device.add("Clock", ["label": "new"])
        }
        try device.relaunch()
        let labels = try device.read { context in
            try Device.all("Clock", in: context).compactMap { $0.value(forKey: "label") as? String }
        }
        #expect(labels.sorted() == ["backup", "new"])
        #expect(try device.store.checkInvariants() == [])
    }
}
