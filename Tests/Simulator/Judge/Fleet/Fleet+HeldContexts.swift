import CoreData
import Seam3

/// Users' changes that are saved later.
extension Fleet {
    /// Makes changes in a separate context without saving them yet.
    ///
    /// - Parameters:
    ///   - holder: The name of the context.
    ///   - follows: Whether the context merges the server's changes in the meantime.
    public func hold(
        _ holder: Int, on device: Int, trump: Trump = .object, follows: Bool = false,
        _ changes: [Change]
    ) async throws {
        let app = app(device)
        let context = try app.makeContext()
        context.automaticallyMergesChangesFromParent = follows
        var held = App.HeldChanges(context: context, follows: follows, trump: trump)
        try held.make(changes, shown: try shown(by: app))
        app.held[holder] = held
    }

    /// Makes further changes in a context, without saving them yet. Its user may not have seen what
    /// others have changed in the meantime.
    public func changeHeld(_ holder: Int, on device: Int, _ changes: [Change]) async throws {
        let app = app(device)
        let shown = try shown(by: app)
        guard var held = app.held[holder] else { return }
        try held.make(changes, shown: shown)
        held.look(at: shown)
        app.held[holder] = held
    }

    /// Saves a context's changes.
    public func saveHeld(_ holder: Int, on device: Int) async throws {
        let app = app(device)
        let before = try shown(by: app)
        guard let held = app.held.removeValue(forKey: holder) else { return }
        let waiting = history.waitingReferences(at: app.place)
        let taken = held.valuesTaken(by: before)
        let hasSaved = try save(
            on: app, in: held.context, what: "save held", wanted: held.wanted, of: held.objects,
            named: Self.named(held.changes), taken: taken
        ) { _ in }
        if hasSaved {
            judgeHeld(held, before: before, after: app.seen, waiting: waiting, taken: taken)
        }
        // Contexts are not notified of the end of a one-to-one relationship that the store sets
        // because another context has saved in the meantime.
        app.refreshContexts()
        try judgeContexts(of: app)
    }

    /// Judges that a context's save has written what its user has changed in it, and nothing else.
    ///
    /// - Parameters:
    ///   - waiting: The references, named like links, that show if their destinations return.
    ///   - taken: The attributes that objects may get from other ones that become the same.
    func judgeHeld(
        _ held: App.HeldChanges, before: Snapshot, after: Snapshot, waiting: Set<String> = [],
        taken: [String: [String: Value]] = [:]
    ) {
        let own = held.follows ? held.merged(before) : held.own
        if let excess = own.excess(
            before: before, after: after, writesAll: held.trump == .overwrite,
            renamed: held.renamed(in: before), waiting: waiting,
            taken: taken, keepsOwn: held.follows || held.trump.writesOwnSide)
        {
            complain("a save changes something else", excess)
        }
        if held.trump.writesOwnSide,
            let link = own.missingLink(
                before: before, after: after, isExcused: { held.mayHaveLetGo($0) })
        {
            complain("save lost", link)
        }
        if held.trump == .store, !held.follows, held.vanished.isEmpty,
            let wrong = own.wrongSide(before: before, after: after)
        {
            complain("merge policy not followed", wrong)
        }
    }
}

extension App.HeldChanges {
    /// The values that the objects must have after a successful save.
    fileprivate var wanted: [String: [String: Value]] {
        guard trump.writesOwnSide else { return [:] }
        var wanted: [String: [String: Value]] = [:]
        for change in changes {
            switch change.action {
            case .set: wanted[change.ident, default: [:]].merge(change.values) { $1 }
            case .delete: wanted[change.ident] = nil
            default: break
            }
        }
        if !follows { return wanted }
        for ident in vanished { wanted[ident] = nil }
        for (ident, names) in settled {
            for name in names { wanted[ident]?[name] = nil }
        }
        return wanted
    }

    /// Whether a context that follows the store may have dropped its change of a link, because an end
    /// was deleted, or the store had the change already.
    fileprivate func mayHaveLetGo(_ link: String) -> Bool {
        follows
            && (settledLinks.contains(link)
                || link.split(separator: "|").dropFirst().contains { vanished.contains(String($0)) })
    }
}

extension Trump {
    /// Whether a save that succeeds has written all of its context's changes.
    fileprivate var writesOwnSide: Bool { [.object, .overwrite, .error].contains(self) }
}
