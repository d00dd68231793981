import CloudKit
import CoreData
import Seam3
import Seam3Testing
import Testing

@testable import Reading

/// A class of the test target, which has its own model.
final class Mark: NSManagedObject {
    @NSManaged var page: Int32
}

@Suite("In a package of its own")
struct ReadingTests {
    // A shelf uses its container's view context, which belongs to the main queue.
    @Test("Written and generated classes of an executable work in its tests")
    @MainActor
    func executable() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ReadingTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shelf = try Shelf(url: folder.appendingPathComponent("Reading.sqlite"))
        try shelf.add("Silas Marner", pages: 240, by: "George Eliot")
        #expect(try shelf.titles() == ["Silas Marner by George Eliot"])
    }

    @Test("A store syncs with the local cloud")
    func sync() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("ReadingTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let cloud = LocalCloud.inMemory()
        SMStore.registerStoreClass()
        let url = try #require(
            Bundle.module.url(forResource: "Marks", withExtension: "xcdatamodeld"))
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let container = LocalContainer(identifier: "iCloud.reading", service: cloud)
        let store = try #require(
            coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: nil,
                at: folder.appendingPathComponent("Marks.sqlite"),
                options: [SMStore.SMStoreContainerOption: container]) as? SMStore)
        store.syncAutomatically = false
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try await context.perform {
            Mark(context: context).page = 7
            try context.save()
        }
        cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        await #expect(throws: CKError.self) { try await store.sync() }
        try await store.sync()
        #expect(try store.syncStatus().pendingChangeCount == 0)
    }

    @Test("Classes of the test target itself work")
    func ownClasses() throws {
        let url = try #require(
            Bundle.module.url(forResource: "Marks", withExtension: "xcdatamodeld"))
        let model = try #require(NSManagedObjectModel(contentsOf: url))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let mark = Mark(context: context)
            #expect(mark.page == 1)
            mark.page = 12
            try context.save()
            #expect(try context.fetch(NSFetchRequest<Mark>(entityName: "Mark")) == [mark])
        }
    }
}
