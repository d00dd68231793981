/// Whether a group that is closed can be thrown away, in the notifications of an undo manager.
public let NSUndoManagerGroupIsDiscardableKey: String = "NSUndoManagerGroupIsDiscardableKey"

/// Where the closing of groups stands among what a run loop does.
public let NSUndoCloseGroupingRunLoopOrdering: Int = 350_000

extension NSNotification.Name {
    /// Posted when groups begin and end, and when somebody asks whether there is something to redo.
    public static let NSUndoManagerCheckpoint = NSNotification.Name(
        "NSUndoManagerCheckpointNotification")

    /// Posted after a group was begun.
    public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name(
        "NSUndoManagerDidOpenUndoGroupNotification")

    /// Posted before a group is closed.
    public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name(
        "NSUndoManagerWillCloseUndoGroupNotification")

    /// Posted after a group was closed.
    public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name(
        "NSUndoManagerDidCloseUndoGroupNotification")

    /// Posted before an undo.
    public static let NSUndoManagerWillUndoChange = NSNotification.Name(
        "NSUndoManagerWillUndoChangeNotification")

    /// Posted after an undo.
    public static let NSUndoManagerDidUndoChange = NSNotification.Name(
        "NSUndoManagerDidUndoChangeNotification")

    /// Posted before a redo.
    public static let NSUndoManagerWillRedoChange = NSNotification.Name(
        "NSUndoManagerWillRedoChangeNotification")

    /// Posted after a redo.
    public static let NSUndoManagerDidRedoChange = NSNotification.Name(
        "NSUndoManagerDidRedoChangeNotification")
}
