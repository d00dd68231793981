import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("An object that was deleted and comes back") struct ReturningObjectTests {
    @Test("has its new values in a context that still knows the old ones")
    func values() async throws {
        let cloud = LocalCloud.inMemory()
        let client = RawClient(cloud)
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "folder"])
        try device.add("Clock", ["label": "clock"])
        try device.relate("clock", "folder", to: "folder")
        try await device.store.sync()
        let folder = try #require(try await client.records(ofType: "Folder").first).recordID
        let clock = try #require(try await client.records(ofType: "Clock").first).recordID
        // The app retains the object and its members.
        let held = try device.read { context in
            let clock = try Device.clock("clock", in: context)
            let folder = try #require(clock.value(forKey: "folder") as? NSManagedObject)
            #expect((folder.value(forKey: "clocks") as? NSSet)?.count == 1)
            return folder
        }
        // As long as the clock refers to the folder, the folder's key is kept.
        try await client.delete(folder.recordName)
        try await device.store.sync()
        try await client.delete(clock.recordName)
        try await device.store.sync()
        #expect(try device.table() == [])
        try await client.save(
            client.record("Folder", named: folder.recordName, ["name": "again"]),
            client.record(
                "Clock", named: "later",
                ["label": "later", "folder": client.reference(to: folder.recordName)]))
        try await device.store.sync()
        try device.read { context in
            let later = try Device.clock("later", in: context)
            let folder = try #require(later.value(forKey: "folder") as? NSManagedObject)
            #expect(folder.value(forKey: "name") as? String == "again")
            let members = folder.value(forKey: "clocks") as? Set<NSManagedObject>
            #expect(members == [later])
        }
        withExtendedLifetime(held) {}
    }
}
