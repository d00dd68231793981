import Seam3
import Testing

@testable import Judge

/// Edits after which a reference is nil, and that may look as if this followed from something else.
extension OracleVoidTests {
    /// Device 0 takes an object from its destination, and device 1 deletes the object. The destination is
    /// deleted, or given to another object.
    private struct Lost {
        enum Loss { case none, deletion, otherDeletion, gift }
        /// What happens before device 1 has met the edit.
        enum Meeting { case none, ofDeletion, ofEdit, ofBoth }

        /// The reference.
        var name = "node"
        var loss = Loss.deletion
        /// What had happened to the destination before the object got it back, as everybody knows.
        var former = Loss.none
        /// The device that deletes the destination, or gives it away.
        var loser = 0
        /// Whether device 0 has led the object to another destination in between, which it deletes, too.
        var hasNext = false
        /// Whether device 0 also changes something else of the object.
        var hasTitle = false
        /// Whether another device has edited the destination, so that its deletion loses before it is sent.
        var isKept = false
        /// Whether the destination is deleted after the deletion has met the edit.
        var isDeletedLater = false
        /// What the devices have sent before the loss.
        var meeting = Meeting.none

        init(_ change: (inout Lost) -> Void = { _ in }) { change(&self) }

        private var object: String { name == "node" ? "c1" : "n9" }
        private var rival: String { name == "node" ? "c2" : "n8" }
        private var targets: [String] {
            ["node": ["n1", "n2", "n3"], "list": ["l1", "l2", "l3"]][name] ?? ["f1", "f2", "f3"]
        }

        private struct State {
            /// The number of the object's destination.
            var target: Int?
            var hasObject = true
            var loss = Loss.none
            var hasNext = true
            var title = "a"
            var targetTitle = "a"
        }

        private func snapshot(_ state: State) -> Snapshot {
            func reference(_ number: Int?) -> Value { number.map { .object(targets[$0]) } ?? .none }
            let title = Value.text("a")
            var objects: [String: [String: Value]] = [
                rival: [name: reference(state.loss == .gift ? 0 : nil), "title": title]
            ]
            for target in targets { objects[target] = ["title": title] }
            objects[targets[0]] = ["title": .text(state.targetTitle)]
            if state.hasObject {
                objects[object] = [name: reference(state.target), "title": .text(state.title)]
            }
            if state.loss == .deletion { objects[targets[0]] = nil }
            if state.loss == .otherDeletion { objects[targets[2]] = nil }
            if !state.hasNext { objects[targets[1]] = nil }
            return Snapshot(objects)
        }

        var history: History {
            let start = snapshot(State(target: 0))
            let edited = State(target: nil, hasNext: !hasNext, title: hasTitle ? "b" : "a")
            var (ours, theirs) = (edited, State(target: 0, hasObject: false))
            var history = History(placeCount: 4)
            var earlier = [start]
            if former != .none { earlier += [snapshot(State(target: nil, loss: former)), start] }
            for state in earlier {
                history.save(at: 0, showing: state)
                for device in 0...2 { history.sync(device, showing: state) }
            }
            history.save(at: 1, showing: snapshot(theirs))
            if hasNext { history.save(at: 0, showing: snapshot(State(target: 1))) }
            history.save(at: 0, showing: snapshot(edited))
            if meeting == .ofEdit || meeting == .ofBoth || loser == 2 {
                history.sync(0, showing: snapshot(ours))
                history.sync(2, showing: snapshot(ours))
            }
            if meeting == .ofDeletion || meeting == .ofBoth {
                // The server then has the object only if it has received the edit before.
                history.sync(1, showing: snapshot(meeting == .ofBoth ? ours : theirs))
            }
            (ours.loss, theirs.loss) = (loss, loss)
            if loser == 1 {
                history.save(at: 1, showing: snapshot(theirs))
            } else {
                history.save(at: loser, showing: snapshot(ours))
            }
            if isKept {
                (ours.loss, ours.targetTitle) = (.none, "b")
                // Device 2 has not received the edit.
                let other = loser == 0 ? State(target: 0, targetTitle: "b") : ours
                history.save(at: 2 - loser, showing: snapshot(other))
            }
            for device in [loser, 0, 2] where loser == 2 || device == 0 {
                history.sync(device, showing: snapshot(ours))
            }
            return history
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            var history = history
            var state = State(
                hasObject: false, loss: isKept ? .none : loss, hasNext: !hasNext,
                targetTitle: isKept ? "b" : "a")
            for device in [1, 0, 2] { history.sync(device, showing: snapshot(state)) }
            if isDeletedLater {
                state.loss = .deletion
                history.save(at: 2, showing: snapshot(state))
                for device in [2, 1, 0] { history.sync(device, showing: snapshot(state)) }
            }
            return Oracle.rules(history, policy, snapshot(state))
        }
    }

