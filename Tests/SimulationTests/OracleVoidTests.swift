import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which an edit need not count any longer.
@Suite("The judge's oracle, with edits that come to nothing")
struct OracleVoidTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// Objects by their identities, after which a number tells copies apart.
    // MARK: - New objects without an answer

    /// Device 1 has created an object and sent it, and device 0 has deleted it.
    private static func deleted(
        _ ident: String, isAnswered: Bool = false, losesAnswers: Bool = true
    ) -> (History, Snapshot) {
        let there = Snapshot([ident: ["name": .text("work"), "title": .text("a")]])
        var history = History(placeCount: 3)
        history.save(at: 1, before: Snapshot(), after: there)
        let exchange = history.beginExchange(1)
        if losesAnswers { history.noteLostAnswers(to: 1) }
        history.attempted(1)
        history.look(at: 2, there)
        if isAnswered { history.finish(exchange) }
        history.look(at: 0, there)
        history.save(at: 0, before: there, after: Snapshot())
        history.send(from: 0)
        return (history, there)
    }

    @Test(
        "lets a new object with a natural key come back only if no answer tells that it arrived",
        arguments: [false, true], [false, true])
    func newWithKey(losesAnswers: Bool, isAnswered: Bool) {
        let (history, there) = Self.deleted(
            "twork", isAnswered: isAnswered, losesAnswers: losesAnswers)
        let isFree = losesAnswers && !isAnswered
        #expect(
            Oracle.rules(history, .mergeByProperty, there) == (isFree ? [] : ["deletion undone"]))
        #expect(Oracle.rules(history, .mergeByProperty, Snapshot()) == [])
    }

    @Test("requires that a new object without a natural key stays deleted")
    func newWithoutKey() {
        let (history, there) = Self.deleted("n1")
        #expect(Oracle.rules(history, .mergeByProperty, there) == ["deletion undone"])
    }

    // MARK: - Objects that are created again

    /// Device 0 gets a model with new attributes, deletes the node, which device 1 deletes, too, and creates
    /// it again.
    private static func createdAgain(as values: [String: Value], isSent: Bool = false) -> History {
        let old: [String: Value] = ["title": .text("a")]
        let new = old.merging(["rank": .int(3), "subtitle": .none]) { $1 }
        var history = History(known: Snapshot(["n1": old]))
        let upgraded = Snapshot(["n1": new])
        history.look(at: 0, upgraded)
        history.save(at: 1, before: Snapshot(["n1": old]), after: Snapshot())
        history.save(at: 0, before: upgraded, after: Snapshot())
        if isSent {
            let exchange = history.beginExchange(0)
            history.attempted(0)
            history.look(at: 2, Snapshot())
            history.finish(exchange)
        }
        let again = Snapshot(["n1": new.merging(values) { $1 }])
        history.save(at: 0, before: Snapshot(), after: again)
        return history
    }

    @Test("does not count the defaults of new attributes of an object whose deletion was undone")
    func undoneWithNewAttributes() {
        #expect(Oracle.rules(Self.createdAgain(as: [:]), .mergeByProperty, Snapshot()) == [])
    }

    @Test(
        "requires that an object which was created again with another value survives a deletion",
        arguments: [
            ["rank": .int(4)], ["subtitle": .text("s")], ["title": .text("b")],
            // The default of an attribute that the deletion knows is a value like any other.
            ["title": .none],
        ] as [[String: Value]])
    func createdAgainWithEdit(values: [String: Value]) {
        #expect(
            Oracle.rules(Self.createdAgain(as: values), .mergeByProperty, Snapshot())
                == ["edit lost to a deletion"])
    }

    @Test("requires that an object which was created again after its deletion had arrived survives")
    func createdAgainAfterwards() {
        #expect(
            Oracle.rules(Self.createdAgain(as: [:], isSent: true), .mergeByProperty, Snapshot())
                == ["edit lost to a deletion"])
    }

    // MARK: - Contests for a destination

    static func covers(
        _ first: String?, _ second: String?, title: String = "a", hasSecond: Bool = true
    ) -> Snapshot {
        func cover(_ node: String?) -> [String: Value] {
            ["node": node.map { .object($0) } ?? Value.none, "title": .text("a")]
        }
        var all = ["n1": ["title": Value.text("a")], "c1": cover(first)]
        if hasSecond { all["c2"] = cover(second).merging(["title": .text(title)]) { $1 } }
        return Snapshot(all)
    }

    /// Device 0 gives c1 a node, and deletes c2, to which device 1 gives the same node.
    private static func contest(
        title: String = "a", isKnown: Bool = false, isLate: Bool = false, hasRival: Bool = true
    ) -> History {
        var history = History(known: covers(nil, nil))
        let rival = hasRival ? "n1" : nil
        func give() {
            history.save(
                at: 0, before: covers(nil, nil, hasSecond: !isLate),
                after: covers(rival, nil, hasSecond: !isLate))
            history.send(from: 0)
            history.look(at: 2, covers(rival, nil, hasSecond: !isLate))
            if isKnown { history.look(at: 1, covers(rival, nil)) }
        }
        func take() {
            let former = isKnown ? rival : nil
            history.save(
                at: 1, before: covers(former, nil), after: covers(nil, "n1", title: title))
        }
        func delete() {
            history.save(
                at: 0, before: covers(isLate ? nil : rival, nil),
                after: covers(isLate ? nil : rival, nil, hasSecond: false))
            history.finish(history.beginExchange(0))
            history.attempted(0)
            history.look(at: 2, covers(isLate ? nil : rival, nil, hasSecond: false))
        }
        if isLate {
            take()
            history.send(from: 1)
            delete()
            give()
        } else {
            give()
            take()
            delete()
            history.send(from: 1)
        }
        history.look(at: 1, covers(rival, nil, hasSecond: false))
        return history
    }

    @Test("lets a deletion win against an edit whose destination another object has won")
    func lostContest() {
        let gone = Self.covers("n1", nil, hasSecond: false)
        #expect(Oracle.rules(Self.contest(), .mergeByProperty, gone) == [])
        #expect(Oracle.rules(Self.contest(), .mergeByProperty, Self.covers("n1", nil)) == [])
    }

    @Test("requires that an edit survives a deletion if no other object has won its destination")
    func wonContest() {
        let lost = ["edit lost to a deletion"]
        func rules(_ history: History, _ first: String? = "n1") -> [String] {
            Oracle.rules(history, .mergeByProperty, Self.covers(first, nil, hasSecond: false))
        }
        #expect(rules(Self.contest(hasRival: false), nil) == lost)
        // It has also changed something else.
        #expect(rules(Self.contest(title: "b")) == lost)
        // Its user has seen that the other object had the destination, and has taken it away.
        #expect(rules(Self.contest(isKnown: true)).contains("edit lost to a deletion"))
        // The deletion was there before the other object was given the destination.
        #expect(rules(Self.contest(isLate: true)) == lost)
        // The other object has given way.
        var history = Self.contest()
        for place in 0...2 { history.look(at: place, Self.covers(nil, nil, hasSecond: false)) }
        #expect(rules(history, nil).contains("edit lost to a deletion"))
    }

    // MARK: - Updates without an answer

    /// Device 1 changes two properties, and device 0, which has received that, sets the node.
    private static func setBack(
        to values: [String: Value], isAnswered: Bool = false, losesAnswers: Bool = true
    ) -> History {
        let before: [String: Value] = [
            "node": .object("n1"), "title": .text("a"), "pages": .int(1),
        ]
        var history = History(known: Snapshot(["c1": before]))
        let cleared = before.merging(["node": .none, "pages": .int(2)]) { $1 }
        history.save(at: 1, before: Snapshot(["c1": before]), after: Snapshot(["c1": cleared]))
        let exchange = history.beginExchange(1)
        if losesAnswers { history.noteLostAnswers(to: 1) }
        history.attempted(1)
        history.look(at: 2, Snapshot(["c1": cleared]))
        if isAnswered { history.finish(exchange) }
        history.look(at: 0, Snapshot(["c1": cleared]))
        let after = cleared.merging(values) { $1 }
        history.save(at: 0, before: Snapshot(["c1": cleared]), after: Snapshot(["c1": after]))
        history.send(from: 0)
        history.look(at: 2, Snapshot(["c1": after]))
        return history
    }

    private static func final(_ node: String?, title: String, pages: Int) -> Snapshot {
        Snapshot([
            "n1": [:], "n2": [:],
            "c1": [
                "node": node.map { .object($0) } ?? Value.none, "title": .text(title),
                "pages": .int(pages),
            ],
        ])
    }

    private static func values(
        _ history: History, _ final: Snapshot, _ policy: Policy = .mergeByPropertyClientTells
    ) -> Set<String> {
        Set(Oracle.rules(history, policy, final)).subtracting(["made up"])
    }

    private static let others: [String: Value] = [
        "node": .object("n1"), "title": .text("b"), "pages": .int(1),
    ]

    @Test(
        "requires an edit that was made after an update, whether or not that has had an answer",
        arguments: [Policy.mergeByProperty, .mergeByPropertyClientTells, .clientRecordWins],
        [true, false])
    func edited(policy: Policy, losesAnswers: Bool) {
        let third: [String: Value] = ["node": .object("n2"), "title": .text("b"), "pages": .int(3)]
        for values in [Self.others, third, ["node": .object("n1"), "pages": .int(1)]] {
            let history = Self.setBack(to: values, losesAnswers: losesAnswers)
            let title = values["title"] == nil ? "a" : "b"
            #expect(
                Self.values(history, Self.final(nil, title: title, pages: 2), policy)
                    == ["value lost"])
            let node = values["node"] == .object("n2") ? "n2" : "n1"
            let pages = node == "n2" ? 3 : 1
            #expect(
                Self.values(history, Self.final(node, title: title, pages: pages), policy) == [])
        }
    }

    @Test("requires an edit that was made after several updates without an answer")
    func severalUnanswered() {
        let before: [String: Value] = ["node": .object("n1"), "title": .text("a")]
        func state(_ values: [String: Value]) -> Snapshot {
            Snapshot(["n1": [:], "n2": [:], "c1": before.merging(values) { $1 }])
        }
        var history = History(known: state([:]))
        let (first, second) = (state(["node": .object("n2")]), state(["node": .none]))
        for (former, next) in [(state([:]), first), (first, second)] {
            history.save(at: 1, before: former, after: next)
            _ = history.beginExchange(1)
            history.noteLostAnswers(to: 1)
            history.attempted(1)
        }
        for place in [2, 0] { history.look(at: place, second) }
        let after = state(["node": .object("n1"), "title": .text("b")])
        history.save(at: 0, before: second, after: after)
        history.send(from: 0)
        history.look(at: 2, after)
        let final = state(["node": .none, "title": .text("b")])
        #expect(Self.values(history, final) == ["value lost"])
    }

    // MARK: - References to copies

    @Test("counts a cleared reference as an edit unless the copy that it led to is deleted")
    func copies() {
        func state(_ copies: [String: String?], node: String?) -> Snapshot {
            var all: [String: [String: Value]] = [
                "c1": ["node": node.map { .object($0) } ?? Value.none]
            ]
            for (name, cover) in copies {
                all[name] = ["cover": cover.map { .object($0) } ?? Value.none]
            }
            return Snapshot(all)
        }
        let before = state(["n1#1": "c1", "n1#2": nil], node: "n1")
        for deleted in ["n1#1", "n1#2"] {
            var history = History(known: before)
            let kept = deleted == "n1#1" ? "n1#2" : "n1#1"
            history.save(at: 1, before: before, after: state([kept: nil], node: nil))
            var without = before
            without.objects["c1"] = nil
            history.save(at: 0, before: before, after: without)
            #expect(
                Oracle.rules(history, .keepBoth, state([kept: nil], node: nil))
                    .contains("deletion undone") == false)
            let final = Snapshot([kept: ["cover": .none]])
            #expect(
                Oracle.rules(history, .keepBoth, final).contains("edit lost to a deletion")
                    == (deleted == "n1#2"))
        }
    }
}
