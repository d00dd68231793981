import CoreData
import Seam3

/// The effects that a pass may have on its device. Users see the device between passes, too.
extension Fleet {
    /// Judges a pass without events during its requests.
    ///
    /// - Parameters:
    ///   - before: The device's state before the pass.
    ///   - summary: The pass's summary; nil if it has failed.
    func judgePass(
        of app: App, _ exchange: History.Exchange, before: Snapshot, _ summary: SMSyncSummary?
    ) async throws {
        let after = app.seen
        guard after != before else { return }
        judgeKnown(app, exchange, before: traveling(before, app.version))
        judgeIdentities(app, before, after)
        let changed = before.changes(to: after)
        if let summary { judgeSummary(app, changed, before, after, Told(summary)) }
        try await judgeScreen(app, changed: changed)
        if history.edits.count % 5 == 0 { try judgeReading(of: app) }
    }

    /// If the device's user knew all edits, a pass changes nothing except as documented.
    func judgeKnown(_ app: App, _ exchange: History.Exchange, before: Snapshot) {
        let after = history.shows(app.place)
        var oracle = oracle(for: after)
        oracle.place = app.place
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

    /// An object keeps its identity, whatever arrives from the server.
    func judgeIdentities(_ app: App, _ before: Snapshot, _ after: Snapshot) {
        let former = Dictionary(grouping: before.objects.keys) { before.objects[$0]?.ident ?? "" }
        let now = Dictionary(grouping: after.objects.keys) { after.objects[$0]?.ident ?? "" }
        for (ident, ids) in former.sorted(by: { $0.key < $1.key }) {
            guard ids.count == 1, let others = now[ident], others.count == 1, ids != others,
                history.kinds[ident]?.naturalKey == nil,
                oracle(for: after).policy(of: ident) != .keepBoth,
                !history.edits(of: ident).contains(where: { $0.action == .delete })
            else { continue }
            complain("another object", "\(ident) was \(ids[0]) on \(app.name), and is \(others[0])")
        }
    }

    /// The changes in a pass's summary.
    struct Told {
        var inserted: Set<String> = []
        var updated: Set<String> = []
        var deleted: Set<String> = []
    }

    /// A pass reports which objects it has changed.
    func judgeSummary(
        _ app: App, _ changed: Set<String>, _ before: Snapshot, _ after: Snapshot, _ told: Told
    ) {
        for id in changed.sorted() {
            let (former, now) = (before.objects[id], after.objects[id])
            let isTold =
                now == nil
                ? told.deleted.contains(id)
                : told.inserted.contains(id) || former != nil && told.updated.contains(id)
            if isTold { continue }
            complain(
                "a change is not told",
                "\(former?.ident ?? now?.ident ?? id) on \(app.name) is"
                    + " \(now == nil ? "deleted" : former == nil ? "inserted" : "updated"),"
                    + " and the pass does not say so")
        }
    }

    /// After a complete pass, the server has the same data as the device.
    func judgeSuccess(of app: App) {
        judgePairs(app.seen, "on \(app.name)")
        guard !app.hasOtherUser, !hasForeignReferences,
            apps.allSatisfy({ $0.version == app.version })
        else { return }
        if let difference = Difference.first(
            history.shows(app.place), history.shows(serverPlace), "on \(app.name)",
            "on the server",
            // The device whose user has chosen a partner tells which objects have lost theirs to others.
            ignoring: lostNames.union(["partner"]), ordersAreSets: ["picks", "picked"])
        {
            complain("success, and the server differs", difference)
        }
    }

    // MARK: - The screen

    /// Judges that a context that follows the store has the same state as a new one, that the list
    /// has the expected objects, that the history has all changes, and that they are announced.
    func judgeScreen(_ app: App, changed: Set<String> = []) async throws {
        // Only contexts of a file with history follow the writes of another process, and with a
        // delay.
        guard let screen = app.screen, !app.hasExtension else { return }
        defer { screen.mayBecomeBusy() }
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
        if screen.hasAnnouncement() == false, !changed.isEmpty,
            await !screen.isAnnounced(within: announcementLimit)
        {
            complain("no notification of a change", "on \(app.name), after a pass")
        }
    }
}

extension Fleet.Told {
    fileprivate init(_ summary: SMSyncSummary) {
        func names(_ ids: Set<NSManagedObjectID>) -> Set<String> {
            Set(ids.map { $0.uriRepresentation().absoluteString })
        }
        inserted = names(summary.insertedObjectIDs)
        updated = names(summary.updatedObjectIDs)
        deleted = names(summary.deletedObjectIDs)
    }
}
