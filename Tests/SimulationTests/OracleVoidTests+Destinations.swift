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
    func takenAgain() {
        #expect(Exchanged().rules() == [])
        #expect(Exchanged { $0.isSent = true }.rules() == [])
    }

    @Test("counts edits that end with another loss against a deletion")
    func takenOtherwise() {
        let lost = ["edit lost to a deletion"]
        #expect(Exchanged { $0.former = "n2" }.rules() == lost)
        #expect(Exchanged { $0.isTaken = false }.rules() == lost)
        #expect(Exchanged { ($0.isTaken, $0.isSent) = (false, true) }.rules() == lost)
        #expect(Exchanged { ($0.former, $0.isSent) = ("n2", true) }.rules() == lost)
        #expect(Exchanged { $0.former = "n2" }.rules(.serverRecordWins) == [])
    }

    // MARK: - Destinations that return

    /// Device 0 relates a node to a list that device 1 has deleted, and that comes back because device 2 has
    /// edited it. Device 2 has deleted the node.
    private struct Returned {
        /// When device 0 first syncs after that.
        enum Moment { case whileGone, afterReturn }
        var moment = Moment.whileGone
        /// Whether the deletion of the list has reached the server. Otherwise it has met the edit before.
        var isRemoved = true
        /// The device that has edited the list.
        var editor = 2
        /// The node's title on device 0.
        var title = "a"
        /// Whether device 2 deletes the node.
        var deletesNode = true

        init(_ change: (inout Returned) -> Void = { _ in }) { change(&self) }

        /// - Parameters:
        ///   - list: The list's title; nil if it is not there.
        ///   - node: Whether the node is in the list; nil if it is not there.
        private func state(_ list: String?, _ node: Bool?, _ title: String = "a") -> Snapshot {
            var objects: [String: [String: Value]] = [:]
            if let list { objects["l1"] = ["title": .text(list)] }
            if let node {
                objects["n1"] = ["title": .text(title), "list": node ? .object("l1") : .none]
            }
            return Snapshot(objects)
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            var history = History(placeCount: 4)
            history.save(at: 0, showing: state("l", false))
            for device in 0...2 { history.sync(device, showing: state("l", false)) }
            history.save(at: 0, showing: state("l", true, title))
            history.save(at: editor, showing: state("b", editor == 0, editor == 0 ? title : "a"))
            if !isRemoved {
                history.send(from: 2)
                history.look(at: 3, state("b", false))
            }
            history.save(at: 1, showing: state(nil, false))
            history.sync(1, showing: state(isRemoved ? nil : "b", false))
            let node = deletesNode ? nil : false
            if deletesNode { history.save(at: 2, showing: state(editor == 2 ? "b" : "l", nil)) }
            if moment == .whileGone {
                let isThere = !isRemoved || editor == 0
                history.sync(0, showing: state(isThere ? "b" : nil, isThere, title))
            }
            history.sync(2, showing: state("b", node))
            if moment == .afterReturn { history.sync(0, showing: state("b", true, title)) }
            let final = state("b", node, title)
            for device in [1, 0, 2] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    @Test("does not count a reference whose destination was gone before it returned")
    func returned() {
        #expect(Returned().rules() == [])
        #expect(Returned { $0.deletesNode = false }.rules() == [])
        #expect(Returned { ($0.deletesNode, $0.title) = (false, "b") }.rules() == [])
    }

    @Test("counts a reference whose destination was there whenever its device synced")
    func wasAlwaysThere() {
        let lost = ["edit lost to a deletion"]
        #expect(Returned { $0.title = "b" }.rules() == lost)
        #expect(Returned { $0.moment = .afterReturn }.rules() == lost)
        #expect(Returned { $0.isRemoved = false }.rules() == lost)
        // The list has always been on device 0.
        #expect(Returned { $0.editor = 0 }.rules() == lost)
        #expect(Returned { $0.isRemoved = false }.rules(.serverRecordWins) == [])
    }

    // MARK: - Ends that look as if they gave way

    /// Device 0 takes c1 from its node, and gives this to c2. Device 1 deletes c1.
    private struct GivenAway {
        /// The node that c2 gets; nil if it gets none.
        var taken: String? = "n1"
        /// The device that gives it to c2.
        var giver = 0
        /// Whether device 0 also changes the pages of c1.
        var hasPages = false
        /// What syncs before c2 gets the node.
        var syncing: [Int] = []

        init(_ change: (inout GivenAway) -> Void = { _ in }) { change(&self) }

        private func state(
            _ first: String?, _ second: String?, pages: Int = 1, hasFirst: Bool
        ) -> Snapshot {
            var objects: [String: [String: Value]] = [
                "n1": ["title": .text("a")], "n2": ["title": .text("b")],
                "c2": ["node": second.map(Value.object) ?? .none],
            ]
            if hasFirst {
                objects["c1"] = [
                    "node": first.map(Value.object) ?? .none, "pages": .int(pages),
                ]
            }
            return Snapshot(objects)
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            let pages = hasPages ? 2 : 1
            var history = History(known: state("n1", nil, hasFirst: true))
            history.save(at: 0, showing: state(nil, nil, pages: pages, hasFirst: true))
            history.save(at: 1, showing: state("n1", nil, hasFirst: false))
            for device in syncing {
                history.sync(device, showing: state(nil, nil, pages: pages, hasFirst: true))
            }
            let isThere = giver == 0 || !syncing.isEmpty
            history.save(
                at: giver, showing: state(nil, taken, pages: pages, hasFirst: isThere))
            let final = state(nil, taken, hasFirst: false)
            for device in [0, 1] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    @Test("does not decide on a removed destination that its device then gives to another object")
    func givenAway() {
        #expect(GivenAway().rules() == [])
        #expect(GivenAway { $0.syncing = [0] }.rules() == [])
        #expect(GivenAway().rules(.serverRecordWins) == [])
    }

    @Test("counts a removed destination that a deletion has met alone, or that nobody got")
    func notGivenAway() {
        let lost = ["edit lost to a deletion"]
        #expect(GivenAway { $0.taken = nil }.rules() == lost)
        #expect(GivenAway { $0.taken = "n2" }.rules() == lost)
        #expect(GivenAway { $0.hasPages = true }.rules() == lost)
        #expect(GivenAway { $0.giver = 1 }.rules() == lost)
        #expect(GivenAway { $0.syncing = [0, 1] }.rules() == lost)
        #expect(GivenAway { $0.syncing = [1, 0] }.rules() == lost)
    }

    /// Another client gives c1 the node of c2, which device 1 has deleted. Device 0 deletes c1.
    private struct LostToDeleted {
        /// The node that the other client gives c1.
        var taken = "n1"
        /// Whether c1 is deleted.
        var isDeleted = true
        /// When device 1 syncs.
        enum Moment { case before, between, afterwards }
        var moment = Moment.afterwards

        init(_ change: (inout LostToDeleted) -> Void = { _ in }) { change(&self) }

        private func state(
            _ first: String?, _ second: String?, without gone: Set<String> = []
        ) -> Snapshot {
            func cover(_ node: String?) -> [String: Value] {
                ["node": node.map(Value.object) ?? .none]
            }
            let objects: [String: [String: Value]] = [
                "n1": ["title": .text("a")], "n2": ["title": .text("b")], "c1": cover(first),
                "c2": cover(second),
            ]
            return Snapshot(objects.filter { !gone.contains($0.key) })
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            let rest = taken == "n1" ? nil : "n1"
            var history = History(known: state(nil, "n1"))
            history.save(at: 1, showing: state(nil, "n1", without: ["c2"]))
            // Its pass has sent the deletion.
            if moment == .before { history.sync(1, showing: state(nil, nil, without: ["c2"])) }
            // The other client does not write the former owner. Device 0 does, because of it.
            let gone: Set = moment == .before ? ["c2"] : []
            history.save(at: 2, showing: state(taken, "n1", without: gone))
            history.sync(0, showing: state(taken, rest, without: gone))
            if moment == .between { history.sync(1, showing: state(taken, nil, without: ["c2"])) }
            if isDeleted {
                history.save(at: 0, showing: state(nil, rest, without: gone.union(["c1"])))
            }
            let final = state(taken, rest, without: isDeleted ? ["c1"] : [])
            for device in [0, 1] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    @Test("lets an object come back that may have lost its destination to a deleted one")
    func lostToDeleted() {
        #expect(LostToDeleted().rules() == [])
        #expect(LostToDeleted().rules(.serverRecordWins) == [])
    }

    @Test("requires a deletion if its device has met what has taken the destination")
    func lostToKnown() {
        let undone = ["deletion undone"]
        #expect(LostToDeleted { $0.taken = "n2" }.rules() == undone)
        #expect(LostToDeleted { $0.isDeleted = false }.rules() == undone)
        #expect(LostToDeleted { $0.moment = .before }.rules() == undone)
        #expect(LostToDeleted { $0.moment = .between }.rules() == undone)
        #expect(LostToDeleted().rules(.clientRecordWins) == undone)
    }
}
