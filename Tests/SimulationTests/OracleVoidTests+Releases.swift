import Seam3
import Testing

@testable import Judge

/// Edits of a reference that end because its destination is lost.
extension OracleVoidTests {
    /// Device 0 leads an object, which had the first destination, to others in turn. Then it loses the last one.
    /// Device 1 deletes the object.
    private struct Led {
        /// What ends the reference: another object gets the destination, the destination is deleted, or the user
        /// removes it.
        enum End { case gift, deletion, removal }

        /// The reference.
        var name = "node"
        /// The numbers of the destinations that device 0 gives the object in turn.
        var targets: [Int?] = [nil, 0]
        var end = End.gift
        /// How many of these edits device 0 sends by themselves.
        var sent = 2
        /// After how many of these edits device 1 sends the deletion; nil if at the end.
        var meeting: Int?
        /// Whether the deletion then loses to what it meets.
        var isKept = false
        /// The device that gives a third object the first destination before the end.
        var giver: Int?
        /// Whether that is taken back before it is sent.
        var isTakenBack = false
        /// Whether device 0 also changes something else of the object in the end.
        var hasTitle = false

        init(_ change: (inout Led) -> Void = { _ in }) { change(&self) }

        private func object(_ number: Int) -> String {
            name == "node" ? "c\(number + 1)" : "n\(number + 7)"
        }

        private func destination(_ number: Int) -> String {
            (["node": "n", "list": "l"][name] ?? "f") + "\(number + 1)"
        }

        private struct State {
            /// By objects, the numbers of their destinations.
            var targets: [Int?]
            var hasObject = true
            var title = "a"
            /// The number of the destination that was deleted.
            var gone: Int?
        }

        private func snapshot(_ state: State) -> Snapshot {
            var objects: [String: [String: Value]] = [:]
            for number in 0...1 where number != state.gone {
                objects[destination(number)] = ["title": .text("a")]
            }
            for (number, target) in state.targets.enumerated() where number > 0 || state.hasObject {
                objects[object(number)] = [
                    name: target.map { .object(destination($0)) } ?? .none,
                    "title": .text(number == 0 ? state.title : "a"),
                ]
            }
            return Snapshot(objects)
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            var ours = State(targets: [0, nil, nil])
            var history = History(placeCount: 4)
            history.save(at: 0, showing: snapshot(ours))
            for device in 0...2 { history.sync(device, showing: snapshot(ours)) }
            var theirs = ours
            theirs.hasObject = false
            history.save(at: 1, showing: snapshot(theirs))
            func meet(after count: Int) {
                guard meeting == count else { return }
                theirs.targets = ours.targets
                theirs.hasObject = isKept
                history.sync(1, showing: snapshot(theirs))
            }
            meet(after: 0)
            for (index, target) in targets.enumerated() {
                ours.targets[0] = target
                history.save(at: 0, showing: snapshot(ours))
                if index < sent { history.sync(0, showing: snapshot(ours)) }
                meet(after: index + 1)
            }
            give(&ours, &history)
            let last = ours.targets[0]
            ours.targets[0] = nil
            if end == .gift { ours.targets[1] = last }
            if end == .deletion { ours.gone = last }
            if hasTitle { ours.title = "b" }
            history.save(at: 0, showing: snapshot(ours))
            if giver == 2 { ours.targets[2] = 0 }
            if meeting == nil { history.sync(0, showing: snapshot(ours)) }
            ours.hasObject = false
            for device in [1, 0, 2] { history.sync(device, showing: snapshot(ours)) }
            return Oracle.rules(history, policy, snapshot(ours))
        }

        private func give(_ state: inout State, _ history: inout History) {
            guard let giver else { return }
            if giver == 2 {
                // It knows that the first object has another one, so this is no edit of that.
                history.sync(2, showing: snapshot(State(targets: [1, nil, nil])))
                let others = snapshot(State(targets: [1, nil, 0]))
                history.save(at: 2, showing: others)
                history.sync(2, showing: others)
                return
            }
            state.targets[2] = 0
            history.save(at: giver, showing: snapshot(state))
            if isTakenBack {
                state.targets[2] = nil
                history.save(at: giver, showing: snapshot(state))
            }
        }
    }

    private static let surviving: [Policy] = [
        .mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells,
        .clientTellsWhichWins, .keepBoth,
    ]

    @Test(
        "does not count edits that were sent and taken back before the object has lost its destination",
        arguments: surviving)
    func ledBackAndLost(policy: Policy) {
        func rules(_ change: (inout Led) -> Void = { _ in }) -> [String] {
            Led(change).rules(policy)
        }
        #expect(rules() == [])
        #expect(rules { $0.targets = [1, 0] } == [])
        #expect(rules { ($0.targets, $0.sent) = ([nil, 0, 1, 0], 4) } == [])
        // The end alone is no edit.
        #expect(rules { ($0.targets, $0.sent) = ([], 0) } == [])
        // The deletion has met what its user knew.
        #expect(rules { $0.meeting = 2 } == [])
        // It meets the end as if nothing had been in between.
        #expect(rules { $0.sent = 1 } == [])
        for name in ["node", "list", "folder"] {
            #expect(rules { ($0.name, $0.end) = (name, .deletion) } == [])
        }
    }

