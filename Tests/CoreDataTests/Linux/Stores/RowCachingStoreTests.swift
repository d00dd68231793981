import CoreData
import Testing

@Suite struct RowCachingStoreTests {
    private let stack: TestStack

    /// A folder with a clock.
    init() throws {
        _ = RowCachingRecordingStore.registerCaching
        stack = try TestStack(storeClass: RowCachingRecordingStore.self)
        stack.insertClock("A").folder = stack.insertFolder("B")
        try stack.context.save()
        stack.database.clearCalls()
    }

    @Test("A context leaves the reading of relationships to the fetch")
    func prefetching() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
        request.relationshipKeyPathsForPrefetching = ["clocks"]
        let context = stack.newContext()
        let folders = try context.fetch(request)
        #expect(folders.count == 1)
        #expect(stack.database.calls == ["fetch Folder", "register 1"])
    }

    @Test("The rows of a batch are fetched with the relationships that lead on")
    func batches() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
        request.relationshipKeyPathsForPrefetching = ["clocks"]
        request.fetchBatchSize = 1
        let context = stack.newContext()
        let folders = try context.fetch(request)
        #expect(folders.first?.value(forKey: "name") as? String == "B")
        let last = stack.database.with { $0.requests.last }
        let rows = last as? NSFetchRequest<any NSFetchRequestResult>
        #expect(rows?.relationshipKeyPathsForPrefetching == ["clocks"])
    }

    @Test("A save asks for the versions of rows but not for their values")
    func versions() throws {
        let clocks = try stack.context.fetch(NSFetchRequest<Clock>(entityName: "Clock"))
        clocks.first?.label = "C"
        stack.database.clearCalls()
        try stack.context.save()
        #expect(stack.database.calls == ["versions 1", "save 0 1 0 0"])
    }
}

/// A recording store that declares that it prefetches relationships.
final class RowCachingRecordingStore: RecordingStore, RowCachingStore {
    override class var storeType: String { "RowCachingRecordingStore" }

    static let registerCaching: Void = NSPersistentStoreCoordinator.registerStoreClass(
        RowCachingRecordingStore.self, forStoreType: storeType)

    func rowVersions(of objectIDs: [NSManagedObjectID]) throws -> [UInt64?]? {
        record("versions \(objectIDs.count)") { state in
            objectIDs.map { state.rows[Self.reference(of: $0)]?.version }
        }
    }
}
