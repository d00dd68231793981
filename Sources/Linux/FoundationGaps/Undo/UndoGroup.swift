/// An action that undoes one change.
struct UndoAction {
    private(set) weak var target: AnyObject?
    private let run: (AnyObject) -> Void

    init<Target: AnyObject>(_ target: Target, _ handler: @escaping (Target) -> Void) {
        self.target = target
        run = { target in
            if let target = target as? Target { handler(target) }
        }
    }

    func callAsFunction() {
        if let target { run(target) }
    }
}

/// Actions and groups that are undone together.
final class UndoGroup {
    private enum Member {
        case action(UndoAction)
        case group(UndoGroup)
    }

    private var members: [Member] = []
    var actionName = ""
    var isDiscardable = false

    var isEmpty: Bool {
        members.allSatisfy { member in
            switch member {
            case .action: false
            case .group(let group): group.isEmpty
            }
        }
    }

    func append(_ action: UndoAction) {
        members.append(.action(action))
    }

    func append(_ group: UndoGroup) {
        members.append(.group(group))
    }

    /// Removes the last member if it is a group.
    func removeLastGroup() -> UndoGroup? {
        guard case .group(let group)? = members.last else { return nil }
        members.removeLast()
        return group
    }

    func removeActions(of target: AnyObject) {
        members.removeAll { member in
            switch member {
            case .action(let action):
                return action.target === target
            case .group(let group):
                group.removeActions(of: target)
                return group.members.isEmpty
            }
        }
    }

    /// Runs the actions in reverse order.
    func run() {
        for member in members.reversed() {
            switch member {
            case .action(let action): action()
            case .group(let group): group.run()
            }
        }
    }
}
