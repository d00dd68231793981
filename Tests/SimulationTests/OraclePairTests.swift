import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which nodes become partners and separate.
@Suite("The judge's oracle, about pairs")
struct OraclePairTests {
    /// Four nodes, of which some are partners.
    private static func nodes(_ pairs: (String, String)..., title: String = "a") -> Snapshot {
        var all = ["n1", "n2", "n3", "n4"].reduce(into: [String: [String: Value]]()) {
            $0[$1] = ["partner": .none, "title": .text("a")]
        }
        all["n1"]?["title"] = .text(title)
        for (first, second) in pairs {
            all[first]?["partner"] = .object(second)
            all[second]?["partner"] = .object(first)
        }
        return Snapshot(all)
    }

    /// The rules that ends break after device 0 has changed the pairs of all, and device 1 has shown that.
    private static func rules(
        from before: Snapshot, to after: Snapshot, _ final: Snapshot,
        _ policy: SMSyncConflictResolutionPolicy = .mergeByProperty
    ) -> Set<String> {
        var history = History(known: before)
        history.save(at: 0, showing: after)
        history.send(from: 0)
        history.sync(1, showing: after)
        return Set(Oracle.rules(history, policy, final))
    }

    /// The rules that ends break after the two devices have changed the same state.
    private static func rules(
        from before: Snapshot, _ first: Snapshot, _ second: Snapshot, _ final: Snapshot,
        _ policy: SMSyncConflictResolutionPolicy = .mergeByProperty
    ) -> Set<String> {
        var history = History(known: before)
        history.save(at: 0, showing: first)
        history.save(at: 1, showing: second)
        for device in [0, 1] { history.send(from: device) }
        return Set(Oracle.rules(history, policy, final))
    }

    @Test("requires a pair that one user has made, and the end of one that a user has removed")
    func uncontested() {
        let (apart, pair) = (Self.nodes(), Self.nodes(("n1", "n2")))
        #expect(Self.rules(from: apart, to: pair, pair) == [])
        #expect(Self.rules(from: apart, to: pair, apart) == ["pair lost"])
        #expect(Self.rules(from: pair, to: apart, apart) == [])
        #expect(Self.rules(from: pair, to: apart, pair) == ["pair lost"])
    }

    @Test("requires an exchange of partners as a whole")
    func exchange() {
        let before = Self.nodes(("n1", "n2"), ("n3", "n4"))
        let after = Self.nodes(("n1", "n4"), ("n3", "n2"))
        #expect(Self.rules(from: before, to: after, after) == [])
        #expect(Self.rules(from: before, to: after, before) == ["pair lost"])
        #expect(Self.rules(from: before, to: after, Self.nodes(("n1", "n4"))) == ["pair lost"])
    }

    @Test("lets either of two pairs hold that have an object in common, and requires others")
    func contested() {
        let (first, second) = (
            Self.nodes(("n1", "n2")), Self.nodes(("n1", "n3"))
        )
        for end in [first, second, Self.nodes()] {
            #expect(Self.rules(from: Self.nodes(), first, second, end) == [])
        }
        let other = Self.nodes(("n3", "n4"))
        let both = Self.nodes(("n1", "n2"), ("n3", "n4"))
        #expect(Self.rules(from: Self.nodes(), first, other, both) == [])
        #expect(Self.rules(from: Self.nodes(), first, other, other) == ["pair lost"])
    }

    @Test(
        "lets a pair lose with its record only, if a policy decides on whole records",
        arguments: [SMSyncConflictResolutionPolicy.mergeByProperty, .serverRecordWins])
    func otherProperty(policy: SMSyncConflictResolutionPolicy) {
        let (apart, pair, edited) = (
            Self.nodes(), Self.nodes(("n1", "n2")), Self.nodes(title: "b")
        )
        let both = Self.nodes(("n1", "n2"), title: "b")
        #expect(Self.rules(from: apart, pair, edited, both, policy) == [])
        #expect(
            Self.rules(from: apart, pair, edited, edited, policy)
                == (policy == .mergeByProperty ? ["pair lost"] : []))
    }

    @Test("lets a pair go with an object, and come back if the deletion loses")
    func deletion() {
        let pair = Self.nodes(("n1", "n2"))
        var deleted = Self.nodes()
        deleted.objects["n2"] = nil
        #expect(Self.rules(from: pair, to: deleted, deleted) == [])
        let edited = Self.nodes(("n1", "n2"), title: "b")
        var rest = deleted
        rest.objects["n1"]?.values["title"] = .text("b")
        #expect(Self.rules(from: pair, deleted, edited, rest) == [])
    }

    @Test("lets nobody have two partners")
    func twoPartners() throws {
        let fleet = try Fleet()
        defer { fleet.end() }
        fleet.judgePairs(Self.nodes(("n1", "n2"), ("n3", "n4")), "here")
        #expect(fleet.violations.isEmpty)
        fleet.judgePairs(Self.nodes(("n1", "n2"), ("n3", "n2")), "here")
        #expect(fleet.violations.map(\.rule) == ["pair disagrees"])
    }

    @Test("lets all wait that may become the partners of a bad object's former ones")
    func standstill() async throws {
        let fleet = try Fleet(Setting(mode: .poison))
        defer { fleet.end() }
        try await fleet.save(
            ["n1", "n2", "n3", "n4", "n5"].map { .insert(.node, $0) }
                + [
                    .set("n1", ["partner": .object("n2")]), .set("n3", ["partner": .object("n4")]),
                ], on: 0)
        try await fleet.sync(0)
        try await fleet.save(
            [.set("n1", ["partner": .object("n4")]), .set("n3", ["partner": .object("n2")])], on: 0)
        #expect(fleet.related(to: ["n1"]) == ["n1", "n2", "n3", "n4"])
    }
}
