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
}
