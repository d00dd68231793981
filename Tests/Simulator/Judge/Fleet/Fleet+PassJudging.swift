import CoreData
import Seam3

/// Judges what a single pass changes on its device, because users look at it between passes, too.
extension Fleet {
    /// Judges a pass during which nothing else happened.
    ///
    /// - Parameters:
    ///   - before: What the device showed before.
    ///   - summary: The summary of the pass; nil if it failed.
    func judgePass(
        of app: App, _ exchange: History.Exchange, before: Snapshot, _ summary: SMSyncSummary?
    ) throws {
        let after = app.seen
        guard after != before else { return }
        judgeKnown(app, exchange, before: traveling(before, app.version))
        judgeIdentities(app, before, after)
        let changed = Set(before.objects.keys).union(after.objects.keys).filter {
            before.objects[$0] != after.objects[$0]
        }
        if let summary { judgeSummary(app, changed, before, after, summary) }
        try judgeScreen(app, changed: changed)
    }

    /// If a device knew every edit of an object, a pass changes the object only as promised.
    private func judgeKnown(_ app: App, _ exchange: History.Exchange, before: Snapshot) {
        let after = history.shows(app.number)
        var oracle = Oracle(
            history: history, policy: setting.policy, raced: raced, final: after)
        oracle.looseNames = looseNames
        oracle.losesAnswers = losesAnswers
        let (old, new) = (before.byIdent, after.byIdent)
        for ident in Set(old.keys).union(new.keys).sorted()
        where old[ident] != new[ident] && history.knewAll(of: ident, exchange) {
            oracle.judge(ident, new[ident] ?? [])
        }
        let links = after.links
        for link in before.links.symmetricDifference(links).sorted()
        where history.knewAll(of: link, exchange) {
            oracle.judgeLink(link, exists: links.contains(link))
        }
        for violation in oracle.violations {
            complain("\(violation.rule) for a while", "on \(app.name): \(violation.text)")
        }
    }

    /// An object stays the same object, whatever arrives from the server.
    private func judgeIdentities(_ app: App, _ before: Snapshot, _ after: Snapshot) {
        guard setting.policy != .keepBoth else { return }
        let former = Dictionary(grouping: before.objects.keys) { before.objects[$0]?.ident ?? "" }
        let now = Dictionary(grouping: after.objects.keys) { after.objects[$0]?.ident ?? "" }
        for (ident, ids) in former.sorted(by: { $0.key < $1.key }) {
            guard ids.count == 1, let others = now[ident], others.count == 1, ids != others,
                history.kinds[ident]?.naturalKey == nil,
                !history.edits(of: ident).contains(where: { $0.action == .delete })
            else { continue }
            complain("another object", "\(ident) was \(ids[0]) on \(app.name), and is \(others[0])")
        }
    }

    /// The summary of a pass lists the objects that it changed.
    private func judgeSummary(
        _ app: App, _ changed: Set<String>, _ before: Snapshot, _ after: Snapshot,
        _ summary: SMSyncSummary
    ) {
        func names(_ ids: Set<NSManagedObjectID>) -> Set<String> {
            Set(ids.map { $0.uriRepresentation().absoluteString })
        }
        let inserted = names(summary.insertedObjectIDs)
        let updated = names(summary.updatedObjectIDs)
        let deleted = names(summary.deletedObjectIDs)
        for id in changed.sorted() {
            let (former, now) = (before.objects[id], after.objects[id])
            let isTold =
                now == nil
                ? deleted.contains(id)
                : inserted.contains(id) || former != nil && updated.contains(id)
            if isTold { continue }
            complain(
                "a change is not told",
                "\(former?.ident ?? now?.ident ?? id) on \(app.name) is"
                    + " \(now == nil ? "deleted" : former == nil ? "inserted" : "updated"),"
                    + " and the pass does not say so")
        }
    }

    /// After a pass that fetched and sent everything, the server and the device agree.
    func judgeSuccess(of app: App) {
        guard !app.hasOtherUser, !hasForeignReferences,
            apps.allSatisfy({ $0.version == app.version })
        else { return }
        if let difference = Difference.first(
            history.shows(app.number), history.shows(serverPlace), "on \(app.name)",
            "on the server", ignoring: lostNames, ordersAreSets: ["picks", "picked"])
        {
            complain("success, and the server differs", difference)
        }
    }

    // MARK: - The screen

    /// A context that follows the store shows what a new one does, a list contains what it should, and
    /// the history contains every change.
    func judgeScreen(_ app: App, changed: Set<String> = []) throws {
        guard let screen = app.screen else { return }
        app.settle()
        if let difference = Difference.first(
            try shown(by: app), try screen.snapshot(), "in the file", "in a context that follows")
        {
            complain("context shows something else", "\(app.name): \(difference)")
        }
        let lists = try screen.lists()
        if lists.shown != lists.wanted {
            complain(
                "list shows something else",
                "\(app.name): \(lists.shown) instead of \(lists.wanted)")
        }
        if let told = try screen.changes(), let first = changed.subtracting(told).min() {
            let ident = app.seen.objects[first]?.ident ?? first
            complain("history lacks a change", "\(app.name): that of \(ident)")
        }
    }
}
