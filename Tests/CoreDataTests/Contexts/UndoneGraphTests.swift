import CoreData
import Testing

@Suite("Undo and redo restore both ends of a relationship")
struct UndoneGraphTests {
    let undoManager = UndoManager()

    init() {
        undoManager.groupsByEvent = false
    }

    /// Whether the context has read the values before the change.
    enum Knowledge: CaseIterable {
        case values, faults
        /// The context is a child of the one that has inserted the objects.
        case ofParent
    }

    private func stack(cascades: Bool) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: UndoneGraph.model(cascades: cascades))
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        return coordinator
    }

    private func newContext(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func newContext(
        _ knowledge: Knowledge, _ coordinator: NSPersistentStoreCoordinator,
        _ first: NSManagedObjectContext
    ) -> NSManagedObjectContext {
        guard knowledge == .ofParent else { return newContext(coordinator) }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = first
        return child
    }

    private func storedLines(_ coordinator: NSPersistentStoreCoordinator) throws -> [String] {
        let context = newContext(coordinator)
        return try withExtendedLifetime(context) { try UndoneGraph.lines(in: context) }
    }

    @Test(
        "after an insertion or a deletion, in the context and in the store",
        arguments: UndoneGraph.Change.allCases, UndoneGraph.Link.allCases)
    func restored(_ change: UndoneGraph.Change, _ link: UndoneGraph.Link) throws {
        for knowledge in Knowledge.allCases {
            for savesEachStep in [false, true] {
                for stepCount in 1...4 {
                    try run(change, link, knowledge, savesEachStep: savesEachStep, stepCount)
                }
            }
        }
    }

    @Test(
        "without deleting older objects by the rules of a saved insertion",
        arguments: [UndoneGraph.Change.insertionOfList, .insertionOfItem],
        UndoneGraph.Link.allCases.filter { $0.inverseName != nil })
    func keptFromCascade(_ change: UndoneGraph.Change, _ link: UndoneGraph.Link) throws {
        for knowledge in Knowledge.allCases {
            try run(change, link, knowledge, cascades: true, savesEachStep: true, 4)
        }
    }

    private func run(
        _ change: UndoneGraph.Change, _ link: UndoneGraph.Link, _ knowledge: Knowledge,
        cascades: Bool = false, savesEachStep: Bool, _ stepCount: Int
    ) throws {
        let coordinator = try stack(cascades: cascades || change == .cascade)
        let first = newContext(coordinator)
        var objects = UndoneGraph.Objects(in: first)
        objects.insertFormer(change, link)
        try first.save()
        let context = knowledge == .values ? first : newContext(knowledge, coordinator, first)
        if context !== first { objects = objects.copies(in: context) }
        func save() throws {
            try context.save()
            if context !== first { try first.save() }
        }
        let former = try storedLines(coordinator)
        context.undoManager = undoManager
        undoManager.beginUndoGrouping()
        objects.make(change, link)
        if knowledge == .ofParent {
            // A child knows its new objects by temporary IDs for good, so a fetch would return others.
            try context.obtainPermanentIDs(for: Array(context.insertedObjects))
        }
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        // An unsaved insertion is undone differently.
        if savesEachStep || stepCount < 3 { try save() }
        let changed = try UndoneGraph.lines(in: context)
        for step in 1...stepCount {
            let comment: Comment =
                "\(knowledge), saves \(savesEachStep), step \(step) of \(stepCount)"
            let isUndo = step % 2 == 1
            if isUndo { undoManager.undo() } else { undoManager.redo() }
            let expected = isUndo ? former : changed
            #expect(try UndoneGraph.lines(in: context) == expected, comment)
            guard savesEachStep || step == stepCount else { continue }
            try save()
            #expect(try UndoneGraph.lines(in: context) == expected, comment)
            #expect(try storedLines(coordinator) == expected, comment)
        }
        undoManager.removeAllActions()
    }

    /// Makes faults of some objects without changes, whose relationships the context then has to read again.
    private func forgetValues(
        in context: NSManagedObjectContext, using generator: inout some RandomNumberGenerator
    ) {
        let objects = context.registeredObjects.filter { !$0.hasChanges }.sorted {
            $0.objectID.uriRepresentation().absoluteString
                < $1.objectID.uriRepresentation().absoluteString
        }
        for object in objects where Bool.random(using: &generator) {
            context.refresh(object, mergeChanges: false)
        }
    }

    @Test("in a context with changes that were chosen at random", arguments: 1...80)
    func random(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let coordinator = try stack(cascades: seed % 4 == 0)
        let context = newContext(coordinator)
        context.undoManager = undoManager
        var history = [try UndoneGraph.lines(in: context)]
        var position = 0
        for step in 1...60 {
            let comment: Comment = "seed \(seed), step \(step)"
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...3:
                undoManager.beginUndoGrouping()
                for number in 1...Int.random(in: 1...3, using: &generator) {
                    try UndoneGraph.changeAtRandom(
                        context, naming: "\(step)-\(number)", using: &generator)
                    if Bool.random(using: &generator) { context.processPendingChanges() }
                }
                context.processPendingChanges()
                undoManager.endUndoGrouping()
                let present = try UndoneGraph.lines(in: context)
                if undoManager.canUndo {
                    history = history[...position] + [present]
                    position += 1
                }
            case 4...5 where position > 0:
                undoManager.undo()
                position -= 1
            case 6 where position < history.count - 1:
                undoManager.redo()
                position += 1
            case 7:
                try context.save()
                #expect(try storedLines(coordinator) == history[position], comment)
            default: continue
            }
            try #require(try UndoneGraph.lines(in: context) == history[position], comment)
            if seed % 2 == 0 { forgetValues(in: context, using: &generator) }
        }
        undoManager.removeAllActions()
    }
}

/// Random numbers that are the same for the same seed.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
