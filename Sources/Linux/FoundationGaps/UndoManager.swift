/// Stands for Apple's `UndoManager`, which Linux's Foundation does not have, so that code which sets
/// one, or sets none, compiles. It records nothing.
open class UndoManager: NSObject {
    /// An undo manager without actions.
    public override init() {}
}
