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

    private func run(
        _ change: UndoneGraph.Change, _ link: UndoneGraph.Link, _ knowledge: Knowledge,
        savesEachStep: Bool, _ stepCount: Int
    ) throws {
        let coordinator = try stack(cascades: change == .cascade)
        let first = newContext(coordinator)
        var objects = UndoneGraph.Objects(in: first)
        objects.insertFormer(change, link)
        try first.save()
        let context = knowledge == .values ? first : newContext(coordinator)
        if knowledge == .faults { objects = objects.copies(in: context) }
        let former = try storedLines(coordinator)
        context.undoManager = undoManager
        undoManager.beginUndoGrouping()
        objects.make(change, link)
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        // An unsaved insertion is undone differently.
        if savesEachStep || stepCount < 3 { try context.save() }
        let changed = try UndoneGraph.lines(in: context)
        for step in 1...stepCount {
            let comment: Comment =
                "\(knowledge), saves \(savesEachStep), step \(step) of \(stepCount)"
            let isUndo = step % 2 == 1
            if isUndo { undoManager.undo() } else { undoManager.redo() }
            let expected = isUndo ? former : changed
            #expect(try UndoneGraph.lines(in: context) == expected, comment)
            guard savesEachStep || step == stepCount else { continue }
            try context.save()
            #expect(try UndoneGraph.lines(in: context) == expected, comment)
            #expect(try storedLines(coordinator) == expected, comment)
        }
        undoManager.removeAllActions()
    }
}
