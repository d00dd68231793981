import CoreData

extension NSManagedObjectContext {
    /// Makes changes that can be undone together.
    ///
    /// - Returns: The context's new undo manager.
    func undoable(_ changes: () throws -> Void) rethrows -> UndoManager {
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        self.undoManager = undoManager
        undoManager.beginUndoGrouping()
        try changes()
        processPendingChanges()
        undoManager.endUndoGrouping()
        return undoManager
    }
}
