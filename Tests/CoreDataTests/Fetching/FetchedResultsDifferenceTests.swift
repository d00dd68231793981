import CoreData
import Testing

/// A delegate that accepts differences, and records the other messages.
private final class DifferenceDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var differences: [CollectionDifference<NSManagedObjectID>] = []
    var contents: [Int] = []
    var otherCalls = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        differences.append(diff)
        contents.append(controller.fetchedObjects?.count ?? 0)
    }

    func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        otherCalls += 1
    }

    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        otherCalls += 1
    }
}

/// A delegate with a single method, like most.
private final class PlainDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var calls = 0

    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        calls += 1
    }
}

@Suite struct FetchedResultsDifferenceTests {
    let stack: TestStack
    private let delegate = DifferenceDelegate()

    init() throws {
        stack = try TestStack()
        for label in ["a", "b", "c"] { _ = stack.insertClock(label) }
        try stack.context.save()
    }

    func controller(sections: String? = nil) throws -> NSFetchedResultsController<Clock> {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context,
            sectionNameKeyPath: sections, cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        return controller
    }

    @Test("A delegate that accepts differences gets nothing else")
    func differenceOnly() throws {
        let controller = try controller()
        var objectIDs = controller.fetchedObjects?.map(\.objectID) ?? []
        _ = stack.insertClock("d")
        if let first = controller.fetchedObjects?.first { stack.context.delete(first) }
        stack.context.processPendingChanges()
        #expect(delegate.differences.count == 1)
        #expect(delegate.contents == [3])
        #expect(delegate.otherCalls == 0)
        let difference = try #require(delegate.differences.first)
        objectIDs = try #require(objectIDs.applying(difference))
        #expect(objectIDs == controller.fetchedObjects?.map(\.objectID))
    }

    @Test("With sections each change is reported separately")
    func sections() throws {
        let controller = try controller(sections: "label")
        _ = stack.insertClock("d")
        stack.context.processPendingChanges()
        #expect(delegate.differences.isEmpty)
        #expect(delegate.otherCalls == 2)
        #expect(controller.sections?.count == 4)
    }

    @Test("The delegate may be replaced, and each is notified in its own way")
    func changedDelegate() throws {
        let controller = try controller()
        let plain = PlainDelegate()
        controller.delegate = plain
        _ = stack.insertClock("d")
        stack.context.processPendingChanges()
        _ = stack.insertClock("e")
        stack.context.processPendingChanges()
        #expect(plain.calls == 2)
        controller.delegate = delegate
        _ = stack.insertClock("f")
        stack.context.processPendingChanges()
        #expect(plain.calls == 2)
        #expect(delegate.differences.count == 1)
    }
}

@Suite struct FetchedResultsSectionTests {
    let stack: TestStack

    init() throws {
        stack = try TestStack()
    }

    func controller(
        labels: [String], sortedBy key: String = "label"
    ) throws -> NSFetchedResultsController<Clock> {
        for (position, label) in labels.enumerated() {
            stack.insertClock(label).position = position
        }
        try stack.context.save()
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context,
            sectionNameKeyPath: "label", cacheName: "clocks")
    }

    @Test("Objects that are not sorted by section fail with 134060 and Apple's reason")
    func outOfOrder() throws {
        let controller = try controller(labels: ["b", "a", "b"], sortedBy: "position")
        let error = try #require(throws: CocoaError.self) { try controller.performFetch() }
        #expect(error.code == .coreData)
        #expect(error.errorCode == 134060)
        #expect(
            error.userInfo["reason"] as? String
                == "The fetched object at index 2 has an out of order section name 'b. "
                + "Objects must be sorted by section name'")
    }

    @Test("Neighboring sections share an index title, which leads to the first of them")
    func index() throws {
        let controller = try controller(labels: ["alpha", "anna", "bert", "carl", "chris"])
        try controller.performFetch()
        #expect(controller.sections?.count == 5)
        #expect(controller.sectionIndexTitles == ["A", "B", "C"])
        #expect(controller.section(forSectionIndexTitle: "A", at: 0) == 0)
        #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 2)
        #expect(controller.section(forSectionIndexTitle: "C", at: 2) == 3)
        #expect(controller.sections?.last?.indexTitle == "C")
        #expect((controller.sections?.last?.objects as? [Clock])?.map(\.label) == ["chris"])
    }

    @Test("A cache can be named and deleted")
    func cache() throws {
        let controller = try controller(labels: ["a"])
        #expect(controller.cacheName == "clocks")
        try controller.performFetch()
        NSFetchedResultsController<Clock>.deleteCache(withName: "clocks")
        NSFetchedResultsController<Clock>.deleteCache(withName: nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.count == 1)
    }

    @Test("A title that is not the one at the index stops the process")
    func wrongTitle() async {
        await #expect(processExitsWith: .failure) {
            let controller = try FetchedResultsSectionTests().controller(labels: ["a", "b"])
            try controller.performFetch()
            _ = controller.section(forSectionIndexTitle: "B", at: 0)
        }
    }

    @Test("An index path without an object stops the process")
    func noObject() async {
        await #expect(processExitsWith: .failure) {
            let controller = try FetchedResultsSectionTests().controller(labels: ["a", "b"])
            try controller.performFetch()
            _ = controller.object(at: [1, 1])
        }
    }
}
