import Seam3
import Testing

@testable import Judge

/// Contexts that show objects while others change them.
@Suite("A fleet with a context that has shown an object")
struct HeldContextTests {
    private static func friends(_ fleet: Fleet, on device: Int) -> Value? {
        fleet.history.shows(device).byIdent["n1"]?.first?.values["friends"]
    }

    /// Two devices with four nodes. A context shows the first one, which has the second one as a friend.
    /// Then others replace this one by the third one.
    private static func begin(_ setting: Setting, follows: Bool, theirs: Int) async throws -> Fleet
    {
        let fleet = try Fleet(setting)
        try await fleet.save(
            ["n1", "n2", "n3", "n4"].map { .insert(.node, $0) } + [.link("n1", "friends", "n2")],
            on: 0)
        try await fleet.syncAll()
        try await fleet.hold(7, on: 0, follows: follows, [.show("n1")])
        try await fleet.save(
            [
                .link("n3", "friends", "n1"), .link("n1", "friends", "n2", isThere: false),
                .set("n1", ["title": .text("a")]),
            ], on: theirs)
        try await fleet.sync(1)
        try await fleet.sync(0)
        return fleet
    }

    @Test(
        "saves only the links that the context has changed", arguments: [false, true], [0, 1])
    func links(follows: Bool, theirs: Int) async throws {
        let fleet = try await Self.begin(
            Setting(policy: .mergeByProperty), follows: follows, theirs: theirs)
        defer { fleet.end() }
        try await fleet.changeHeld(7, on: 0, [.link("n1", "friends", "n4")])
        try await fleet.saveHeld(7, on: 0)
        #expect(Self.friends(fleet, on: 0) == .objects(["n3", "n4"]))
        try await fleet.judge()
        #expect(Self.friends(fleet, on: 1) == .objects(["n3", "n4"]))
    }

    @Test("saves a link that was removed, or added, meanwhile")
    func doneAlready() async throws {
        let fleet = try await Self.begin(
            Setting(policy: .serverRecordWins), follows: false, theirs: 1)
        defer { fleet.end() }
        try await fleet.changeHeld(
            7, on: 0,
            [.link("n1", "friends", "n2", isThere: false), .link("n1", "friends", "n3")])
        try await fleet.saveHeld(7, on: 0)
        #expect(Self.friends(fleet, on: 0) == .objects(["n3"]))
        try await fleet.judge()
    }

    @Test("saves only the attribute that the context has changed")
    func attributes() async throws {
        let fleet = try await Self.begin(
            Setting(policy: .mergeByProperty), follows: false, theirs: 1)
        defer { fleet.end() }
        try await fleet.changeHeld(7, on: 0, [.set("n1", ["count": .int(9)])])
        try await fleet.saveHeld(7, on: 0)
        let values = fleet.history.shows(0).byIdent["n1"]?.first?.values
        #expect(values?["title"] == .text("a"))
        #expect(values?["count"] == .int(9))
        try await fleet.judge()
    }

    @Test("objects to a save that writes the whole set that the context has shown")
    func wholeSet() async throws {
        let fleet = try await Self.begin(
            Setting(policy: .mergeByProperty), follows: false, theirs: 1)
        defer { fleet.end() }
        try await fleet.changeHeld(7, on: 0, [.link("n1", "friends", "n4")])
        let held = try #require(fleet.app(0).held[7])
        #expect(held.own.links == ["friends|n1|n4": true])
        let before = try fleet.shown(by: fleet.app(0))
        var after = before
        for id in after.objects.keys where after.objects[id]?.ident == "n1" {
            after.objects[id]?.values["friends"] = .objects(["n2", "n4"])
        }
        fleet.judgeHeld(held, before: before, after: after)
        #expect(fleet.violations.map(\.rule) == ["a save changes something else"])
    }

