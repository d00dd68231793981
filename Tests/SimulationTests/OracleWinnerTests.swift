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

    @Test(
        "requires what only one side has changed besides a value that both have set",
        arguments: [
            Policy.serverRecordWins, .clientRecordWins, .clientTellsWhichWins, .mergeByProperty,
            .mergeByPropertyClientWins, .mergeByPropertyClientTells,
        ])
    func sameValue(policy: Policy) {
        let (one, both) = (Self.node("c"), Self.node("c", count: 9))
        for history in [Self.contest(one, both), Self.contest(both, one)] {
            #expect(Oracle.rules(history, policy, both) == [])
            #expect(Oracle.rules(history, policy, one).contains("policy not followed"))
            let lost = Self.node("a", count: 9)
            #expect(Oracle.rules(history, policy, lost).contains("policy not followed"))
        }
    }

    @Test("lets the policy decide on what both have changed besides a value that both have set")
    func sameValueOfSeveral() {
        let (first, second) = (Self.node("c", count: 8), Self.node("c", count: 9))
        let history = Self.contest(first, second)
        for (policy, winner, loser) in [
            (Policy.serverRecordWins, first, second), (.clientRecordWins, second, first),
        ] {
            #expect(Oracle.rules(history, policy, winner) == [])
            #expect(Oracle.rules(history, policy, loser) == ["policy not followed"])
        }
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

    @Test("does not let an edit that has lost to another one before win against a deletion")
    func lostBeforeDeletion() {
        /// Device 1 changes a number and deletes the node, and device 0 changes the title.
        func rules(isKnown: Bool = false, isLost: Bool = true, isThere: Bool = false) -> [String] {
            let (old, counted) = (Self.node("a"), Self.node("a", count: 9))
            var history = History(known: old)
            history.save(at: 1, showing: counted)
            history.sync(1, showing: counted)
            if isKnown { history.sync(0, showing: counted) }
            history.save(at: 1, showing: Snapshot())
            let titled = Self.node("b", count: isKnown ? 9 : 7)
            history.save(at: 0, showing: titled)
            let result = isLost ? counted : titled
            history.sync(0, showing: result)
            history.send(from: 1)
            return Oracle.rules(history, .serverRecordWins, isThere ? result : Snapshot())
        }
        #expect(rules() == [])
        // It has won, or there was nothing to which it could lose.
        #expect(rules(isLost: false) == ["policy not followed"])
        #expect(rules(isKnown: true) == ["policy not followed"])
        #expect(rules(isKnown: true, isLost: false) == ["policy not followed"])
        #expect(rules(isKnown: true, isLost: false, isThere: true) == [])
    }

    @Test("lets no value win that only comes with what a migration sends")
    func migratedVersion() {
        func start() -> (History, Snapshot) {
            let old = Snapshot(["n1": ["title": .text("a"), "memo": .none]])
            var history = History(known: old)
            let titled = Snapshot(["n1": ["title": .text("b"), "memo": .none]])
            history.save(at: 1, showing: titled)
            history.sync(1, showing: titled)
            return (history, Snapshot(["n1": ["title": .text("a"), "memo": .text("m")]]))
        }
        let final = Snapshot(["n1": ["title": .text("b"), "memo": .text("m")]])
        for isMigration in [true, false] {
            var (history, own) = start()
            history.save(at: 0, before: history.shows(0), after: own, isOld: isMigration)
            history.send(from: 0)
            #expect(
                Oracle.rules(history, .clientRecordWins, final)
                    == (isMigration ? [] : ["policy not followed"]))
        }
    }

    // MARK: - Edits during the pass that decides

    /// Device 0 changes a title to "b", or another one, and syncs. Device 1 has changed the title to "c", and
    /// changes the node once more, during its pass or before.
    private static func late(
        _ later: Snapshot, meeting title: String = "b", isInPass: Bool = true
    ) -> History {
        var history = History(known: node("a"))
        history.save(at: 1, showing: node("c"))
        history.save(at: 0, showing: node(title))
        history.sync(0, showing: node(title))
        if !isInPass { history.save(at: 1, showing: later) }
        _ = history.beginExchange(1)
        if isInPass { history.save(at: 1, showing: later) }
        history.attempted(1)
        return history
    }

    @Test("lets an edit hold that may have followed the decision of the app's block in its pass")
    func afterDecision() {
        let edited = Self.node("c", count: 9)
        // The user may also have edited it before the pass met the other version.
        for final in [edited, Self.node("c")] {
            #expect(Oracle.rules(Self.late(edited), .clientTellsWhichWins, final) == [])
        }
        for policy in [Policy.clientTellsWhichWins, .mergeByPropertyClientTells] {
            let history = Self.late(Self.node("a2"))
            for title in ["a2", "b"] {
                #expect(Oracle.rules(history, policy, Self.node(title)) == [])
            }
        }
    }

    @Test("lets the policy decide on an edit during a pass whose user did not see a decision")
    func beforeDecision() {
        func rules(_ history: History, _ policy: Policy, _ final: Snapshot) -> Set<String> {
            Set(Oracle.rules(history, policy, final))
        }
        let wrong: Set = ["policy not followed"]
        let (told, edited) = (Policy.clientTellsWhichWins, Self.node("c", count: 9))
        // The edit came before the pass.
        #expect(rules(Self.late(edited, isInPass: false), told, edited) == wrong)
        // The other title would have won.
        for title in ["c", "d"] {
            let history = Self.late(edited, meeting: "d")
            #expect(rules(history, told, Self.node(title, count: 9)) == wrong)
        }
        #expect(rules(Self.late(edited), .serverRecordWins, edited) == wrong)
        // The number may be right, but the title is not.
        #expect(rules(Self.late(edited), told, Self.node("b", count: 9)) == wrong)
        #expect(rules(Self.late(edited), .clientRecordWins, edited) == [])
    }

    // MARK: - Texts that the app's block gives back

    /// Device 1 changes a title and syncs, and device 0 changes a number and syncs, after which device 0
    /// and the server have neither change. Then device 1 deletes the object.
    ///
    /// - Parameters:
    ///   - isFirst: Whether the server had the number before the title was sent.
    ///   - isShown: Whether device 1 shows the old title again.
    ///   - isFetched: Whether device 1 has synced again, and its user has repeated the change.
    private static func restored(
        from former: String = "b", isFirst: Bool = false, isShown: Bool = false,
        isFetched: Bool = false
    ) -> History {
        let (old, titled, counted) = (node(former), node("a"), node(former, count: 9))
        var history = History(known: old)
        history.save(at: 0, showing: counted)
        if isFirst { history.sync(0, showing: counted) }
        history.save(at: 1, showing: titled)
        if isFirst {
            history.send(from: 1)
            history.look(at: 2, titled)
        } else {
            history.sync(1, showing: titled)
        }
        history.sync(0, showing: old)
        if isShown { history.look(at: 1, old) }
        if isFetched {
            history.sync(1, showing: old)
            history.save(at: 1, showing: titled)
        }
        history.save(at: 1, showing: Snapshot())
        return history
    }

    @Test("lets an object return to which the app's block has given an earlier text back")
    func givenBack() {
        let there = Self.node("b")
        for isThere in [true, false] {
            #expect(
                Oracle.rules(Self.restored(), .clientTellsWhichWins, isThere ? there : Snapshot())
                    == [])
        }
    }

    @Test("requires a deletion unless the app's block has changed the object for it")
    func notGivenBack() {
        func rules(
            _ history: History, _ policy: Policy = .clientTellsWhichWins, title: String = "b"
        ) -> [String] { Oracle.rules(history, policy, Self.node(title)) }
        let undone = ["deletion undone"]
        // Without the block, or where it is asked only about what both have changed.
        for policy in [
            Policy.serverRecordWins, .clientRecordWins, .keepBoth, .mergeByProperty,
            .mergeByPropertyClientWins, .mergeByPropertyClientTells,
        ] {
            #expect(rules(Self.restored(), policy) == undone)
        }
        // The new text is the greater one, so nothing has changed on the server.
        #expect(rules(Self.restored(from: "A"), title: "A") == undone)
        // The number was there before the title was sent.
        #expect(rules(Self.restored(isFirst: true)) == undone)
        // The user who deleted the object knew the change, or has seen the old title again.
        #expect(rules(Self.restored(isFetched: true)) == undone)
        #expect(rules(Self.restored(isShown: true)) == undone)
    }

    // MARK: - Photos whose file names were damaged

    /// Device 1 changes a photo, and perhaps a number with it, and device 0 deletes the node.
    ///
    /// - Parameters:
    ///   - isThere: Whether the photo has arrived on the server. Otherwise it has lost to a title.
    private static func rulesOfPhoto(
        _ policy: Policy, count: Int = 7, isThere: Bool = false, isNumberThere: Bool = false
    ) -> [String] {
        func state(_ title: String, _ photo: Value, _ count: Int) -> Snapshot {
            Snapshot(["n1": ["title": .text(title), "photo": photo, "count": .int(count)]])
        }
        let edited = state("a", .data(1), count)
        let titled = state("b", .none, isNumberThere ? count : 7)
        var history = History(known: state("a", .none, 7))
        history.lostNames = ["photo"]
        history.save(at: 1, showing: edited)
        if isThere {
            history.sync(1, showing: edited)
        } else {
            history.save(at: 0, showing: state("b", .none, 7))
            history.sync(0, showing: state("b", .none, 7))
            history.sync(1, showing: titled)
        }
        history.save(at: 0, showing: Snapshot())
        history.send(from: 0)
        return Oracle.rules(history, policy, Snapshot())
    }

    @Test("does not require that a photo survives a deletion which may have lost to an edit before")
    func lostPhoto() {
        for policy in [Policy.serverRecordWins, .mergeByProperty] {
            #expect(Self.rulesOfPhoto(policy) == [])
            #expect(Self.rulesOfPhoto(policy, count: 9) == [])
        }
    }

    @Test("requires that an edit of a photo survives a deletion if a place still showed it")
    func shownPhoto() {
        for (policy, rule) in [
            (Policy.serverRecordWins, "policy not followed"),
            (.mergeByProperty, "edit lost to a deletion"),
        ] {
            #expect(Self.rulesOfPhoto(policy, isThere: true) == [rule])
        }
        // The number that was written with the photo has arrived.
        #expect(
            Self.rulesOfPhoto(.serverRecordWins, count: 9, isNumberThere: true)
                == ["policy not followed"])
    }
}
