/// Records actions that undo changes, and runs them on demand.
///
/// It mirrors Apple's `UndoManager`, which Linux's Foundation lacks. Actions are collected in
/// groups. An undo runs those of one group in reverse order; actions that are registered in the
/// meantime are kept for a redo. There are no actions by selector or invocation, because there is
/// no Objective-C runtime.
///
/// Like Apple's, it is used on one thread or one queue at a time.
open class UndoManager: NSObject {
    /// The open groups, the outermost first.
    private var openGroups: [UndoGroup] = []
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    private var disablingLevel = 0
    /// Whether the outermost open group closes at the end of the event.
    private var endsGroupWithEvent = false

    /// An undo manager without actions.
    public override init() {}

    // MARK: - Settings

    /// Whether the actions of one event automatically form a group; `true` by default.
    ///
    /// An event is a turn of the main queue. On other queues, which have no run loop on Apple's
    /// systems either, such a group stays open until `undo()` or the next turn of the main queue
    /// closes it.
    open var groupsByEvent: Bool = true

    /// How many groups can be undone, and how many redone; older ones are dropped. 0, the default,
    /// means no limit.
    open var levelsOfUndo: Int = 0 {
        didSet { dropOldGroups() }
    }

    /// The run loop modes in which an event ends. Stored, but not used: the main queue determines
    /// the end.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    // MARK: - Groups

    /// The nesting depth of open groups.
    open var groupingLevel: Int { openGroups.count }

    /// Opens a group, nested in the present one if there is one.
    open func beginUndoGrouping() {
        post(.NSUndoManagerCheckpoint)
        openGroup()
    }

    /// Closes the group that was opened last.
    open func endUndoGrouping() {
        post(.NSUndoManagerCheckpoint)
        closeGroup()
    }

    private func openGroup() {
        openGroups.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    private func closeGroup() {
        guard let group = openGroups.last else {
            raise("endUndoGrouping", "endUndoGrouping called with no matching begin")
        }
        let isDiscardable: [AnyHashable: Any]? =
            group.isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(true)] : nil
        post(.NSUndoManagerWillCloseUndoGroup, isDiscardable)
        openGroups.removeLast()
        if let outer = openGroups.last {
            outer.append(group)
        } else {
            endsGroupWithEvent = false
            if isUndoing { redoStack.append(group) } else { undoStack.append(group) }
            dropOldGroups()
        }
        post(.NSUndoManagerDidCloseUndoGroup, isDiscardable)
    }

    private func dropOldGroups() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    // MARK: - Registration

    /// Disables the registration of actions until the same number of calls of
    /// `enableUndoRegistration()`.
    open func disableUndoRegistration() {
        disablingLevel += 1
    }

    /// Reverts one call of `disableUndoRegistration()`.
    open func enableUndoRegistration() {
        guard disablingLevel > 0 else {
            raise(
                "enableUndoRegistration", "enableUndoRegistration called with no matching disable")
        }
        disablingLevel -= 1
    }

    /// Whether actions are registered.
    open var isUndoRegistrationEnabled: Bool { disablingLevel == 0 }

