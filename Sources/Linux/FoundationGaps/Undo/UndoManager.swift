/// Keeps what takes changes back, and runs it on demand.
///
/// It mirrors Apple's `UndoManager`, which Linux's Foundation does not have. Actions are collected in
/// groups, and an undo runs those of one group, the last first; what is registered meanwhile is kept
/// for a redo. There are no actions by selector or invocation, as there is no Objective-C runtime.
///
/// Like Apple's it is used on one thread, or one queue, at a time.
open class UndoManager: NSObject {
    /// The groups that are open, the outermost first.
    private var openGroups: [UndoGroup] = []
    private var undoStack: [UndoGroup] = []
    private var redoStack: [UndoGroup] = []
    private var disablingLevel = 0
    /// Whether the outermost open group ends with the event.
    private var endsGroupWithEvent = false

    /// An undo manager without actions.
    public override init() {}

    // MARK: - Settings

    /// Whether a group is opened by itself for the actions of one event, and closed at its end. True
    /// unless set.
    ///
    /// An event is a turn of the main queue. On other queues, which have no run loop on Apple's systems
    /// either, such a group stays open until `undo()` or the next turn of the main queue closes it.
    open var groupsByEvent: Bool = true

    /// How many groups can be undone, and how many redone; older ones are dropped. 0, as it is unless
    /// set, for any number.
    open var levelsOfUndo: Int = 0 {
        didSet { dropOldGroups() }
    }

    /// The modes in which the run loop ends an event. Kept, without a use: the main queue ends it.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    // MARK: - Groups

    /// How many groups are open, one within the other.
    open var groupingLevel: Int { openGroups.count }

    /// Begins a group, within the one that is open if there is one.
    open func beginUndoGrouping() {
        post(.NSUndoManagerCheckpoint)
        openGroup()
    }

    /// Ends the group that was begun last.
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

    /// Stops registering actions, until as many calls of `enableUndoRegistration()` follow.
    open func disableUndoRegistration() {
        disablingLevel += 1
    }

    /// Takes back one call of `disableUndoRegistration()`.
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
    ///   - target: What the action changes; it is not kept alive, and gone, it is not changed.
    ///   - handler: Takes the change back.
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

    /// Whether the caller is on the main thread, or in a block of the main queue, which on Linux need
    /// not be the same.
    private static var isOnMainQueue: Bool {
        if Thread.isMainThread { return true }
        _ = mainQueueMark
        return DispatchQueue.getSpecific(key: mainQueueKey) == true
    }

    /// Has the main queue close the present group at the end of its turn.
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

    /// Whether an undo is under way.
    open private(set) var isUndoing: Bool = false

    /// Whether a redo is under way.
    open private(set) var isRedoing: Bool = false

    /// Closes the outermost group if it is open, and undoes the last one.
    open func undo() {
        post(.NSUndoManagerCheckpoint)
        if groupingLevel == 1 { endUndoGrouping() }
        guard groupingLevel == 0 else {
            raise("undo", "undo was called with too many nested undo groups")
        }
        guard !undoStack.isEmpty else { return }
        undoNestedGroup()
    }

    /// Undoes the last group that was closed, be it within another or not.
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

    /// Redoes what was undone last. Must not be called during an undo.
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

    /// Runs a group's actions; what they register makes a group of the same name.
    private func run(_ group: UndoGroup) {
        openGroup()
        openGroups.last?.actionName = group.actionName
        openGroups.last?.isDiscardable = group.isDiscardable
        group.run()
        while !openGroups.isEmpty { closeGroup() }
    }

    // MARK: - Names

    /// Names what the present group does, or the last one where none is open.
    open func setActionName(_ actionName: String) {
        (openGroups.first ?? undoStack.last)?.actionName = actionName
    }

    /// Says whether what the present group does can be thrown away without asking.
    open func setActionIsDiscardable(_ discardable: Bool) {
        (openGroups.first ?? undoStack.last)?.isDiscardable = discardable
    }

    /// What the next undo takes back; empty where it has no name.
    open var undoActionName: String { (openGroups.first ?? undoStack.last)?.actionName ?? "" }

    /// What the next redo does again; empty where it has no name.
    open var redoActionName: String { redoStack.last?.actionName ?? "" }

    /// Whether what the next undo takes back can be thrown away.
    open var undoActionIsDiscardable: Bool {
        (openGroups.first ?? undoStack.last)?.isDiscardable ?? false
    }

    /// Whether what the next redo does again can be thrown away.
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

    /// "Undo" and the name of what it takes back.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

    /// "Redo" and the name of what it does again.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// "Undo" and a name.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// "Redo" and a name.
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
    // Unchecked because the manager is used on the main queue only, or not while that closes the group.

    weak var manager: UndoManager?
}
