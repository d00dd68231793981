import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A synced store keeps what Core Data promises") struct CoreDataFeatureTests {
    let cloud = LocalCloud.inMemory()

    private static func clocks(sortedBy key: String = "label") -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return request
    }

    private static func labels(_ objects: [Any]?) -> [String] {
        (objects ?? []).map { ($0 as? NSManagedObject)?.value(forKey: "label") as? String ?? "?" }
    }

    // MARK: - Contexts

    @Test(
        "A fetched-results controller follows another device without the app's help",
        .tags(.contextsFollow))
    func fetchedResults() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        for label in ["a", "b"] { try a.add("Clock", ["label": label, "note": "old"]) }
        try await Device.settle(a, b)
        let controller = NSFetchedResultsController(
            fetchRequest: Self.clocks(), managedObjectContext: b.context,
            sectionNameKeyPath: nil, cacheName: nil)
        let delegate = ChangeCounter()
        controller.delegate = delegate
        try b.read { _ in
            try controller.performFetch()
            #expect(Self.labels(controller.fetchedObjects) == ["a", "b"])
        }
        try a.change("a", ["note": "new"])
        try a.delete("b")
        try a.add("Clock", ["label": "c"])
        try await a.store.sync()
        try await b.store.sync()
        try b.read { _ in
            #expect(Self.labels(controller.fetchedObjects) == ["a", "c"])
            #expect(controller.fetchedObjects?.first?.value(forKey: "note") as? String == "new")
            #expect(delegate.changes == [.insert, .delete, .update])
        }
    }

    private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
        private(set) var changes: Set<NSFetchedResultsChangeType> = []

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
            didChange anObject: Any, at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) {
            changes.insert(type)
        }
    }

    @Test(
        "A row that this or another device has deleted is an error, never an object full of nils",
        .tags(.vanishedRowIsAnError), arguments: [false, true])
    func vanishedRow(isDeletedElsewhere: Bool) async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        try a.add("Clock", ["label": "home"])
        try await Device.settle(a, b)
        let id = try b.read { try Device.clock("home", in: $0).objectID }
        try (isDeletedElsewhere ? a : b).delete("home")
        if isDeletedElsewhere { try await Device.settle(a, b) }
        let other = b.container.newBackgroundContext()
        let error = other.performAndWait {
            #expect(throws: CocoaError.self) { try other.existingObject(with: id) }
        }
        #expect(error?.code == .managedObjectReferentialIntegrity)
    }

    // MARK: - Fetch requests

    @Test("The caller's fetch request is never changed", .tags(.requestsAreNotChanged))
    func request() throws {
        let device = try Device(on: cloud)
        try device.add("Folder", ["name": "family"])
        try device.read { context in
            let folder = try Device.object("Folder", "family", in: context)
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Clock")
            let predicate = NSPredicate(format: "folder == %@ AND note != nil", folder)
            request.predicate = predicate
            request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
            request.fetchLimit = 3
            request.fetchOffset = 1
            request.relationshipKeyPathsForPrefetching = ["folder"]
            let before = request.predicate?.predicateFormat
            for type in [
                NSFetchRequestResultType.managedObjectResultType, .managedObjectIDResultType,
                .dictionaryResultType, .countResultType,
            ] {
                request.resultType = type
                _ = try context.fetch(request)
                _ = try context.count(for: request)
                #expect(request.resultType == type)
            }
            #expect(request.predicate === predicate)
            #expect(request.predicate?.predicateFormat == before)
            #expect(request.fetchLimit == 3 && request.fetchOffset == 1)
            #expect(request.sortDescriptors?.map(\.key) == ["label"])
            #expect(request.relationshipKeyPathsForPrefetching == ["folder"])
        }
    }

    @Test(
        "Objects in predicates work at any depth, so that controllers work with them",
        .tags(.objectsInPredicates))
    func objectsInPredicates() throws {
        let device = try Device(on: cloud)
        for name in ["family", "work"] { try device.add("Folder", ["name": name]) }
        for label in ["home", "office", "none"] { try device.add("Clock", ["label": label]) }
        try device.relate("home", "folder", to: "family")
        try device.relate("office", "folder", to: "work")
        try device.read { context in
            let family = try Device.object("Folder", "family", in: context)
            let work = try Device.object("Folder", "work", in: context)
            let request = Self.clocks()
            request.predicate = NSPredicate(
                format: "NOT (folder == nil) AND (folder == %@ OR (label != 'x' AND folder IN %@))",
                family, [family, work])
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            // A controller tracks changes only if it has a delegate.
            let delegate = ChangeCounter()
            controller.delegate = delegate
            try controller.performFetch()
            #expect(Self.labels(controller.fetchedObjects) == ["home", "office"])
            let office = try Device.clock("office", in: context)
            office.setValue(nil, forKey: "folder")
            context.processPendingChanges()
            #expect(Self.labels(controller.fetchedObjects) == ["home"])
            #expect(delegate.changes == [.delete])
        }
    }

    @Test("All result types work, with every option", .tags(.allResultTypes))
    func resultTypes() throws {
        let device = try Device(on: cloud)
        for (position, label) in ["d", "b", "a", "c", "x"].enumerated() {
            try device.add("Clock", ["label": label, "position": position])
        }
        try device.read { context in
            func request<T>(_ type: NSFetchRequestResultType) -> NSFetchRequest<T> {
                let request = NSFetchRequest<T>(entityName: "Clock")
                request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: false)]
                request.predicate = NSPredicate(format: "label != 'x'")
                request.fetchOffset = 1
                request.fetchLimit = 2
                request.resultType = type
                return request
            }
            let objects: NSFetchRequest<NSManagedObject> = request(.managedObjectResultType)
            objects.fetchBatchSize = 1
            #expect(Self.labels(try context.fetch(objects)) == ["c", "b"])
            let ids: NSFetchRequest<NSManagedObjectID> = request(.managedObjectIDResultType)
            #expect(
                Self.labels(try context.fetch(ids).map(context.object(with:))) == ["c", "b"])
            let dictionaries: NSFetchRequest<NSDictionary> = request(.dictionaryResultType)
            dictionaries.propertiesToFetch = ["label", "position"]
            dictionaries.returnsDistinctResults = true
            let rows = try context.fetch(dictionaries)
            #expect(rows.map { $0["label"] as? String } == ["c", "b"])
            #expect(rows.map { $0["position"] as? Int } == [3, 1])
            let count: NSFetchRequest<NSNumber> = request(.countResultType)
            #expect(try context.fetch(count) == [2])
            #expect(try context.count(for: count) == 2)
        }
    }

    // MARK: - Other requests

    @Test(
        "Batch insertions, updates and deletions work, and reach another device",
        .tags(.batchRequestsSync))
    func batchRequests() async throws {
        let a = try Device("a", on: cloud)
        let b = try Device("b", on: cloud)
        func execute(_ request: NSPersistentStoreRequest) throws {
            try a.read { _ = try $0.execute(request) }
        }
        try execute(
            NSBatchInsertRequest(
                entityName: "Clock",
                objects: ["a", "b", "c"].map { ["label": $0, "note": "old"] }))
        #expect(try a.store.syncStatus().pendingChangeCount == 3)
        try await Device.settle(a, b)
        let update = NSBatchUpdateRequest(entityName: "Clock")
        update.predicate = NSPredicate(format: "label != 'a'")
        update.propertiesToUpdate = ["note": "new"]
        try execute(update)
        let rest = NSFetchRequest<any NSFetchRequestResult>(entityName: "Clock")
        rest.predicate = NSPredicate(format: "label == 'b'")
        try execute(NSBatchDeleteRequest(fetchRequest: rest))
        #expect(try a.store.syncStatus().pendingChangeCount == 2)
        try await Device.settle(a, b)
        try b.read { context in
            let notes = try context.fetch(Self.clocks()).map {
                $0.value(forKey: "note") as? String
            }
            #expect(notes == ["old", "new"])
        }
        #expect(try await RawClient(cloud).records().count == 2)
    }

    @Test(
        "An unknown request is an error, never an empty answer",
        .tags(.unknownRequestsThrow))
    func unknownRequest() throws {
        let device = try Device(on: cloud)
        let request = NSPersistentStoreRequest()
        let error = #expect(throws: CocoaError.self) {
            try device.read { context in _ = try context.execute(request) }
        }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
        #expect(error?.code.rawValue == 134091)
    }

    // MARK: - Row versions

    @Test(
        "A second save has no conflict, also after a sync, but a real conflict is found",
        .tags(.honestVersions))
    func rowVersions() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "home", "note": "1"])
        let clock = try device.read { try Device.clock("home", in: $0) }
        for note in ["1a", "1b", "2", "3"] {
            try device.edit { _ in clock.setValue(note, forKey: "note") }
            guard note.count == 1 else { continue }
            // An acknowledgment is not a change of the object.
            try await device.store.sync()
        }
        #expect(try device.value("note", of: "home") == "3")
        let other = device.container.newBackgroundContext()
        try await other.perform {
            try Device.clock("home", in: other).setValue("4", forKey: "note")
            try other.save()
        }
        device.context.automaticallyMergesChangesFromParent = false
        let stale = device.container.newBackgroundContext()
        // As long as an object is retained, its context compares with the version that it has read.
        nonisolated(unsafe) let held = try stale.performAndWait {
            try Device.clock("home", in: stale)
        }
        await stale.perform { #expect(held.value(forKey: "note") as? String == "4") }
        try await other.perform {
            try Device.clock("home", in: other).setValue("5", forKey: "note")
            try other.save()
        }
        let error = await stale.perform {
            #expect(throws: CocoaError.self) {
                held.setValue("6", forKey: "note")
                try stale.save()
            }
        }
        #expect(error?.code == .managedObjectMerge)
        let conflicts =
            error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.map(\.sourceObject.objectID) == [clock.objectID])
    }
}
