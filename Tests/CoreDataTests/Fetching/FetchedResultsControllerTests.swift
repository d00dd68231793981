import CoreData
import SeededRandom
import Testing

/// Records a controller's messages, as text.
private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
    var log: [String] = []
    var controller: AnyObject?
    var contentAtEnd: [String?] = []
    var sectionCounts: [Int] = []

    private func place(_ path: IndexPath?) -> String {
        path.map { "\($0[0]).\($0[1])" } ?? "-"
    }

    func controllerWillChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        self.controller = controller
        log.append("will")
    }

    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        contentAtEnd = (controller.fetchedObjects ?? []).map { ($0 as? Clock)?.label }
        log.append("did")
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        let label = (anObject as? Clock)?.label ?? "?"
        log.append("\(type) \(label) \(place(indexPath)) \(place(newIndexPath))")
    }

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        log.append("\(type) section \(sectionInfo.name) \(sectionIndex)")
        sectionCounts.append(sectionInfo.numberOfObjects)
    }
}

@Suite struct FetchedResultsControllerTests {
    let stack: TestStack
    /// Saved clocks with the labels b, d and f.
    let clocks: [Clock]
    private let delegate = Delegate()

    init() throws {
        stack = try TestStack()
        clocks = ["b", "d", "f"].map(stack.insertClock)
        try stack.context.save()
    }

    func controller(
        sections: String? = nil, predicate: NSPredicate? = nil
    ) throws -> NSFetchedResultsController<Clock> {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.predicate = predicate
        request.sortDescriptors =
            (sections.map { [NSSortDescriptor(key: $0, ascending: true)] } ?? [])
            + [NSSortDescriptor(key: "label", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context,
            sectionNameKeyPath: sections, cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        return controller
    }

    @Test("The results are sorted, in one section")
    func results() throws {
        let controller = try controller()
        #expect(controller.fetchedObjects?.map(\.label) == ["b", "d", "f"])
        #expect(controller.sections?.count == 1)
        #expect(controller.sections?.first?.numberOfObjects == 3)
        #expect(controller.object(at: [0, 1]) === clocks[1])
        #expect(controller.indexPath(forObject: clocks[2]) == [0, 2])
        #expect(controller.fetchRequest.entityName == "Clock")
    }

    @Test("An insertion is reported between will and did, with its new index path")
    func insertion() throws {
        let controller = try controller()
        _ = stack.insertClock("c")
        stack.context.processPendingChanges()
        #expect(delegate.log == ["will", "insert c - 0.1", "did"])
        #expect(delegate.contentAtEnd == ["b", "c", "d", "f"])
        #expect(controller.fetchedObjects?.count == 4)
    }

    @Test("A deletion is reported with its old index path")
    func deletion() throws {
        let controller = try controller()
        stack.context.delete(clocks[1])
        stack.context.processPendingChanges()
        #expect(delegate.log == ["will", "delete d 0.1 -", "did"])
        _ = controller
    }

    @Test("A change in place is an update, a change of the order is a move")
    func updateAndMove() throws {
        let controller = try controller()
        clocks[0].note = "x"
        stack.context.processPendingChanges()
        #expect(delegate.log == ["will", "update b 0.0 0.0", "did"])
        delegate.log = []
        clocks[0].label = "e"
        stack.context.processPendingChanges()
        #expect(delegate.log == ["will", "move e 0.0 0.1", "did"])
        #expect(controller.fetchedObjects?.map(\.label) == ["d", "e", "f"])
    }

    @Test("A change of a sort key is a move, even if the object stays in its place")
    func moveInPlace() throws {
        let controller = try controller()
        clocks[0].label = "c"
        stack.context.processPendingChanges()
        #expect(delegate.log == ["will", "move c 0.0 0.0", "did"])
        _ = controller
    }

    @Test("An object pushed along by an insertion is not reported")
    func pushed() throws {
        let controller = try controller()
        _ = stack.insertClock("a")
        clocks[1].note = "x"
        stack.context.processPendingChanges()
        #expect(delegate.log == ["will", "insert a - 0.0", "update d 0.1 0.2", "did"])
        _ = controller
    }

    @Test("Starting and ceasing to match are an insertion and a deletion")
    func predicate() throws {
        let controller = try controller(predicate: NSPredicate(format: "note == nil"))
        clocks[0].note = "x"
        stack.context.processPendingChanges()
        clocks[0].note = nil
        stack.context.processPendingChanges()
        #expect(
            delegate.log == ["will", "delete b 0.0 -", "did", "will", "insert b - 0.0", "did"])
        _ = controller
    }

    @Test("Changes of unrelated objects are not reported")
    func unconcerned() throws {
        let controller = try controller(predicate: NSPredicate(format: "note == nil"))
        _ = stack.insertFolder()
        let other = stack.insertClock("x")
        other.note = "y"
        stack.context.processPendingChanges()
        #expect(delegate.log.isEmpty)
        _ = controller
    }

    @Test("Sections appear and disappear with their objects")
    func sections() throws {
        for (clock, position) in zip(clocks, [1, 2, 2]) { clock.position = position }
        let controller = try controller(sections: "position")
        #expect(controller.sections?.map(\.name) == ["1", "2"])
        #expect(controller.sectionIndexTitles == ["1", "2"])
        #expect(controller.section(forSectionIndexTitle: "2", at: 1) == 1)
        #expect(controller.sectionIndexTitle(forSectionName: "abc") == "A")
        stack.context.processPendingChanges()
        delegate.log = []
        clocks[0].position = 3
        stack.context.processPendingChanges()
        #expect(
            delegate.log == [
                "will", "delete section 1 0", "insert section 3 1", "move b 0.0 1.0", "did",
            ])
        #expect(controller.sections?.map(\.numberOfObjects) == [2, 1])
    }

