import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which one thing is not decided, and what is
/// next to it is.
@Suite("The judge's oracle, next to what is not decided")
struct OracleUndecidedTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static func node(_ values: [String: Value]) -> Snapshot { Snapshot(["n1": values]) }

    // MARK: - Properties that are new on a device

    @Test(
        "knows no edit by the default of a new property, but by any other value, or a changed one",
        arguments: [
            ("rank", Value.int(3), false), ("rank", .int(4), true), ("subtitle", .none, false),
            ("subtitle", .text("s"), true), ("note", .text("-"), true),
        ])
    func newProperty(name: String, value: Value, isKnown: Bool) {
        // The last one is not new.
        let before: [String: Value] = ["title": .text("a"), "note": .text("n")]
        var history = History(known: Self.node(before))
        var after = before
        after["rank"] = .int(3)
        after["subtitle"] = Value.none
        after[name] = value
        history.save(at: 1, before: Self.node(before), after: Self.node(after))
        history.sendAgain(from: 1)
        let again = history.edits.count - 1
        var shown = before
        shown[name] = value
        history.look(at: 0, Self.node(shown))
        history.save(at: 0, before: Self.node(shown), after: Snapshot())
        let deletion = history.edits.last
        #expect(deletion?.action == .delete)
        #expect(deletion?.past.contains(again - 1) == isKnown)
    }

    // MARK: - References to deleted objects

    /// Device 1 deletes a list and a node while device 0 relates the node to the list.
    ///
    /// - Parameters:
    ///   - change: What device 0 changes besides.
    ///   - isSentFirst: Whether the server has the reference before the list's deletion.
    private static func deletedList(
        _ change: [String: Value] = [:], isSentFirst: Bool = false
    ) -> History {
        let (list, node): ([String: Value], [String: Value]) = (
            ["title": .text("l")], ["title": .text("a"), "list": .none]
        )
        var history = History(known: Snapshot(["l1": list, "n1": node]))
        var related = node.merging(change) { $1 }
        related["list"] = .object("l1")
        history.save(at: 1, before: Snapshot(["l1": list, "n1": node]), after: self.node(node))
        history.save(
            at: 0, before: Snapshot(["l1": list, "n1": node]),
            after: Snapshot(["l1": list, "n1": related]))
        if isSentFirst {
            history.send(from: 0)
            history.look(at: 2, Snapshot(["l1": list, "n1": related]))
        }
        history.save(at: 1, before: self.node(node), after: Snapshot())
        history.finish(history.beginExchange(1))
        return history
    }

    @Test("decides that an edit survives unless it is a reference to what was deleted first")
    func reference() {
        let policy = Policy.mergeByProperty
        #expect(Oracle.rules(Self.deletedList(), policy, Snapshot()) == [])
        #expect(
            Oracle.rules(Self.deletedList(["title": .text("b")]), policy, Snapshot())
                == ["edit lost to a deletion"])
        #expect(
            Oracle.rules(Self.deletedList(isSentFirst: true), policy, Snapshot())
                == ["edit lost to a deletion"])
        let list = Snapshot(["l1": ["title": .text("l")]])
        #expect(
            Oracle.rules(Self.deletedList(), policy, list).contains("edit lost to a deletion"))
    }

    // MARK: - Lost responses

    /// Device 0 sends a change, and gets no response before device 1 sends its own.
    private static func lostResponse(
        _ first: [String: Value], _ second: [String: Value], isAnswered: Bool = false,
        losesAnswers: Bool = true
    ) -> History {
        var history = History(known: node(ancestor))
        history.save(at: 0, before: node(ancestor), after: node(first))
        history.save(
            at: 1, before: node(ancestor), after: second.isEmpty ? Snapshot() : node(second))
        let exchange = history.beginExchange(0)
        if losesAnswers { history.noteLostAnswers(to: 0) }
        if isAnswered { history.finish(exchange) }
        history.attempted(0)
        history.look(at: 2, node(first))
        _ = history.beginExchange(1)
        history.look(at: 2, second.isEmpty ? Snapshot() : node(second))
        history.finish(history.beginExchange(0))
        return history
    }

    @Test("decides between an edit and a deletion unless the edit got no response")
    func deletedBeforeTheResponse() {
        let sent: [String: Value] = ["title": .text("b"), "count": .int(7)]
        for (policy, isAnswered) in [
            (Policy.clientRecordWins, false), (.clientRecordWins, true),
            (.serverRecordWins, false), (.serverRecordWins, true),
        ] {
            let history = Self.lostResponse(sent, [:], isAnswered: isAnswered)
            let loser = policy == .clientRecordWins ? Self.node(sent) : Snapshot()
            let isOpen = policy == .clientRecordWins && !isAnswered
            #expect(
                Oracle.rules(history, policy, loser)
                    == (isOpen ? [] : ["policy not followed"]))
        }
    }

    private static let ancestor: [String: Value] = ["title": .text("a"), "count": .int(7)]

    @Test("decides the winner whether or not the response was lost")
    func response() {
        let sent: [String: Value] = ["title": .text("a"), "count": .int(8)]
        let other: [String: Value] = ["title": .text("b"), "count": .int(7)]
        let third: [String: Value] = ["title": .text("b"), "count": .int(9)]
        func rules(
            _ second: [String: Value], _ policy: Policy = .clientRecordWins,
            isAnswered: Bool = false, losesAnswers: Bool = true, final: [String: Value]
        ) -> Set<String> {
            let history = Self.lostResponse(
                sent, second, isAnswered: isAnswered, losesAnswers: losesAnswers)
            return Set(Oracle.rules(history, policy, Self.node(final)))
        }
        for second in [other, third] {
            let other: Set = ["policy not followed"]
            #expect(rules(second, final: second) == [])
            #expect(rules(second, final: sent) == other)
            #expect(rules(second, isAnswered: true, final: sent) == other)
            #expect(rules(second, losesAnswers: false, final: sent) == other)
            #expect(rules(second, .serverRecordWins, final: second) == other)
        }
        #expect(
            rules(other, .mergeByProperty, final: other) == ["value lost", "policy not followed"])
        let merged: [String: Value] = ["title": .text("b"), "count": .int(8)]
        let policy = Policy.mergeByPropertyClientWins
        #expect(rules(third, policy, final: merged) == ["policy not followed"])
    }

    // MARK: - One-to-one relationships

    /// A cover and the nodes that it may have, all but one.
    private static func cover(
        _ title: String, _ node: String?, without deleted: String? = nil
    ) -> Snapshot {
        var objects: [String: [String: Value]] = ["n1": [:], "n2": [:], "n3": [:]]
        if let deleted { objects[deleted] = nil }
        objects["c1"] = ["title": .text(title), "node": node.map { .object($0) } ?? .none]
        return Snapshot(objects)
    }

    /// Device 0 changes the title of a cover to which device 1 gives another node, and its whole version
    /// wins. Device 1 has deleted the node of that version, so the cover finally has none.
    private static func released(
        isUpdated: Bool, isContested: Bool = true, isDeleted: Bool = true
    ) -> [String] {
        var history = History(known: cover("a", isUpdated ? nil : "n1"))
        let before = cover("a", "n1")
        if isUpdated {
            history.save(at: 0, before: cover("a", nil), after: before)
            history.send(from: 0)
            for place in [2, 1] { history.look(at: place, before) }
        }
        let title = isContested ? "b" : "a"
        if isContested { history.save(at: 0, before: before, after: cover("b", "n1")) }
        let other = cover("a", "n3")
        history.save(at: 1, before: before, after: other)
        history.send(from: 1)
        history.look(at: 2, other)
        let deleted = isDeleted ? "n1" : nil
        if isDeleted {
            history.save(at: 1, before: other, after: cover("a", "n3", without: "n1"))
        }
        history.send(from: 0)
        if isContested { history.look(at: 2, cover("b", "n1")) }
        let final = cover(title, nil, without: deleted)
        for place in [2, 0, 1] { history.look(at: place, final) }
        return Oracle.rules(history, .clientRecordWins, final)
    }

    @Test(
        "lets a cover have no node if the node of the version that wins was deleted",
        arguments: [false, true])
    func release(isUpdated: Bool) {
        #expect(Self.released(isUpdated: isUpdated) == [])
        #expect(Self.released(isUpdated: isUpdated, isDeleted: false) == ["value lost"])
        #expect(Self.released(isUpdated: isUpdated, isContested: false) == ["value lost"])
    }

    /// Device 0 gives a cover a node that device 1 has deleted, and loses it before it has sent it. Then
    /// device 1 gives the cover a node.
    private static func diedUnsent(final node: String, isDeleted: Bool = true) -> [String] {
        let before = cover("a", "n1")
        var history = History(known: before)
        history.save(at: 0, before: before, after: cover("a", "n2"))
        let deleted = isDeleted ? "n2" : nil
        let known = cover("a", "n1", without: deleted)
        if isDeleted {
            history.save(at: 1, before: before, after: known)
            history.send(from: 1)
            history.look(at: 2, known)
        }
        history.look(at: 0, cover("a", nil, without: deleted))
        history.finish(history.beginExchange(0))
        history.save(at: 1, before: known, after: cover("a", "n3", without: deleted))
        let final = cover("a", node, without: deleted)
        for place in [2, 0, 1] { history.look(at: place, final) }
        return Oracle.rules(history, .mergeByPropertyClientWins, final)
    }

    @Test(
        "lets a later node hold if an earlier one was deleted before it was sent, and no older one")
    func unsent() {
        #expect(Self.diedUnsent(final: "n3") == [])
        #expect(Self.diedUnsent(final: "n3", isDeleted: false) == ["value lost"])
        #expect(Self.diedUnsent(final: "n1") == ["value lost"])
    }

    /// Device 1 gives a cover a node, which is deleted, and then device 0 gives the cover another one.
    ///
    /// - Parameters:
    ///   - former: The node of the cover before that.
    ///   - isReceived: Whether device 0 may have received the first node as the cover's.
    ///   - isKnown: Whether device 0 knew that it was deleted, and could therefore not show it.
    private static func unshown(
        after former: String? = nil, isReceived: Bool = true, isKnown: Bool = true
    ) -> [String] {
        let (tied, without) = (cover("a", "n1"), cover("a", nil, without: "n1"))
        var history = History(known: cover("a", former))
        history.save(at: 1, showing: tied)
        history.sync(1, showing: tied)
        if isKnown { history.save(at: 0, showing: cover("a", former, without: "n1")) }
        if isReceived { history.send(from: 0) }
        for place in [2, 1] { history.look(at: place, without) }
        history.send(from: 1)
        history.save(at: 0, showing: cover("a", "n3", without: isKnown ? "n1" : nil))
        let final = cover("a", "n3", without: "n1")
        for place in [2, 0, 1] { history.look(at: place, final) }
        return Oracle.rules(history, .serverRecordWins, final)
    }

    @Test("lets a node hold after one of which only a nil is left that is not new to its device")
    func receivedUnshown() {
        #expect(Self.unshown() == [])
        #expect(Self.unshown(isReceived: false) == [])
        #expect(Self.unshown(after: "n2", isReceived: false) == ["value lost"])
        #expect(Self.unshown(isKnown: false).contains("value lost"))
    }

    @Test("lets a value hold that was written again where nobody knew that it was lost")
    func writtenAgain() {
        let (before, after) = (Self.node(["title": .text("a")]), Self.node(["title": .text("b")]))
        for (value, isLost) in [("b", false), ("c", true)] {
            var history = History(known: before)
            history.save(at: 0, before: before, after: after)
            history.send(from: 0)
            history.look(at: 2, after)
            for place in [0, 2] { history.look(at: place, before) }
            history.finish(history.beginExchange(0))
            let final = Self.node(["title": .text(value)])
            history.save(at: 1, before: before, after: final)
            for place in [0, 2] { history.look(at: place, final) }
            let rules = Oracle.rules(history, .mergeByProperty, final)
            #expect(rules == (isLost ? ["value lost"] : []))
        }
    }

    // MARK: - The app's decisions

    /// Device 0 takes a cover's node away, the app's block combines this with a title of device 1, and
    /// wins with it against the next node, which device 0 has set before knowing that title.
    private static func combined(
        _ policy: Policy, hasTitle: Bool = true, isTitleFirst: Bool = false
    ) -> [String] {
        let before = cover("a", "n1")
        var history = History(known: before)
        if hasTitle { history.save(at: 1, before: before, after: cover("b", "n1")) }
        if isTitleFirst {
            history.send(from: 1)
            history.look(at: 2, cover("b", "n1"))
        }
        history.save(at: 0, before: before, after: cover("a", nil))
        let exchange = history.beginExchange(0)
        if !isTitleFirst { history.look(at: 2, cover("a", nil)) }
        history.finish(exchange)
        history.attempted(0)
        _ = history.beginExchange(1)
        let final = cover(hasTitle ? "b" : "a", nil)
        for place in [2, 1] { history.look(at: place, final) }
        history.save(at: 0, before: cover("a", nil), after: cover("a", "n3"))
        _ = history.beginExchange(0)
        history.look(at: 0, final)
        return Oracle.rules(history, policy, final)
    }

    @Test("lets the app keep what it has combined with another device's version before")
    func combination() {
        let policy = Policy.clientTellsWhichWins
        #expect(Self.combined(policy) == [])
        #expect(Self.combined(policy, isTitleFirst: true) == ["value lost"])
        #expect(Self.combined(policy, hasTitle: false) == ["value lost"])
        #expect(Self.combined(.clientRecordWins) == ["value lost"])
        #expect(Self.combined(.mergeByProperty) == ["value lost"])
    }

    // MARK: - Vanished records

    @Test(
        "lets a device send again only what the server had when the device has read all again",
        arguments: [true, false])
    func vanished(isGone: Bool) {
        let node = Self.node(["title": .text("a")])
        var history = History(known: node)
        history.save(at: 1, before: node, after: Snapshot())
        if isGone {
            history.send(from: 1)
            history.look(at: 2, Snapshot())
        }
        history.sendVanishedAgain(from: 0)
        history.look(at: 2, isGone ? node : Snapshot())
        for place in [2, 1] { history.look(at: place, node) }
        #expect(
            Oracle.rules(history, .clientRecordWins, node) == (isGone ? [] : ["deletion undone"]))
    }
}
