import Seam3
import Testing

@testable import Judge

/// Edits that have taken an object from one destination and lost the next.
extension OracleVoidTests {
    /// Device 0 takes c2 from its node and gives it n1, which device 1 gives c1. So c2 has no node any longer.
    /// Then device 1 deletes c2.
    private struct GivenUp {
        /// The node of c2 before that.
        var former: String? = "n2"
        /// Whether device 0 takes c2 from its node in a save of its own.
        var isSeparate = false
        /// Whether c1 is given the node.
        var hasRival = true
        /// Whether device 1 has shown that c2 has no node, and whether its pass has succeeded.
        var isShown = false
        var isKnown = false
        /// Whether the server certainly has the loss before the deletion is sent.
        var hasArrived = false

        init(_ change: (inout GivenUp) -> Void = { _ in }) { change(&self) }

        func state(_ first: String?, _ second: String?, hasSecond: Bool = true) -> Snapshot {
            var state = OracleVoidTests.covers(first, second, hasSecond: hasSecond)
            state.objects["n2"] = state.objects["n1"].map {
                Snapshot.Object(kind: .node, ident: "n2", values: $0.values)
            }
            return state
        }

        var history: History {
            let rival = hasRival ? "n1" : nil
            let lost = state(rival, nil)
            var history = History(known: state(nil, former))
            if isSeparate { history.save(at: 0, showing: state(nil, nil)) }
            history.save(at: 0, showing: state(nil, "n1"))
            history.save(at: 1, showing: state(rival, former))
            history.sync(1, showing: state(rival, former))
            let exchange = history.beginExchange(0)
            history.attempted(0)
            history.look(at: 0, lost)
            history.look(at: 2, lost)
            if hasArrived { history.finish(exchange) }
            if isShown { history.look(at: 1, lost) }
            if isKnown { history.sync(1, showing: lost) }
            let shown = isShown || isKnown ? state(rival, nil) : state(rival, former)
            history.save(
                at: 1, before: shown, after: state(rival, nil, hasSecond: false))
            history.send(from: 1)
            return history
        }

        func rules(_ policy: Policy, isThere: Bool) -> [String] {
            let rival = hasRival ? "n1" : nil
            return Oracle.rules(
                history, policy, state(rival, nil, hasSecond: isThere))
        }
    }

    @Test(
        "lets an edit undo a deletion that has taken an object from a destination, and lost the next"
    )
    func givenUp() {
        for policy in [Policy.mergeByPropertyClientWins, .mergeByProperty, .serverRecordWins] {
            for isThere in [true, false] {
                #expect(GivenUp().rules(policy, isThere: isThere) == [])
            }
        }
        #expect(GivenUp().rules(.clientRecordWins, isThere: true) == [])
        #expect(GivenUp { $0.isSeparate = true }.rules(.mergeByProperty, isThere: true) == [])
    }

    @Test("requires a deletion if an object has only lost a destination that nobody knew it had")
    func notGivenUp() {
        func rules(
            _ policy: Policy = .mergeByProperty, _ change: (inout GivenUp) -> Void
        ) -> Set<String> { Set(GivenUp(change).rules(policy, isThere: true)) }
        let undone: Set = ["deletion undone"]
        #expect(rules { $0.former = nil } == undone)
        #expect(rules { ($0.former, $0.isSeparate) = (nil, true) } == undone)
        #expect(rules { $0.hasRival = false } == undone)
        #expect(rules { $0.isShown = true } == undone)
        #expect(rules { ($0.isKnown, $0.hasArrived) = (true, true) } == undone)
        #expect(rules(.clientRecordWins) { $0.hasArrived = true } == undone)
    }

    // MARK: - Destinations that come back in between

    /// Device 0 gives c1 n1, gives c2 n1, and takes it from c2 again, which device 1 has deleted.
    private struct Exchanged {
        /// The node of c2 before that.
        var former = "n1"
        /// Whether c1 gets n1 in the end. Otherwise c2 has only lost it.
        var isTaken = true
        /// Whether device 0 has tried to send what it had in between.
        var isSent = false

        init(_ change: (inout Exchanged) -> Void = { _ in }) { change(&self) }

        private func state(_ first: String?, _ second: String?, hasSecond: Bool = true) -> Snapshot
        {
            var state = OracleVoidTests.covers(first, second, hasSecond: hasSecond)
            state.objects["n2"] = Snapshot.Object(
                kind: .node, ident: "n2", values: ["title": .text("a")])
            return state
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            let last = isTaken ? "n1" : nil
            var history = History(known: state(nil, former))
            history.save(at: 1, showing: state(nil, former, hasSecond: false))
            history.save(at: 0, showing: state("n1", former == "n1" ? nil : former))
            history.save(at: 0, showing: state(nil, "n1"))
            if isSent { history.send(from: 0) }
            history.save(at: 0, showing: state(last, nil))
            history.send(from: 1)
            return Oracle.rules(history, policy, state(last, nil, hasSecond: false))
        }
    }

    @Test("does not count edits that end with the loss of the destination that an object had")
    func takenAgain() { #expect(Exchanged().rules() == []) }

    @Test("counts edits that end with another loss, or were sent in between, against a deletion")
    func takenOtherwise() {
        let lost = ["edit lost to a deletion"]
        #expect(Exchanged { $0.former = "n2" }.rules() == lost)
        #expect(Exchanged { $0.isTaken = false }.rules() == lost)
        #expect(Exchanged { $0.isSent = true }.rules() == lost)
        #expect(Exchanged { $0.isSent = true }.rules(.serverRecordWins) == [])
    }
}
