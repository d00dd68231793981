import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

/// The pattern of the manual: a second store in the same coordinator for the objects that stay on the device.
@Suite("With a second store for objects that stay on the device") struct LocalObjectTests {
    let cloud = LocalCloud.inMemory()
    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// A device with a synced store and one that is never synced.
    private func device() throws -> (device: Device, local: NSPersistentStore) {
        let device = try Device(on: cloud)
        let local = try device.container.persistentStoreCoordinator.addPersistentStore(
            ofType: SMStore.type, configurationName: nil, at: folder.store)
        (local as? SMStore)?.syncAutomatically = false
        return (device, local)
    }

    private func add(_ label: String, to store: NSPersistentStore, _ device: Device) throws {
        nonisolated(unsafe) let store = store
        try device.edit { context in
            let clock = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
            clock.setValue(label, forKey: "label")
            context.assign(clock, to: store)
        }
    }

    private func labelsOnServer() async throws -> [String] {
        try await RawClient(cloud).records().compactMap { $0["label"] }.sorted()
    }

    @Test("only the objects of the first are sent, and a fetch finds those of both")
    func separation() async throws {
        let (device, local) = try device()
        let synced = try SMStore.store(in: device.container, at: device.store.url)
        try add("shared", to: synced, device)
        try add("private", to: local, device)
        try await synced.sync()
        #expect(try await labelsOnServer() == ["shared"])
        #expect(try device.count("Clock") == 2)
        #expect(try device.value("note", of: "private", as: String.self) == nil)
        try device.change("private", ["note": "edited"])
        #expect(try synced.syncStatus().pendingChangeCount == 0)
    }

    @Test("an object moves from one to the other as a copy and a deletion")
    func move() async throws {
        let (device, local) = try device()
        let synced = try SMStore.store(in: device.container, at: device.store.url)
        try add("clock", to: synced, device)
        try await synced.sync()
        nonisolated(unsafe) let target = local
        try device.edit { context in
            let clock = try Device.clock("clock", in: context)
            let copy = NSEntityDescription.insertNewObject(forEntityName: "Clock", into: context)
            context.assign(copy, to: target)
            for name in clock.entity.attributesByName.keys {
                copy.setValue(clock.value(forKey: name), forKey: name)
            }
            context.delete(clock)
        }
        try await synced.sync()
        #expect(try await labelsOnServer() == [])
        #expect(try device.count("Clock") == 1)
        #expect(try device.value("label", of: "clock") == "clock")
    }
}