    @Test("An object whose sort keys did not change is updated, even if a neighbor moves past it")
    func pushedByMove() throws {
        let controller = try controller()
        clocks[0].note = "x"
        clocks[1].label = "a"
        clocks[2].note = "x"
        stack.context.processPendingChanges()
        #expect(
            delegate.log == [
                "will", "move a 0.1 0.0", "update b 0.0 0.1", "update f 0.2 0.2", "did",
            ])
        _ = controller
    }

    @Test("Of merged changes, the smallest possible number of objects counts as moved")
    func mergedMove() throws {
        let controller = try controller()
        for clock in clocks { _ = clock.label }
        let other = stack.newContext()
        let recorder = NotificationRecorder(other, [.NSManagedObjectContextDidSave])
        for (clock, label) in zip(clocks, ["g", "d", "f"]) {
            let copy = try #require(other.object(with: clock.objectID) as? Clock)
            (copy.label, copy.note) = (label, "x")
        }
        try other.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(recorder.last))
        #expect(
            delegate.log == [
                "will", "update d 0.1 0.0", "update f 0.2 0.1", "move g 0.0 0.2", "did",
            ])
        _ = controller
    }

    @Test("A section that is reported as deleted has no objects any longer")
    func deletedSection() throws {
        for (clock, position) in zip(clocks, [1, 2, 2]) { clock.position = position }
        let controller = try controller(sections: "position")
        stack.context.processPendingChanges()
        delegate.sectionCounts = []
        clocks[0].position = 2
        stack.context.processPendingChanges()
        #expect(delegate.sectionCounts == [0])
        clocks[0].position = 7
        stack.context.processPendingChanges()
        #expect(delegate.sectionCounts == [0, 1])
        _ = controller
    }

    @Test("An empty list of sort descriptors is allowed: the order is the store's")
    func unsorted() throws {
        let request = NSFetchRequest<Clock>(entityName: "Clock")
        request.sortDescriptors = []
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: nil,
            cacheName: nil)
        controller.delegate = delegate
        try controller.performFetch()
        let fetched = try #require(controller.fetchedObjects)
        #expect(Set(fetched) == Set(clocks))
        fetched[0].note = "x"
        let added = stack.insertClock("a")
        stack.context.processPendingChanges()
        let label = fetched[0].label ?? ""
        #expect(delegate.log == ["will", "insert a - 0.3", "update \(label) 0.0 0.0", "did"])
        #expect(controller.fetchedObjects == fetched + [added])
    }

    @Test("A controller cannot be created for a request without sort descriptors")
    func withoutSortDescriptors() async {
        await #expect(processExitsWith: .failure) {
            _ = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<Clock>(entityName: "Clock"),
                managedObjectContext: NSManagedObjectContext(.privateQueue),
                sectionNameKeyPath: nil, cacheName: nil)
        }
    }

    @Test("The delegate gets the controller itself")
    func identity() throws {
        let controller = try controller()
        _ = stack.insertClock("c")
        stack.context.processPendingChanges()
        #expect(delegate.controller === controller)
    }

    @Test("Changes of another context arrive with a merge")
    func merge() throws {
        let controller = try controller()
        let other = stack.newContext()
        let recorder = NotificationRecorder(other, [.NSManagedObjectContextDidSave])
        (other.object(with: clocks[2].objectID) as? Clock)?.label = "a"
        other.delete(other.object(with: clocks[0].objectID))
        Clock(context: other).label = "z"
        try other.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(recorder.last))
        #expect(
            delegate.log == [
                "will", "delete b 0.0 -", "insert z - 0.2", "move a 0.2 0.0", "did",
            ])
        #expect(controller.fetchedObjects?.map(\.label) == ["a", "d", "z"])
    }

    @Test("Without a delegate no changes are followed")
    func withoutDelegate() throws {
        let controller = try controller()
        controller.delegate = nil
        _ = stack.insertClock("c")
        stack.context.processPendingChanges()
        #expect(controller.fetchedObjects?.count == 3)
        try controller.performFetch()
        #expect(controller.fetchedObjects?.count == 4)
    }

    @Test("Random changes have the result of a new fetch, and the reported changes lead to it")
    func random() throws {
        let seed = SeededGenerator.seed(from: "CORE_DATA_SEED")
        var random = SeededGenerator(seed: seed)
        func next(_ bound: Int) -> Int {
            Int.random(in: 0..<bound, using: &random)
        }
        let controller = try controller(
            sections: "position", predicate: NSPredicate(format: "note == nil"))
        var alive = clocks
        for step in 0..<200 {
            for _ in 0...next(4) {
                if alive.isEmpty { alive.append(stack.insertClock("new")) }
                let clock = alive[next(alive.count)]
                switch next(5) {
                case 0:
                    let new = stack.insertClock("\(next(30))")
                    new.position = next(3)
                    alive.append(new)
                case 1:
                    stack.context.delete(clock)
                    alive.removeAll { $0 === clock }
                case 2: clock.label = "\(next(30))"
                case 3: clock.position = next(3)
                default: clock.note = next(2) == 0 ? nil : "x"
                }
            }
            stack.context.processPendingChanges()
            let followed = controller.fetchedObjects?.map { "\($0.position) \($0.label ?? "")" }
            let expected = alive.filter { $0.note == nil && !$0.isDeleted }
                .map { ($0.position, $0.label ?? "") }.sorted { $0 < $1 }
                .map { "\($0.0) \($0.1)" }
            #expect(followed == expected, "seed \(seed), step \(step)")
            let counts = controller.sections?.map(\.numberOfObjects).reduce(0, +)
            #expect(counts == expected.count, "seed \(seed), step \(step)")
        }
    }

    @Test("A request without sort descriptors stops the process")
    func withoutSort() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            let controller = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<Clock>(entityName: "Clock"),
                managedObjectContext: stack.context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
        }
    }
}
