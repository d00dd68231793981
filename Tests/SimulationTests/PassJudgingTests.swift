import CoreData
import Seam3
import Testing

@testable import Judge

/// Tests the judge with fictitious passes.
@Suite("The judge of a pass") struct PassJudgingTests {
    /// Two devices with the same node, without violations.
    private static func fleet(
        _ policy: SMSyncConflictResolutionPolicy = .mergeByProperty
    ) async throws -> Fleet {
        let fleet = try Fleet(Setting(policy: policy))
        try await fleet.insert(.node, "n1", on: 0, ["title": .text("a"), "count": .int(9)])
        try await fleet.syncAll()
        try await fleet.set("n1", on: 0, ["title": .text("b")])
        try await fleet.syncAll()
        #expect(fleet.violations.isEmpty, "\(fleet.violations)")
        return fleet
    }

    private static func rules(_ fleet: Fleet) -> [String] { fleet.violations.map(\.rule) }

    private static func titled(_ title: String, _ snapshot: Snapshot) -> Snapshot {
        var changed = snapshot
        for name in snapshot.objects.keys { changed.objects[name]?.values["title"] = .text(title) }
        return changed
    }

    @Test("objects to a value that changes though its user knew all edits")
    func knownValue() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let before = fleet.history.shows(0)
        let exchange = fleet.history.beginExchange(0)
        fleet.history.look(at: 0, Self.titled("a", before))
        fleet.judgeKnown(fleet.app(0), exchange, before: before)
        #expect(Self.rules(fleet) == ["value lost for a while"])
    }

    @Test("objects to a deleted object that is there again until the next pass")
    func deletedForAWhile() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let there = fleet.history.shows(0)
        try await fleet.delete("n1", on: 0)
        let before = fleet.history.shows(0)
        let exchange = fleet.history.beginExchange(0)
        fleet.history.look(at: 0, there)
        fleet.judgeKnown(fleet.app(0), exchange, before: before)
        #expect(Self.rules(fleet) == ["deletion undone for a while"])
    }

    @Test("ignores values that another device's user may have changed")
    func unknownValue() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let before = fleet.history.shows(0)
        let exchange = fleet.history.beginExchange(0)
        try await fleet.set("n1", on: 1, ["title": .text("c")])
        fleet.history.look(at: 0, Self.titled("c", before))
        fleet.judgeKnown(fleet.app(0), exchange, before: before)
        #expect(Self.rules(fleet) == [])
    }

    @Test("objects to an object that was replaced by another one")
    func identity() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = fleet.app(0)
        var after = Snapshot()
        for object in app.seen.objects.values { after.objects["another"] = object }
        fleet.judgeIdentities(app, app.seen, app.seen)
        #expect(Self.rules(fleet) == [])
        fleet.judgeIdentities(app, app.seen, after)
        #expect(Self.rules(fleet) == ["another object"])
    }

    @Test("objects to a pass that does not report its changes")
    func summary() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = fleet.app(0)
        let names = Set(app.seen.objects.keys)
        let after = Self.titled("c", app.seen)
        fleet.judgeSummary(app, names, app.seen, after, Fleet.Told(updated: names))
        fleet.judgeSummary(app, names, app.seen, Snapshot(), Fleet.Told(deleted: names))
        fleet.judgeSummary(app, names, Snapshot(), app.seen, Fleet.Told(inserted: names))
        #expect(Self.rules(fleet) == [])
        fleet.judgeSummary(app, names, app.seen, after, Fleet.Told(deleted: names))
        #expect(Self.rules(fleet) == ["a change is not told"])
    }

    @Test("objects to a successful pass after which the server differs")
    func success() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        fleet.judgeSuccess(of: fleet.app(0))
        #expect(Self.rules(fleet) == [])
        fleet.history.look(
            at: fleet.serverPlace, Self.titled("a", fleet.history.shows(fleet.serverPlace)))
        fleet.judgeSuccess(of: fleet.app(0))
        #expect(Self.rules(fleet) == ["success, and the server differs"])
    }

    @Test("objects to a context that does not follow")
    func screen() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = fleet.app(0)
        try await fleet.judgeScreen(app)
        #expect(Self.rules(fleet) == [])
        app.seen = Self.titled("c", app.seen)
        try await fleet.judgeScreen(app)
        #expect(Self.rules(fleet) == ["context shows something else"])
    }

    /// Lets a device fetch a change without judging the pass.
    private static func fetch(_ fleet: Fleet, _ device: Int) async throws -> App {
        let app = fleet.app(device)
        try await fleet.set("n1", on: 1 - device, ["title": .text("c")])
        try await fleet.sync(1 - device)
        _ = app.screen?.hasAnnouncement()
        _ = try await app.store.sync(complete: false)
        app.invalidate()
        return app
    }

    @Test("objects to a history that lacks a change, and to a change that is not announced")
    func history() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = try await Self.fetch(fleet, 1)
        try await fleet.judgeScreen(app, changed: Set(app.seen.objects.keys))
        #expect(Self.rules(fleet) == [])
        fleet.announcementLimit = 0.1
        try await fleet.judgeScreen(app, changed: Set(app.seen.objects.keys))
        #expect(Self.rules(fleet) == ["history lacks a change", "no notification of a change"])
    }

    @Test("waits for the notification of a change")
    func lateNotification() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = try await Self.fetch(fleet, 1)
        // The store's own notification is used up, and this one takes its time.
        #expect(await app.screen?.isAnnounced(within: fleet.announcementLimit) == true)
        nonisolated(unsafe) let coordinator = try app.store.persistentStoreCoordinator
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) {
            NotificationCenter.default.post(
                name: .NSPersistentStoreRemoteChange, object: coordinator)
        }
        try await fleet.judgeScreen(app, changed: Set(app.seen.objects.keys))
        #expect(Self.rules(fleet) == [])
    }

    @Test("objects to a history that has a pulled change as one of the user's")
    func author() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = fleet.app(1)
        try await fleet.set("n1", on: 1, ["title": .text("c")])
        try await fleet.judgeScreen(app, changed: Set(app.seen.objects.keys))
        #expect(Self.rules(fleet) == ["history lacks a change"])
    }

    @Test("lets a context follow into which the store only merges what it pulls")
    func mergedOnRequest() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = try await Self.fetch(fleet, 0)
        try await fleet.judgeScreen(app, changed: Set(app.seen.objects.keys))
        #expect(Self.rules(fleet) == [])
    }

    @Test("objects to a context that has missed a change before a pass that was not judged ended")
    func unjudged() async throws {
        let fleet = try await Self.fleet()
        defer { fleet.end() }
        let app = fleet.app(0)
        try await fleet.insert(.node, "n2", on: 1, ["title": .text("a")])
        try await fleet.sync(1)
        try await fleet.during(.fetchZoneChanges, of: 0, afterwards: true, .sync(1))
        try await fleet.sync(0)
        #expect(app.screen?.mayLackObjects == true)
        // The context of this device does not follow saves.
        try App.perform(try app.makeContext()) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: Kind.node.entityName)
            request.predicate = NSPredicate(format: "ident == %@", "n1")
            try context.fetch(request).first?.setValue("c", forKey: "note")
            try context.save()
        }
        app.invalidate()
        try app.screen?.catchUp()
        #expect(app.screen?.mayLackObjects == false)
        try await fleet.judgeScreen(app)
        #expect(Self.rules(fleet) == ["context shows something else"])
    }

    // MARK: - Related objects

    /// A node with one of two tags that have the same name, or had it until one got another name.
    private static func tagged(_ tag: String, name: String = "twork") -> Snapshot {
        var snapshot = Snapshot()
        for (id, ident, kind) in [("1", "n1", Kind.node), ("2", "twork", .tag), ("3", name, .tag)] {
            snapshot.objects[id] = Snapshot.Object(kind: kind, ident: ident, values: [:])
        }
        let ident = snapshot.objects[tag]?.ident ?? ""
        snapshot.objects["1"]?.values["tags"] = .objects([ident])
        if name == "twork" { snapshot.members = ["1": ["tags": [tag]]] }
        return snapshot
    }

    @Test("does not count an object as changed if only the names of its tags have changed")
    func renamedTag() {
        let before = Self.tagged("3")
        #expect(before.changes(to: Self.tagged("3", name: "thome")) == ["3"])
        #expect(Self.tagged("3", name: "thome").changes(to: before) == ["3"])
    }

    @Test("counts an object as changed that has another tag, or none")
    func otherTag() {
        let before = Self.tagged("2")
        var without = before
        without.objects["1"]?.values["tags"] = .objects([])
        without.members = [:]
        #expect(before.changes(to: before) == [])
        #expect(before.changes(to: Self.tagged("3", name: "thome")) == ["1", "3"])
        #expect(before.changes(to: without) == ["1"])
        #expect(without.changes(to: before) == ["1"])
    }

    @Test("counts an object as changed whose other values have changed with the name of its tag")
    func renamedTagAndValue() {
        var after = Self.tagged("3", name: "thome")
        after.objects["1"]?.values["title"] = .text("b")
        #expect(Self.tagged("3").changes(to: after) == ["1", "3"])
    }

    @Test("knows which of two tags with the same name an object has")
    func tagsOfOneName() async throws {
        let fleet = try Fleet(Setting(devices: 1))
        defer { fleet.end() }
        try await fleet.save(
            [
                .insert(.tag, "twork", ["name": .text("work")]), .insert(.node, "n1"),
                .link("n1", "tags", "twork"),
            ], on: 0)
        let single = try fleet.shown(by: fleet.app(0))
        #expect(single.members.isEmpty)
        let tag = try #require(single.objects.first { $0.value.ident == "twork" }?.key)
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("home")])
        let shown = try fleet.shown(by: fleet.app(0))
        let node = try #require(shown.objects.first { $0.value.ident == "n1" }?.key)
        #expect(shown.byIdent["twork"]?.count == 2)
        #expect(shown.members == [node: ["tags": [tag]]])
    }
}
