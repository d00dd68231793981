import Seam3
import Testing

@testable import Judge

/// Tells the oracle which of two versions the server had before the other one was sent, with two
/// devices, 0 and 1, and the server, 2.
@Suite("The judge's oracle, about winners")
struct OracleWinnerTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static func node(_ title: String, count: Int = 7) -> Snapshot {
        var snapshot = Snapshot()
        snapshot.objects["n1"] = Snapshot.Object(
            kind: .node, ident: "n1", values: ["title": .text(title), "count": .int(count)])
        return snapshot
    }

    /// Device 0 changes a node and syncs, and then device 1 does so with a different change.
    ///
    /// - Parameter isSure: Whether device 1 first tries to send its version after the server has
    ///   the other one.
    private static func contest(
        _ first: Snapshot, _ second: Snapshot, isSure: Bool = true
    ) -> History {
        var history = History(placeCount: 3)
        history.save(at: 0, before: Snapshot(), after: node("a"))
        history.finish(history.beginExchange(0))
        history.attempted(0)
        history.look(at: 2, node("a"))
        history.look(at: 1, node("a"))
        history.save(at: 0, before: node("a"), after: first)
        history.save(at: 1, before: node("a"), after: second)
        if !isSure { _ = history.beginExchange(1) }
        history.finish(history.beginExchange(0))
        history.look(at: 2, first)
        _ = history.beginExchange(1)
        return history
    }

    @Test(
        "requires the side to win that the policy names",
        arguments: [
            (Policy.serverRecordWins, "c"), (.clientRecordWins, "b"), (.mergeByProperty, "c"),
            (.mergeByPropertyClientWins, "b"), (.clientTellsWhichWins, "c"),
            (.mergeByPropertyClientTells, "c"),
        ])
    func edits(policy: Policy, winner: String) {
        let history = Self.contest(Self.node("c"), Self.node("b"))
        let loser = winner == "b" ? "c" : "b"
        #expect(Oracle.rules(history, policy, Self.node(winner)) == [])
        #expect(Oracle.rules(history, policy, Self.node(loser)) == ["policy not followed"])
        let unsure = Self.contest(Self.node("c"), Self.node("b"), isSure: false)
        #expect(Oracle.rules(unsure, policy, Self.node(loser)) == [])
    }

    @Test("requires one version as a whole under policies by which one record wins")
    func wholeVersions() {
        let history = Self.contest(Self.node("c"), Self.node("a", count: 9))
        let mixture = Self.node("c", count: 9)
        for policy in [Policy.serverRecordWins, .clientRecordWins] {
            #expect(Oracle.rules(history, policy, mixture) == ["policy not followed"])
        }
        #expect(Oracle.rules(history, .serverRecordWins, Self.node("c")) == [])
        #expect(Oracle.rules(history, .clientRecordWins, Self.node("a", count: 9)) == [])
        #expect(Oracle.rules(history, .mergeByProperty, mixture) == [])
    }

    @Test("requires a deletion or an edit to win as the policy says")
    func deletions() {
        let deletedFirst = Self.contest(Snapshot(), Self.node("b"))
        let editedFirst = Self.contest(Self.node("b"), Snapshot())
        let there = Self.node("b")
        for (history, policy, isThere) in [
            (deletedFirst, Policy.serverRecordWins, false),
            (deletedFirst, .clientRecordWins, true), (editedFirst, .serverRecordWins, true),
            (editedFirst, .clientRecordWins, false),
        ] {
            #expect(Oracle.rules(history, policy, isThere ? there : Snapshot()) == [])
            #expect(
                Oracle.rules(history, policy, isThere ? Snapshot() : there)
                    == ["policy not followed"])
        }
    }
}