    @Test(
        "counts edits that a deletion has met before they were taken back, and other ends",
        arguments: surviving)
    func ledElsewhereAndLost(policy: Policy) {
        func rules(_ change: (inout Led) -> Void) -> [String] { Led(change).rules(policy) }
        let lost = ["edit lost to a deletion"]
        for target in [nil, 1] {
            for isKept in [false, true] {
                #expect(
                    rules {
                        ($0.targets, $0.sent, $0.meeting) = ([target, 0], 1, 1)
                        $0.isKept = isKept
                    } == lost)
            }
            // The device of the edits has met the deletion with the first of them.
            #expect(rules { ($0.targets, $0.meeting) = ([target, 0], 0) } == lost)
        }
        // A user has removed the reference, or led it to the destination that the object loses.
        #expect(rules { $0.end = .removal } == lost)
        #expect(rules { ($0.targets, $0.sent) = ([1], 0) } == lost)
        #expect(rules { ($0.targets, $0.sent) = ([1], 1) } == lost)
        #expect(rules { ($0.targets, $0.sent) = ([nil, 0, 1], 3) } == lost)
        // It has also changed something else.
        #expect(rules { $0.hasTitle = true } == lost)
        // Another object may have a list or a folder, too.
        for name in ["list", "folder"] { #expect(rules { $0.name = name } == lost) }
    }

    /// Device 0 removes a reference, device 2 restores it, and device 0 gives the destination to another object, after
    /// the deletion has met this. Or device 0 restores it, and the deletion meets it given away for the first time.
    @Test("does not count what was restored, or lost, before the deletion has met it")
    func restoredInBetween() {
        func state(_ first: String?, _ second: String?, hasFirst: Bool = true) -> Snapshot {
            Self.covers(second, first, hasSecond: hasFirst)
        }
        let gone = state(nil, "n1", hasFirst: false)
        for isGivenAway in [false, true] {
            var history = History(placeCount: 4)
            history.save(at: 0, showing: state("n1", nil))
            for device in 0...2 { history.sync(device, showing: state("n1", nil)) }
            history.save(at: 1, showing: state(nil, nil, hasFirst: false))
            if isGivenAway {
                for (first, second) in [(nil, nil), ("n1", nil), (nil, "n1")] {
                    history.save(at: 0, showing: state(first, second))
                    history.sync(0, showing: state(first, second))
                }
                history.sync(1, showing: gone)
                history.save(at: 0, showing: state("n1", nil))
            } else {
                history.save(at: 0, showing: state(nil, nil))
                for device in [0, 2] { history.sync(device, showing: state(nil, nil)) }
                history.save(at: 2, showing: state("n1", nil))
                history.sync(2, showing: state("n1", nil))
                history.look(at: 0, state("n1", nil))
                history.sync(1, showing: state(nil, nil, hasFirst: false))
            }
            history.save(at: 0, showing: state(nil, "n1"))
            for device in [0, 1, 2] { history.sync(device, showing: gone) }
            #expect(Oracle.rules(history, .mergeByProperty, gone) == [])
        }
    }

    @Test("follows the two policies that let a side win", arguments: [0, 1, 2])
    func ledUnderOthers(meeting: Int) {
        for policy in [Policy.serverRecordWins, .clientRecordWins] {
            #expect(Led { ($0.sent, $0.meeting) = (meeting, meeting) }.rules(policy) == [])
        }
    }

    @Test("does not decide on the loss of a destination if the former one goes to another object")
    func bothLost() {
        for (giver, sent) in [(0, 0), (0, 1), (2, 1)] {
            let led = Led { ($0.targets, $0.sent, $0.giver) = ([1], sent, giver) }
            #expect(led.rules() == [])
        }
    }

    @Test("counts the loss of another destination that a deletion has met, or that nobody got")
    func oneLost() {
        func rules(_ change: (inout Led) -> Void) -> [String] {
            Led {
                ($0.targets, $0.sent, $0.giver) = ([1], 0, 0)
                change(&$0)
            }.rules()
        }
        let lost = ["edit lost to a deletion"]
        #expect(rules { $0.isTakenBack = true } == lost)
        #expect(rules { ($0.sent, $0.meeting) = (1, 1) } == lost)
        #expect(rules { ($0.sent, $0.giver, $0.meeting, $0.isKept) = (1, 2, 1, true) } == lost)
    }
}
