import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The store's own methods") struct PublicInterfaceTests {
    let cloud = LocalCloud.inMemory()

    @Test("merge the server's changes into a context that was passed, and into no other")
    func namedContext() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home", "note": "old"])
        try await Device.settle(a, b)
        let named = b.container.newBackgroundContext()
        let unnamed = b.container.newBackgroundContext()
        b.store.mergeServerChanges(into: named)
        let clocks = try [named, unnamed].map { context in
            try context.performAndWait {
                let clock = try Device.clock("home", in: context)
                #expect(clock.value(forKey: "note") as? String == "old")
                return clock
            }
        }
        try a.change("home", ["note": "new"])
        try await Device.settle(a, b)
        let notes = zip([named, unnamed], clocks).map { context, clock in
            nonisolated(unsafe) let clock = clock
            return context.performAndWait { clock.value(forKey: "note") as? String }
        }
        #expect(notes == ["new", "old"])
    }

    @Test("report the account's status and its user")
    func verifyConnectionAndUser() async throws {
        let device = try Device(on: cloud)
        let user = try await device.cloudContainer.userRecordID().recordName
        let (status, name, error) = await withCheckedContinuation { continuation in
            device.store.verifyCloudKitConnectionAndUser {
                continuation.resume(returning: ($0, $1, $2))
            }
        }
        #expect(status == .available)
        #expect(name == user)
        #expect(error == nil)
    }

    @Test("report whether the zone is on the server")
    func verifyStoreExists() async throws {
        let device = try Device(on: cloud)
        let store = device.store
        func exists() async -> Bool {
            await withCheckedContinuation { continuation in
                store.verifyCloudKitStoreExists { exists, error in
                    #expect(error == nil)
                    continuation.resume(returning: exists)
                }
            }
        }
        #expect(await exists() == false)
        try await store.sync()
        #expect(await exists())
    }

    @Test("give predicates for both kinds of relationship")
    func predicates() throws {
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "family"])
        try device.add("Clock", ["label": "home"])
        try device.add("Clock", ["label": "office"])
        try device.relate("home", "folder", to: "family")
        try device.read { context in
            let folder = try Device.object("Folder", "family", in: context)
            let clocks = NSFetchRequest<NSManagedObject>(entityName: "Clock")
            clocks.predicate = device.store.predicate(for: "folder", referencing: folder)
            let found = try context.fetch(clocks)
            #expect(found.map { $0.value(forKey: "label") as? String } == ["home"])
            let folders = NSFetchRequest<NSManagedObject>(entityName: "Folder")
            folders.predicate = device.store.predicate(
                forToMany: "clocks", referencing: try #require(found.first))
            #expect(try context.fetch(folders) == [folder])
        }
    }
}
