import CloudKit
import CoreData
import Seam3Testing
import Testing

@testable import WorldClock

final class SyncTests: Sendable {
    let cloud = LocalCloud.inMemory()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// The app on a device, which syncs only when the test says so.
    func device(_ name: String, model: NSManagedObjectModel? = Clocks.model) throws -> Clocks {
        let container = LocalContainer(
            identifier: "iCloud.org.example.WorldClock", service: cloud, device: name)
        let url = folder.appendingPathComponent("\(name).sqlite")
        let clocks = try Clocks(at: url, cloud: container, model: model)
        clocks.store.syncAutomatically = false
        return clocks
    }

    @Test("A lost response loses nothing")
    func lostResponse() async throws {
        let phone = try device("phone")
        let tablet = try device("tablet")

        try phone.add("Kitchen")
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: CKError.self) { try await phone.store.sync() }
        #expect(try phone.store.syncStatus().pendingChangeCount == 1)

        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Kitchen"])
    }
}