    /// Registers an action.
    ///
    /// - Parameters:
    ///   - target: The object that the action changes. It is not retained; if it no longer exists,
    ///     the action does nothing.
    ///   - handler: Undoes the change.
    open func registerUndo<TargetType>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) where TargetType: AnyObject {
        guard isUndoRegistrationEnabled else { return }
        if openGroups.isEmpty {
            guard groupsByEvent else {
                raise("registerUndo", "must begin a group before registering undo")
            }
            openGroup()
            endsGroupWithEvent = true
            endGroupWithEvent()
        }
        if !isUndoing, !isRedoing { redoStack.removeAll() }
        openGroups.last?.append(UndoAction(target, handler))
    }

    private static let mainQueueKey = DispatchSpecificKey<Bool>()
    private static let mainQueueMark: Void = DispatchQueue.main.setSpecific(
        key: mainQueueKey, value: true)

    /// Whether the caller is on the main thread or in a block of the main queue, which may be
    /// different on Linux.
    private static var isOnMainQueue: Bool {
        if Thread.isMainThread { return true }
        _ = mainQueueMark
        return DispatchQueue.getSpecific(key: mainQueueKey) == true
    }

    /// Closes the present group at the end of the main queue's turn.
    private func endGroupWithEvent() {
        guard Self.isOnMainQueue else { return }
        let reference = WeakUndoManager(manager: self)
        DispatchQueue.main.async {
            guard let manager = reference.manager, manager.endsGroupWithEvent,
                manager.openGroups.count == 1
            else { return }
            manager.endUndoGrouping()
        }
    }

    /// Forgets all actions, and closes all groups.
    open func removeAllActions() {
        openGroups.removeAll()
        endsGroupWithEvent = false
        undoStack.removeAll()
        redoStack.removeAll()
        disablingLevel = 0
    }

    /// Forgets the actions of a target.
    open func removeAllActions(withTarget target: Any) {
        let target = target as AnyObject
        for group in openGroups { group.removeActions(of: target) }
        for group in undoStack + redoStack { group.removeActions(of: target) }
        undoStack.removeAll(where: \.isEmpty)
        redoStack.removeAll(where: \.isEmpty)
    }

    // MARK: - Undo and redo

    /// Whether `undo()` has something to undo.
    open var canUndo: Bool {
        !undoStack.isEmpty || !isUndoing && !isRedoing && openGroups.first?.isEmpty == false
    }

    /// Whether `redo()` has something to redo.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return !redoStack.isEmpty
    }

    /// How many groups can be undone.
    open var undoCount: Int { undoStack.count }

    /// How many groups can be redone.
    open var redoCount: Int { redoStack.count }

    /// Whether an undo is being performed.
    open private(set) var isUndoing: Bool = false

    /// Whether a redo is being performed.
    open private(set) var isRedoing: Bool = false

    /// Closes the outermost group if it is open, and undoes the last group.
    open func undo() {
        post(.NSUndoManagerCheckpoint)
        if groupingLevel == 1 { endUndoGrouping() }
        guard groupingLevel == 0 else {
            raise("undo", "undo was called with too many nested undo groups")
        }
        guard !undoStack.isEmpty else { return }
        undoNestedGroup()
    }

    /// Undoes the last group that was closed, nested or not.
    open func undoNestedGroup() {
        post(.NSUndoManagerCheckpoint)
        let group: UndoGroup?
        if let open = openGroups.last {
            group = open.removeLastGroup()
        } else {
            group = undoStack.popLast()
        }
        guard let group else { return }
        let suspended = openGroups
        openGroups = []
        post(.NSUndoManagerWillUndoChange)
        isUndoing = true
        run(group)
        isUndoing = false
        openGroups = suspended
        post(.NSUndoManagerDidUndoChange)
    }

    /// Redoes the last undone group. Must not be called during an undo.
    open func redo() {
        post(.NSUndoManagerCheckpoint)
        guard !isUndoing else { raise("redo", "redo was called while undoing") }
        guard let group = redoStack.popLast() else { return }
        let suspended = openGroups
        openGroups = []
        post(.NSUndoManagerWillRedoChange)
        isRedoing = true
        run(group)
        isRedoing = false
        openGroups = suspended
        post(.NSUndoManagerDidRedoChange)
    }

    /// Runs a group's actions; the actions that they register form a group of the same name.
    private func run(_ group: UndoGroup) {
        openGroup()
        openGroups.last?.actionName = group.actionName
        openGroups.last?.isDiscardable = group.isDiscardable
        group.run()
        while !openGroups.isEmpty { closeGroup() }
    }

    // MARK: - Names

    /// Names the present group, or the last one if none is open.
    open func setActionName(_ actionName: String) {
        (openGroups.first ?? undoStack.last)?.actionName = actionName
    }

    /// Sets whether the present group can be discarded without asking.
    open func setActionIsDiscardable(_ discardable: Bool) {
        (openGroups.first ?? undoStack.last)?.isDiscardable = discardable
    }

    /// The name of the next undo; empty if it has none.
    open var undoActionName: String { (openGroups.first ?? undoStack.last)?.actionName ?? "" }

    /// The name of the next redo; empty if it has none.
    open var redoActionName: String { redoStack.last?.actionName ?? "" }

    /// Whether the next undo can be discarded.
    open var undoActionIsDiscardable: Bool {
        (openGroups.first ?? undoStack.last)?.isDiscardable ?? false
    }

    /// Whether the next redo can be discarded.
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

    /// "Undo" with the name of the next undo.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// "Redo" with the name of the next redo.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// "Undo" with a name.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// "Redo" with a name.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: - Telling

    private func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }

    private func raise(_ method: String, _ reason: String) -> Never {
        let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
        _raise(
            "NSInternalInconsistencyException",
            "\(method): NSUndoManager 0x\(address) is in invalid state, \(reason)")
    }
}

/// A weak reference for the main queue. Swift before 6.3 has no `weak let`.
private struct WeakUndoManager: @unchecked Sendable {
    // Unchecked because the manager is used on the main queue only, or not while that queue closes
    // the group.

    weak var manager: UndoManager?
}
