import CoreData
import Seam3

/// Users' changes in other kinds of contexts.
extension Fleet {
    /// Makes changes in a child of a context, and saves both.
    public func saveInChild(_ changes: [Change], on device: Int) async throws {
        let app = app(device)
        try look(app)
        let context = try app.makeContext()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        do {
            try App.perform(child) { child in
                for change in changes { _ = try change.make(in: child) }
                if child.hasChanges { try child.save() }
            }
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            // Core Data refuses it, such as a deletion that a rule denies.
            return App.rollback(child)
        }
        try save(on: app, in: context, what: "save of a child", named: Self.named(changes)) { _ in }
    }

    /// Makes changes and saves them, then undoes them and saves again.
    ///
    /// - Parameter syncs: Whether the device syncs in between.
    public func saveAndUndo(_ changes: [Change], on device: Int, syncs: Bool) async throws {
        let app = app(device)
        let lifetime = app.folder
        let context = try app.makeContext()
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        try save(on: app, in: context, what: "save", named: Self.named(changes)) { context in
            context.mergePolicy = Trump.object.policy
            context.undoManager = undoManager
            undoManager.beginUndoGrouping()
            for change in changes { _ = try change.make(in: context) }
            context.processPendingChanges()
            undoManager.endUndoGrouping()
        }
        if syncs { _ = try await pass(app, complete: false) }
        // The context may have ended with its process.
        if lifetime != app.folder { return }
        let count = history.edits.count
        try save(on: app, in: context, what: "undo") { _ in
            if undoManager.canUndo { undoManager.undo() }
        }
        history.noteUndoing(since: count)
    }

    /// The properties that a user sets in new objects.
    static func named(_ changes: [Change]) -> [String: Set<String>] {
        var named: [String: Set<String>] = [:]
        for change in changes where named[change.ident] == nil {
            if case .insert = change.action { named[change.ident] = Set(change.values.keys) }
        }
        return named
    }
}
