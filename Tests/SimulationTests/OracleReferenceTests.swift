import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which a reference is not where its object is.
@Suite("The judge's oracle, with references that are missing for a while")
struct OracleReferenceTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// Nodes and a cover.
    ///
    /// - Parameter nodes: The nodes that are there.
    private static func place(
        _ title: String, _ node: String?, nodes: [String] = ["n1", "n2", "n3"]
    ) -> Snapshot {
        var snapshot = Snapshot()
        for ident in nodes {
            snapshot.objects[ident] = Snapshot.Object(kind: .node, ident: ident, values: [:])
        }
        snapshot.objects["c1"] = Snapshot.Object(
            kind: .cover, ident: "c1",
            values: ["title": .text(title), "node": node.map { .object($0) } ?? .none])
        return snapshot
    }

    private static func nodes() -> Snapshot {
        var snapshot = place("", nil)
        snapshot.objects["c1"] = nil
        return snapshot
    }

    private static func rules(
        _ history: History, _ policy: Policy, _ final: Snapshot
    ) -> [String] {
        var oracle = Oracle(history: history, policy: policy, raced: [], final: final)
        oracle.judge("c1", final.byIdent["c1"] ?? [])
        return oracle.violations.map(\.rule)
    }

    // MARK: - References that reach the server after their objects

    /// When a reference that device 0 has set reaches the server.
    enum Arrival { case withObject, afterEdit, whileKnown }

    /// Device 0 inserts a cover with a node, or gives it one with a title. Device 1, which shows no node,
    /// changes the cover.
    private static func late(
        _ arrival: Arrival, isUpdate: Bool = false, title: String = "a", node: String? = "n2"
    ) -> History {
        var history = History(placeCount: 3)
        history.save(at: 0, before: Snapshot(), after: nodes())
        history.send(from: 0)
        for place in [2, 1] { history.look(at: place, nodes()) }
        if isUpdate {
            history.save(at: 0, before: nodes(), after: place("0", nil))
            history.send(from: 0)
            for place in [2, 1] { history.look(at: place, self.place("0", nil)) }
        }
        history.save(
            at: 0, before: isUpdate ? place("0", nil) : nodes(), after: place("a", "n1"))
        history.send(from: 0)
        history.look(at: 2, place("a", arrival == .withObject ? "n1" : nil))
        history.look(at: 1, place("a", nil))
        if arrival == .whileKnown {
            history.look(at: 2, place("a", "n1"))
            history.finish(history.beginExchange(1))
        }
        history.save(at: 1, before: place("a", nil), after: place(title, node))
        return history
    }

    @Test(
        "lets a reference and an edit that had not seen it contest each other, and nothing else",
        arguments: [false, true])
    func contest(isUpdate: Bool) {
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientWins, .serverRecordWins] {
            let history = Self.late(.afterEdit, isUpdate: isUpdate)
            #expect(Self.rules(history, policy, Self.place("a", "n1")) == [])
            #expect(Self.rules(history, policy, Self.place("a", "n2")) == [])
            #expect(Self.rules(history, policy, Self.place("a", "n3")) == ["value lost"])
            #expect(Self.rules(history, policy, Self.place("a", nil)) == ["value lost"])
        }
    }

    @Test(
        "requires a reference that was set after another one had arrived",
        arguments: [false, true], [Arrival.withObject, .whileKnown])
    func known(isUpdate: Bool, arrival: Arrival) {
        for policy in [Policy.mergeByProperty, .serverRecordWins] {
            let history = Self.late(arrival, isUpdate: isUpdate)
            #expect(Self.rules(history, policy, Self.place("a", "n2")) == [])
            #expect(Self.rules(history, policy, Self.place("a", "n1")) == ["value lost"])
        }
    }

    @Test("requires the other properties of an edit that had not seen a reference")
    func otherProperties() {
        let history = Self.late(.afterEdit, title: "b")
        let policy = Policy.mergeByProperty
        #expect(Self.rules(history, policy, Self.place("b", "n1")) == [])
        #expect(Self.rules(history, policy, Self.place("a", "n1")) == ["value lost"])
        // One of the records wins as a whole.
        #expect(Self.rules(history, .serverRecordWins, Self.place("a", "n1")) == [])
    }

    @Test("lets only a whole record replace a reference that its user had neither seen nor changed")
    func replaced() {
        let history = Self.late(.afterEdit, title: "b", node: nil)
        let known = Self.late(.withObject, title: "b", node: nil)
        let final = Self.place("b", nil)
        #expect(Self.rules(history, .serverRecordWins, final) == [])
        #expect(Self.rules(history, .mergeByProperty, final) == ["value lost"])
        #expect(Self.rules(known, .serverRecordWins, final) == ["value lost"])
        // Somebody has set it since.
        var later = history
        later.send(from: 1)
        later.look(at: 0, Self.place("b", "n1"))
        later.save(at: 0, before: Self.place("b", "n1"), after: Self.place("b", "n3"))
        #expect(Self.rules(later, .serverRecordWins, final) == ["value lost"])
    }

    @Test("does not let a late reference come back that no place showed any longer")
    func faded() {
        var history = Self.late(.afterEdit)
        history.send(from: 1)
        for place in [2, 0] { history.look(at: place, Self.place("a", "n2")) }
        for policy in [Policy.mergeByProperty, .serverRecordWins] {
            #expect(Self.rules(history, policy, Self.place("a", "n2")) == [])
            #expect(Self.rules(history, policy, Self.place("a", "n1")) == ["value lost"])
        }
        // Who edits then replaces what has won.
        history.save(at: 0, before: Self.place("a", "n2"), after: Self.place("a", "n3"))
        #expect(Self.rules(history, .mergeByProperty, Self.place("a", "n3")) == [])
        #expect(Self.rules(history, .mergeByProperty, Self.place("a", "n2")) == ["value lost"])
        #expect(Self.rules(history, .mergeByProperty, Self.place("a", "n1")) == ["value lost"])
    }

    @Test("counts a copy for an edit that had not seen a reference, and no other one")
    func copies() {
        for (arrival, isAllowed) in [(Arrival.afterEdit, true), (.withObject, false)] {
            var two = Self.place("a", "n1")
            two.objects["copy"] = Self.place("a", "n2").objects["c1"]
            let rules = Self.rules(Self.late(arrival), .keepBoth, two)
            #expect(rules == (isAllowed ? [] : ["doubled"]))
        }
    }

    // MARK: - What a nil reference tells

    /// Device 1 takes a cover's node away while device 0 sees the cover for the first time, without a
    /// node.
    private static func takenAway(
        isAttempted: Bool, nodes: [String]
    ) -> (history: History, knowsIt: Bool) {
        var history = History(placeCount: 3)
        history.save(at: 1, before: Snapshot(), after: place("a", "n1"))
        history.finish(history.beginExchange(1))
        history.attempted(1)
        history.look(at: 2, place("a", "n1"))
        history.save(at: 1, before: place("a", "n1"), after: place("a", nil))
        if isAttempted { history.send(from: 1) }
        history.look(at: 0, place("a", nil, nodes: nodes))
        let exchange = history.beginExchange(0)
        return (history, history.knewAll(of: "c1", exchange))
    }

    @Test("knows by a nil reference only what was sent, and what nothing else explains")
    func taken() {
        let all = ["n1", "n2", "n3"]
        #expect(Self.takenAway(isAttempted: true, nodes: all).knowsIt)
        #expect(!Self.takenAway(isAttempted: false, nodes: all).knowsIt)
        #expect(!Self.takenAway(isAttempted: true, nodes: ["n2", "n3"]).knowsIt)
        // Nor does the server have it.
        let history = Self.takenAway(isAttempted: false, nodes: all).history
        #expect(history.edits(of: "c1").map { $0.arrival == nil } == [false, true])
    }

    @Test("objects to a reference that comes back though its user knew that it was taken away")
    func takenForGood() {
        let (history, _) = Self.takenAway(isAttempted: true, nodes: ["n1", "n2", "n3"])
        #expect(
            Self.rules(history, .mergeByProperty, Self.place("a", "n1")) == ["value lost"])
    }

    // MARK: - References that wait

    @Test("tells which references wait for their destinations, until they are replaced")
    func waiting() {
        func state(_ list: Value, _ lists: [String] = ["l1", "l2"]) -> Snapshot {
            var objects: [String: [String: Value]] = ["n1": ["list": list]]
            for ident in lists { objects[ident] = [:] }
            return Snapshot(objects)
        }
        var history = History(known: state(.none))
        history.save(at: 1, showing: state(.none, ["l2"]))
        history.save(at: 0, showing: state(.object("l1")))
        #expect(history.waitingReferences(at: 1) == [])
        history.send(from: 0)
        #expect(history.waitingReferences(at: 0) == [])
        #expect(history.waitingReferences(at: 1) == ["list|n1|l1"])
        history.look(at: 2, state(.object("l1")))
        history.sync(1, showing: state(.none, ["l2"]))
        #expect(history.waitingReferences(at: 1) == ["list|n1|l1"])
        history.save(at: 1, showing: state(.object("l2"), ["l2"]))
        history.save(at: 1, showing: state(.none, ["l2"]))
        #expect(history.waitingReferences(at: 1) == [])
    }

    // MARK: - References that read as nil

    @Test(
        "lets a reference that another client has written, and that reads as nil, contest another one"
    )
    func unreadable() {
        func rules(
            _ final: Snapshot, isWritten: Bool = true, isKnown: Bool = false
        ) -> [String] {
            var history = History(known: Self.place("a", nil))
            if isWritten { history.clearAgain(["node"], of: "c1", at: 2) }
            if isKnown { history.finish(history.beginExchange(0)) }
            history.save(at: 0, showing: Self.place("a", "n1"))
            history.send(from: 0)
            return Self.rules(history, .mergeByPropertyClientTells, final)
        }
        #expect(rules(Self.place("a", "n1")) == [])
        #expect(rules(Self.place("a", nil)) == [])
        #expect(rules(Self.place("a", "n2")) == ["value lost"])
        #expect(rules(Self.place("b", nil)) == ["value lost"])
        #expect(rules(Self.place("a", nil), isWritten: false) == ["value lost"])
        #expect(rules(Self.place("a", nil), isKnown: true) == ["value lost"])
    }

    // MARK: - Copies

    @Test("knows that a reference waits for a deleted object of which there is a copy")
    func waitsForDeleted() {
        func waiting(deleted: Bool, isOverwritten: Bool = false) -> Set<String> {
            func state(_ list: Value, _ lists: [String]) -> Snapshot {
                var objects: [String: [String: Value]] = ["n1": ["list": list]]
                for name in lists { objects[name] = ["title": .text("a")] }
                return Snapshot(objects)
            }
            var history = History(known: state(.none, ["l1#0"]))
            history.save(at: 0, showing: state(.object("l1"), ["l1#0"]))
            history.sync(0, showing: state(.object("l1"), ["l1#0"]))
            if deleted { history.save(at: 1, showing: state(.none, [])) }
            history.look(at: 1, state(.none, ["l1#1"]))
            if isOverwritten {
                history.look(at: 1, state(.object("l1"), ["l1#1"]))
                history.save(at: 1, showing: state(.none, ["l1#1"]))
            }
            return history.waitingReferences(at: 1)
        }
        #expect(waiting(deleted: true) == ["list|n1|l1"])
        #expect(waiting(deleted: false).isEmpty)
        // The user has seen the reference, and has removed it.
        #expect(waiting(deleted: true, isOverwritten: true).isEmpty)
    }
}
