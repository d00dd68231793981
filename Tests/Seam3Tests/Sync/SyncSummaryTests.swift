import CoreData
import Testing

@testable import Seam3

@Suite("The summary of a sync", .tags(.boundedGrowth)) struct SyncSummaryTests {
    private let folder: TestFolder
    private let store: SMStore
    private let entity: NSEntityDescription
    private let stack: StoreStack

    init() throws {
        folder = try TestFolder()
        stack = try StoreStack(at: folder.store, model: ClockModel.make())
        let coordinator = stack.container.persistentStoreCoordinator
        store = try #require(coordinator.persistentStores.first as? SMStore)
        entity = try #require(coordinator.managedObjectModel.entitiesByName["Zone"])
    }

    private func objectIDs(_ numbers: Range<Int>) -> Set<NSManagedObjectID> {
        Set(numbers.map { store.newObjectID(for: entity, referenceObject: String($0)) })
    }

    @Test("names all objects up to the limit, each once")
    func complete() {
        let limit = SMSyncSummary.objectIDLimit
        var summary = SMSyncSummary()
        summary.add(ChangedObjectIDs(inserted: objectIDs(0..<limit - 1)))
        summary.add(ChangedObjectIDs(inserted: objectIDs(10..<limit), updated: objectIDs(0..<7)))
        summary.add(ChangedObjectIDs(updated: objectIDs(0..<8), deleted: objectIDs(9..<10)))
        #expect(summary.insertedObjectIDs == objectIDs(0..<limit))
        #expect(summary.insertedObjectCount == limit)
        #expect(summary.updatedObjectIDs == objectIDs(0..<8))
        #expect(summary.updatedObjectCount == 8)
        #expect(summary.deletedObjectIDs == objectIDs(9..<10))
        #expect(summary.deletedObjectCount == 1)
        #expect(summary.namesAllObjects)
        #expect(summary.fetchResult == .newData)
    }

    @Test("counts what exceeds the limit, and keeps no more IDs for it")
    func exceeding() {
        let limit = SMSyncSummary.objectIDLimit
        var summary = SMSyncSummary()
        for start in stride(from: 0, to: limit + 400, by: 200) {
            summary.add(ChangedObjectIDs(deleted: objectIDs(start..<start + 200)))
        }
        #expect(summary.deletedObjectCount == limit + 400)
        #expect(summary.deletedObjectIDs == objectIDs(0..<limit))
        #expect(!summary.namesAllObjects)
        #expect(summary.insertedObjectCount == 0)
        #expect(summary.fetchResult == .newData)
    }

    @Test("adds up the counts of steps that exceed the limit together, or each")
    func steps() {
        let limit = SMSyncSummary.objectIDLimit
        var whole = SMSyncSummary()
        for step in 0..<3 {
            var summary = SMSyncSummary()
            let start = step * (limit + 5)
            summary.add(ChangedObjectIDs(updated: objectIDs(start..<start + limit + 5)))
            #expect(summary.updatedObjectIDs.count == limit)
            whole.add(summary)
        }
        #expect(whole.updatedObjectCount == 3 * (limit + 5))
        #expect(whole.updatedObjectIDs.count == limit)
        #expect(!whole.namesAllObjects)
    }

    @Test("of a sync without changes names nothing")
    func empty() {
        let summary = SMSyncSummary()
        #expect(summary.namesAllObjects)
        #expect(summary.fetchResult == .noData)
    }

    @Test("Changes that a context has yet to merge are combined as their objects are in the end")
    func changes() {
        var changes = ChangedObjectIDs(inserted: objectIDs(0..<4), deleted: objectIDs(10..<12))
        changes.add(
            ChangedObjectIDs(
                inserted: objectIDs(10..<11), updated: objectIDs(1..<3),
                deleted: objectIDs(0..<1)))
        for objectID in objectIDs(1..<2) { changes.note(.deletion, of: objectID) }
        #expect(changes.inserted == objectIDs(2..<4).union(objectIDs(10..<11)))
        // A context that has the object that is back has its former values.
        #expect(changes.updated == objectIDs(2..<3).union(objectIDs(10..<11)))
        #expect(changes.deleted == objectIDs(0..<2).union(objectIDs(11..<12)))
    }
}
