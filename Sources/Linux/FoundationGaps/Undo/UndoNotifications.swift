/// In the notifications of an undo manager: whether the group that is closed can be discarded.
public let NSUndoManagerGroupIsDiscardableKey: String = "NSUndoManagerGroupIsDiscardableKey"

/// The order of closing groups among the activities of a run loop.
public let NSUndoCloseGroupingRunLoopOrdering: Int = 350_000

extension NSNotification.Name {
    /// Posted when groups are opened and closed, and when `canRedo` is read.
    public static let NSUndoManagerCheckpoint = NSNotification.Name(
        "NSUndoManagerCheckpointNotification")

    /// Posted after a group was opened.
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