    @Test(
        "does not decide on a removed destination that is deleted before the deletion's device meets the edit",
        arguments: ["node", "list", "folder"], [0, 2])
    func destinationDeleted(name: String, loser: Int) {
        func rules(_ change: (inout Lost) -> Void = { _ in }) -> [String] {
            Lost {
                ($0.name, $0.loser) = (name, loser)
                change(&$0)
            }.rules()
        }
        #expect(rules() == [])
        #expect(rules { $0.meeting = .ofEdit } == [])
        // So is the one that the object has had in between.
        #expect(rules { $0.hasNext = true } == [])
    }

    @Test("does not decide on a removed destination that any other device gives to another object")
    func destinationGiven() {
        for loser in [0, 2] {
            #expect(
                Lost { ($0.loss, $0.loser, $0.meeting) = (.gift, loser, .ofEdit) }.rules() == [])
        }
    }

    @Test(
        "counts a removed destination that is not lost, or only after the deletion has met the edit",
        arguments: ["node", "list", "folder"], [0, 2])
    func destinationStays(name: String, loser: Int) {
        func rules(_ change: (inout Lost) -> Void) -> [String] {
            Lost {
                ($0.name, $0.loser) = (name, loser)
                change(&$0)
            }.rules()
        }
        let lost = ["edit lost to a deletion"]
        #expect(rules { $0.loss = .none } == lost)
        #expect(rules { $0.loss = .otherDeletion } == lost)
        #expect(rules { $0.hasTitle = true } == lost)
        #expect(rules { $0.isKept = true } == lost)
        #expect(rules { ($0.isKept, $0.former) = (true, .deletion) } == lost)
        #expect(rules { ($0.isKept, $0.isDeletedLater) = (true, true) } == lost)
        #expect(rules { $0.meeting = .ofBoth } == lost)
        #expect(rules { ($0.loss, $0.former) = (.none, .deletion) } == lost)
        #expect(rules { ($0.loss, $0.former) = (.none, .gift) } == lost)
        // Another object may have a list or a folder, too.
        if name != "node" { #expect(rules { $0.loss = .gift } == lost) }
    }

    @Test("counts a removed destination that the deletion's device deletes itself")
    func destinationDeletedThere() {
        for name in ["node", "list"] {
            let history = Lost { ($0.name, $0.loser) = (name, 1) }
            #expect(history.rules() == ["edit lost to a deletion"])
        }
    }

    @Test("counts a removed destination on the device that has removed it, and meets the deletion")
    func metByEditor() {
        for name in ["node", "list"] {
            let history = Lost { ($0.name, $0.meeting) = (name, .ofDeletion) }
            #expect(history.rules() == ["edit lost to a deletion"])
        }
    }

    /// Device 2 deletes a node without knowing its cover, which device 1 deletes. Then device 0 sends that it has
    /// taken the cover from the node.
    @Test("counts a removed destination that is sent after the deletion, whoever has deleted it")
    func sentAfterDeletion() {
        func state(_ node: String?, hasNode: Bool = true, hasCover: Bool = true) -> Snapshot {
            var objects: [String: [String: Value]] = [:]
            if hasNode { objects["n1"] = ["title": .text("a")] }
            if hasCover { objects["c1"] = ["node": node.map { .object($0) } ?? .none] }
            return Snapshot(objects)
        }
        let gone = state(nil, hasNode: false, hasCover: false)
        var history = History(placeCount: 4)
        history.save(at: 0, showing: state(nil, hasCover: false))
        for device in 0...2 { history.sync(device, showing: state(nil, hasCover: false)) }
        history.save(at: 0, showing: state("n1"))
        for device in 0...1 { history.sync(device, showing: state("n1")) }
        history.save(at: 0, showing: state(nil))
        history.save(at: 1, showing: state(nil, hasCover: false))
        history.save(at: 2, showing: gone)
        history.sync(2, showing: state(nil, hasNode: false))
        for device in [1, 0, 2] { history.sync(device, showing: gone) }
        #expect(Oracle.rules(history, .mergeByProperty, gone) == ["edit lost to a deletion"])
    }
}
