import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The manual's samples do what the manual says")
final class SampleRunTests {
    let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ManualTests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    @Test("A lost answer loses nothing")
    func lostAnswer() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)

        try phone.add("Kitchen")
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: CKError.self) { try await phone.store.sync() }
        #expect(try phone.store.syncStatus().pendingChangeCount == 1)

        try await phone.store.sync()
        try await tablet.store.sync()
        #expect(try tablet.labels() == ["Kitchen"])
    }

    @Test("The block that joins notes joins them on both devices")
    func conflictBlock() async throws {
        let cloud = LocalCloud.inMemory()
        let phone = try Device("phone", in: directory, on: cloud)
        let tablet = try Device("tablet", in: directory, on: cloud)
        try phone.add("Kitchen")
        try await phone.store.sync()
        try await tablet.store.sync()

        UseSamples.joinNotes(in: tablet.store)
        try phone.note("from the phone")
        try tablet.note("from the tablet")
        try await phone.store.sync()
        try await tablet.store.sync()
        try await phone.store.sync()

        for device in [phone, tablet] {
            #expect(try device.notes() == ["from the phone\nfrom the tablet"])
        }
    }

    @Test("The status of a store with nothing to send can be printed")
    func status() throws {
        let device = try Device("phone", in: directory, on: .inMemory())
        try UseSamples.follow(device.store)
    }
}

extension Device {
    /// Writes a note on every clock.
    fileprivate func note(_ text: String) throws {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            for clock in try context.fetch(request) { clock.setValue(text, forKey: "note") }
            try context.save()
        }
    }

    /// The notes of all clocks as the store has them.
    fileprivate func notes() throws -> [String] {
        try context.performAndWait {
            context.refreshAllObjects()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            return try context.fetch(request).compactMap { $0.value(forKey: "note") as? String }
        }
    }
}
