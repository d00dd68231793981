import Seam3
import Testing

@testable import Judge

/// References whose destinations are deleted by a device that has not seen them.
extension OracleVoidTests {
    /// Device 0 deletes a destination, and device 1 gives it to an object, which device 2 deletes.
    private struct Deleted {
        /// What has happened to the destination when device 2 meets the reference.
        enum Loss { case none, deletion, returnWithReference, returnWithout }

        /// The reference.
        var name = "node"
        var loss = Loss.deletion
        /// Whether the object had another destination before.
        var hasFormer = false
        /// Whether device 1 has given it that in between, and whether device 2 has met this.
        var hasNext = false
        var meetsNext = false
        /// Whether device 1 also changes something else of the object.
        var hasTitle = false
        /// Whether device 2 has met the reference before the server has the deletion of the destination.
        var isMet = false
        /// Whether the server has the deletion of the object before the reference.
        var isSettled = false
        /// Whether the object is there in the end.
        var isThere = false

        init(_ change: (inout Deleted) -> Void = { _ in }) { change(&self) }

        private var object: String { name == "node" ? "c1" : "n9" }
        private var targets: [String] {
            ["node": ["n1", "n2"], "list": ["l1", "l2"]][name] ?? ["f1", "f2"]
        }

        /// - Parameters:
        ///   - target: The number of the object's destination.
        ///   - title: The title of the destination; nil if it is not there.
        private func state(
            _ target: Int?, _ title: String? = "a", hasTitle: Bool = false, hasObject: Bool = true
        ) -> Snapshot {
            var objects: [String: [String: Value]] = [targets[1]: ["title": .text("a")]]
            if let title { objects[targets[0]] = ["title": .text(title)] }
            if hasObject {
                let reference = target.map { Value.object(targets[$0]) } ?? .none
                objects[object] = [name: reference, "title": .text(hasTitle ? "b" : "a")]
            }
            return Snapshot(objects)
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            let former = hasFormer ? 1 : nil
            var history = History(placeCount: 4)
            history.save(at: 0, showing: state(former))
            for device in 0...2 { history.sync(device, showing: state(former)) }
            history.save(at: 2, showing: state(nil, hasObject: false))
            if loss != .none { history.save(at: 0, showing: state(former, nil)) }
            if hasNext {
                history.save(at: 1, showing: state(1, hasTitle: hasTitle))
                history.sync(1, showing: state(1, hasTitle: hasTitle))
                if meetsNext { history.send(from: 2) }
            }
            history.save(at: 1, showing: state(0, hasTitle: hasTitle))
            if isSettled { history.sync(2, showing: state(nil, hasObject: false)) }
            history.sync(1, showing: state(0, hasTitle: hasTitle))
            if isMet { history.send(from: 2) }
            let returns = [.returnWithReference, .returnWithout].contains(loss)
            if returns { history.save(at: 1, showing: state(0, "b", hasTitle: hasTitle)) }
            let title = loss == .none ? "a" : returns ? "b" : nil
            let target = [.none, .returnWithReference].contains(loss) ? 0 : nil
            if loss != .none { history.sync(0, showing: state(nil, nil, hasTitle: hasTitle)) }
            for device in returns ? [1, 0] : [1] {
                history.sync(device, showing: state(target, title, hasTitle: hasTitle))
            }
            let final = state(target, title, hasTitle: hasTitle, hasObject: isThere)
            for device in [2, 0, 1] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    @Test(
        "does not decide on a reference whose destination was deleted before the deletion's device meets it",
        arguments: ["node", "list", "folder"])
    func deletedUnseen(name: String) {
        for policy in [
            Policy.mergeByProperty, .mergeByPropertyClientWins, .clientTellsWhichWins, .keepBoth,
        ] {
            for isThere in [true, false] {
                #expect(Deleted { ($0.name, $0.isThere) = (name, isThere) }.rules(policy) == [])
            }
        }
        #expect(Deleted { ($0.name, $0.hasNext) = (name, true) }.rules() == [])
        #expect(Deleted { ($0.name, $0.loss) = (name, .returnWithout) }.rules() == [])
    }

    @Test(
        "counts a reference that a deletion's device may have met, or whose loss is an edit there",
        arguments: ["node", "list", "folder"])
    func notDeletedUnseen(name: String) {
        func rules(_ change: (inout Deleted) -> Void) -> [String] {
            Deleted {
                $0.name = name
                change(&$0)
            }.rules()
        }
        let lost = ["edit lost to a deletion"]
        #expect(rules { $0.loss = .none } == lost)
        #expect(rules { $0.loss = .returnWithReference } == lost)
        #expect(rules { $0.isMet = true } == lost)
        #expect(rules { ($0.hasNext, $0.meetsNext) = (true, true) } == lost)
        #expect(rules { $0.hasTitle = true } == lost)
        // The reference's device has met the deletion.
        #expect(rules { $0.isSettled = true } == lost)
        // The object had a destination when the two last agreed.
        #expect(rules { $0.hasFormer = true } == lost)
    }
}