    @Test(
        "records a member of another kind of relationship as changed at both ends",
        arguments: [("l1", "nodes", "list"), ("f1", "nodes", "folder")])
    func oneToMany(owner: String, name: String, inverse: String) async throws {
        let fleet = try Fleet()
        defer { fleet.end() }
        try await fleet.save(
            [.insert(.list, "l1"), .insert(.folder, "f1"), .insert(.node, "n1")], on: 0)
        try await fleet.hold(7, on: 0, [.link(owner, name, "n1")])
        let own = try #require(fleet.app(0).held[7]).own
        #expect(own.links.isEmpty)
        #expect(
            own.values == ["n1": [inverse: OwnChanges.Pair(former: .none, now: .object(owner))]])
        #expect(own.orders.contains("\(owner).nodes"))
        try await fleet.judge()
    }

    @Test(
        "gives a link the name of its pair, from whichever end it is changed",
        arguments: [
            ("n1", "tags", "t1", "tags|n1|t1"), ("t1", "nodes", "n1", "tags|n1|t1"),
            ("l1", "picks", "n1", "picks|l1|n1"), ("n1", "picked", "l1", "picks|l1|n1"),
            ("n2", "friends", "n1", "friends|n1|n2"),
        ])
    func pairs(ident: String, name: String, other: String, pair: String) {
        #expect(Snapshot.pair(ident, name, other) == pair)
        #expect(Snapshot.pair("l1", "nodes", "n1") == nil)
    }

    @Test("knows that a cover does not get its node back from a cover that has had it in between")
    func takenNode() async throws {
        /// Whether the first cover may lose its node to a save of a context that has given the second one a
        /// node, and taken it away again.
        func isAccepted(_ node: String) async throws -> Bool {
            let fleet = try Fleet(Setting(devices: 1))
            defer { fleet.end() }
            try await fleet.save(
                [
                    .insert(.node, "n1"), .insert(.node, "n2"),
                    .insert(.cover, "c1", ["node": .object("n1")]), .insert(.cover, "c2"),
                ], on: 0)
            try await fleet.hold(
                7, on: 0, trump: .rollback, follows: true,
                [.set("c2", ["node": .object(node)]), .set("c2", ["node": .none])])
            let held = try #require(fleet.app(0).held[7])
            let before = try fleet.shown(by: fleet.app(0))
            var after = before
            for id in after.objects.keys where after.objects[id]?.ident == "c1" {
                after.objects[id]?.values["node"] = Value.none
            }
            fleet.judgeHeld(held, before: before, after: after)
            return fleet.violations.isEmpty
        }
        #expect(try await isAccepted("n1"))
        #expect(try await !isAccepted("n2"))
    }

    @Test("records the covers whose nodes change with a node's cover")
    func takenCover() async throws {
        let fleet = try Fleet(Setting(devices: 1))
        defer { fleet.end() }
        try await fleet.save(
            [
                .insert(.node, "n1"), .insert(.node, "n2"),
                .insert(.cover, "c1", ["node": .object("n1")]),
                .insert(.cover, "c2", ["node": .object("n2")]),
            ], on: 0)
        try await fleet.hold(7, on: 0, [.set("n1", ["cover": .object("c2")])])
        let own = try #require(fleet.app(0).held[7]).own
        #expect(own.values["c1"] == ["node": OwnChanges.Pair(former: .object("n1"), now: .none)])
        #expect(
            own.values["c2"]
                == ["node": OwnChanges.Pair(former: .object("n2"), now: .object("n1"))])
        try await fleet.saveHeld(7, on: 0)
        try await fleet.judge()
    }

    // MARK: - Deletions

    @Test("records what a deletion removes with an object, also by a cascade")
    func deletion() async throws {
        let fleet = try Fleet()
        defer { fleet.end() }
        try await fleet.save(
            [
                .insert(.list, "l1"), .insert(.node, "n1", ["list": .object("l1")]),
                .insert(.node, "n2"), .link("n1", "friends", "n2"),
            ], on: 0)
        try await fleet.hold(7, on: 0, [.delete("l1")])
        let own = try #require(fleet.app(0).held[7]).own
        #expect(own.deleted == ["l1", "n1"])
        #expect(own.released.isSuperset(of: ["list|n1|l1", "friends|n1|n2"]))
        #expect(own.links.isEmpty)
        #expect(own.values.isEmpty)
        try await fleet.judge()
    }

    @Test("does not record the deletion of an object that the store has never had")
    func deletionOfNew() async throws {
        let fleet = try Fleet()
        defer { fleet.end() }
        try await fleet.hold(7, on: 0, [.insert(.node, "n1"), .delete("n1")])
        #expect(try #require(fleet.app(0).held[7]).own.deleted.isEmpty)
        try await fleet.judge()
    }

    @Test(
        "objects if a deleted object that stays loses a link that its context has not merged",
        arguments: [false, true])
    func linkOfDeleted(follows: Bool) async throws {
        let fleet = try Fleet()
        defer { fleet.end() }
        try await fleet.save(
            ["n1", "n2", "n3"].map { .insert(.node, $0) } + [.link("n1", "friends", "n2")], on: 0)
        try await fleet.hold(7, on: 0, trump: .store, follows: follows, [.delete("n1")])
        try await fleet.link("n1", "friends", "n3", on: 0)
        let held = try #require(fleet.app(0).held[7])
        let before = try fleet.shown(by: fleet.app(0))
        var after = before
        for id in after.objects.keys { after.objects[id]?.values["friends"] = .objects([]) }
        fleet.judgeHeld(held, before: before, after: after)
        #expect(
            fleet.violations.map(\.rule) == (follows ? [] : ["a save changes something else"]))
    }

    @Test("accepts what the store's side keeps of an object that the context has set and deleted")
    func deletedAndKept() async throws {
        let fleet = try Fleet(Setting(policy: .serverRecordWins))
        defer { fleet.end() }
        try await fleet.save(
            [
                .insert(.node, "n1"), .insert(.tag, "thome", ["name": .text("home")]),
                .link("n1", "tags", "thome"), .insert(.folder, "f1", ["title": .text("a")]),
            ], on: 0)
        try await fleet.hold(
            7, on: 0, trump: .store,
            [
                .set("thome", ["name": .text("work")]), .delete("thome"),
                .set("f1", ["code": .text("B")]), .delete("f1"),
            ])
        try await fleet.save(
            [.set("thome", ["y": .text("b")]), .set("f1", ["title": .text("b")])], on: 0)
        try await fleet.saveHeld(7, on: 0)
        try await fleet.judge()
    }

    @Test("accepts that an ordered relationship loses one of two copies that the context deletes")
    func deletedCopy() async throws {
        let fleet = try Fleet(
            Setting(
                mode: .hostile, policy: .mergeByProperty, entityPolicies: [.node: .keepBoth],
                devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.list, "l1", on: 0, ["title": .text("v1")])
        try await fleet.insert(.node, "n3", on: 0, ["title": .text("v5")])
        try await fleet.set("n3", on: 0, ["list": .object("l1")])
        try await fleet.syncAll()
        try await fleet.hold(7, on: 0, trump: .store, follows: true, [.delete("n3")])
        try await fleet.batchSet(.node, on: 0, "note", from: .text("-"), to: .text("v14"))
        try await fleet.foreign(.longKeys, "n3", "n3")
        try await fleet.sync(0, complete: true)
        try await fleet.saveHeld(7, on: 0)
        try await fleet.judge()
    }

    // MARK: - Objects that become others

    /// The attributes that the only tag on a device may get from a context that changes a tag named "work".
    /// That was deleted since, and this one was made.
    private static func valuesTaken(
        _ trump: Trump = .object, follows: Bool = false, name: String = "work",
        isDeleted: Bool = true
    ) async throws -> [[String: Value]] {
        let fleet = try Fleet(Setting(devices: 1))
        defer { fleet.end() }
        try await fleet.insert(.tag, "twork", on: 0, ["name": .text("work"), "y": .text("a")])
        try await fleet.hold(
            7, on: 0, trump: trump, follows: follows, [.set("twork", ["y": .text("b")])])
        if isDeleted { try await fleet.delete("twork", on: 0) }
        try await fleet.insert(.tag, "t\(name)", on: 0, ["name": .text(name), "x": .text("c")])
        let stored = try fleet.shown(by: fleet.app(0))
        fleet.app(0).settle()
        let held = try #require(fleet.app(0).held[7])
        return held.valuesTaken(by: stored).map(\.value)
    }

    @Test("lets a tag made again give all its attributes to the tag that has its name now")
    func madeAgain() async throws {
        #expect(
            try await Self.valuesTaken() == [["name": .text("work"), "x": .none, "y": .text("b")]])
    }

    @Test("lets no tag get the attributes of another one unless that is made again with its name")
    func notMadeAgain() async throws {
        #expect(try await Self.valuesTaken(.store) == [])
        #expect(try await Self.valuesTaken(.error) == [])
        #expect(try await Self.valuesTaken(name: "home") == [])
        #expect(try await Self.valuesTaken(follows: true) == [])
        #expect(try await Self.valuesTaken(name: "home", isDeleted: false) == [])
    }

    // MARK: - Contexts without changes

    /// The rules that a device breaks whose contexts show what they do, if the file has something else.
    private static func rules(_ change: (inout Snapshot.Object) -> Void) async throws -> [String] {
        let fleet = try Fleet(Setting(devices: 1))
        defer { fleet.end() }
        let app = fleet.app(0)
        try await fleet.save(
            [.insert(.node, "n1"), .insert(.node, "n2"), .set("n1", ["partner": .object("n2")])],
            on: 0)
        for _ in 0..<6 { try fleet.judgeContexts(of: app) }
        #expect(fleet.violations.isEmpty)
        for id in app.seen.objects.keys {
            var object = try #require(app.seen.objects[id])
            change(&object)
            app.seen.objects[id] = object
        }
        try fleet.judgeContexts(of: app)
        return fleet.violations.map(\.rule)
    }

    @Test("objects to a context that shows another value than the file, or a deleted object")
    func onlookers() async throws {
        #expect(try await Self.rules { _ in } == [])
        #expect(
            try await Self.rules { $0.values["title"] = .text("b") }
                == ["context shows something else"])
        #expect(
            try await Self.rules { $0.values["partner"] = Value.none }
                == ["context shows something else"])
    }

    @Test("objects to a reference to a deleted object in a context that follows and has changes")
    func referenceToDeleted() async throws {
        let fleet = try Fleet(Setting(devices: 1))
        defer { fleet.end() }
        try await fleet.save(
            [.insert(.node, "n1"), .insert(.node, "n2"), .link("n1", "friends", "n2")], on: 0)
        try await fleet.hold(
            7, on: 0, follows: true, [.show("n1"), .set("n1", ["title": .text("b")])])
        let (app, held) = (fleet.app(0), try #require(fleet.app(0).held[7]))
        #expect(held.referenceToDeleted(app.seen) == nil)
        var file = app.seen
        file.objects = file.objects.filter { $0.value.ident == "n1" }
        #expect(held.referenceToDeleted(file) == "n1.friends")
    }
}
