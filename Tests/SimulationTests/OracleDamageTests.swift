import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which the names of files in a device's file are damaged.
@Suite("The judge's oracle, with values lost to damage")
struct OracleDamageTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static func node(_ values: [String: Value]) -> Snapshot { Snapshot(["n1": values]) }

    @Test(
        "decides that an edit survives if it has another value, or arrived before the damage",
        arguments: [false, true], [false, true])
    func damage(hasTitle: Bool, isSent: Bool) {
        let before: [String: Value] = ["title": .text("a"), "photo": .none]
        var history = History(known: Self.node(before))
        var after = before
        after["photo"] = .data(200_000)
        if hasTitle { after["title"] = .text("b") }
        history.save(at: 1, before: Self.node(before), after: Self.node(after))
        if isSent {
            history.send(from: 1)
            history.look(at: 2, Self.node(after))
        }
        history.lostNames = ["photo"]
        history.lose("photo", of: "n1", at: 0)
        history.lose("photo", of: "n1", at: 1)
        after["photo"] = Value.none
        history.look(at: 1, Self.node(after))
        history.save(at: 0, before: Self.node(before), after: Snapshot())
        let isDecided = hasTitle || isSent
        #expect(
            Oracle.rules(history, .mergeByProperty, Snapshot())
                == (isDecided ? ["edit lost to a deletion"] : []))
        // It still counts if the object is there.
        #expect(
            !Oracle.rules(history, .mergeByProperty, Self.node(after)).contains("deletion undone"))
    }

    @Test("decides that an edit survives if only another device has lost its value to damage")
    func damageElsewhere() {
        let before = Self.node(["photo": .none])
        var history = History(known: before)
        history.save(at: 1, before: before, after: Self.node(["photo": .data(200_000)]))
        history.lostNames = ["photo"]
        history.lose("photo", of: "n1", at: 0)
        history.save(at: 0, before: before, after: Snapshot())
        #expect(
            Oracle.rules(history, .mergeByProperty, Snapshot()) == ["edit lost to a deletion"])
    }

    /// Device 1 changes a node and loses its photo to damage, and another device, 0, changes or deletes the node.
    private struct Contest {
        /// What the devices change. The second one may also give it a title, and take that back.
        var first: [String: Value] = ["count": .int(8)]
        var second: [String: Value] = ["photo": .data(200_000)]
        var isTakenBack = false
        var isDeleted = false
        /// The device that syncs first.
        var earlier = 1
        /// Whether the server has the photo before the damage.
        var hasArrived = false

        init(_ change: (inout Contest) -> Void = { _ in }) { change(&self) }

        static let old: [String: Value] = [
            "title": .text("a"), "count": .int(7), "photo": .none,
        ]

        private func changed(_ values: [String: Value]) -> [String: Value] {
            Self.old.merging(values) { $1 }
        }

        private var history: History {
            var history = History(known: node(Self.old))
            let (ours, theirs) = (isDeleted ? Snapshot() : node(changed(first)), changed(second))
            history.lostNames = ["photo"]
            // Nobody has seen the loss yet.
            history.save(at: 0, showing: ours)
            if isTakenBack {
                let titled = theirs.merging(["title": .text("b")]) { $1 }
                history.save(at: 1, showing: node(titled))
                history.save(at: 1, showing: node(theirs))
            } else {
                history.save(at: 1, showing: node(theirs))
            }
            if hasArrived { history.sync(1, showing: node(theirs)) }
            history.lose("photo", of: "n1", at: 1)
            let rest = node(changed(second.filter { $0.key != "photo" }))
            history.look(at: 1, rest)
            if earlier == 0 { history.sync(0, showing: ours) }
            if !hasArrived { history.sync(1, showing: earlier == 0 ? ours : rest) }
            if earlier == 1 { history.send(from: 0) }
            return history
        }

        /// - Parameter values: What the object has in the end that it did not have before; nil if it is gone.
        func rules(_ policy: Policy, _ values: [String: Value]?) -> [String] {
            var oracle = Oracle(
                history: history, policy: policy, raced: [],
                final: values.map { node(changed($0)) } ?? Snapshot())
            oracle.looseNames = ["photo"]
            oracle.judge()
            return oracle.violations.map(\.rule)
        }
    }

    @Test("does not decide by an edit whose value was lost whether a deletion wins")
    func deletion() {
        for earlier in [0, 1] {
            for policy in [Policy.serverRecordWins, .clientRecordWins, .mergeByProperty] {
                for values in [nil, [:]] as [[String: Value]?] {
                    func rules(_ change: (inout Contest) -> Void) -> [String] {
                        Contest {
                            ($0.isDeleted, $0.earlier) = (true, earlier)
                            change(&$0)
                        }.rules(policy, values)
                    }
                    #expect(rules { _ in } == [])
                    // What else its device has changed was taken back.
                    #expect(rules { $0.isTakenBack = true } == [])
                }
            }
        }
    }

    @Test("decides by an edit that has another value, or arrived before the damage")
    func decidedDeletion() {
        func rules(
            _ policy: Policy, _ values: [String: Value]?, _ change: (inout Contest) -> Void
        ) -> [String] {
            Contest {
                $0.isDeleted = true
                change(&$0)
            }.rules(policy, values)
        }
        let second: [String: Value] = ["title": .text("b"), "photo": .data(200_000)]
        let title: [String: Value] = ["title": .text("b")]
        let wrong = ["policy not followed"]
        #expect(rules(.serverRecordWins, nil) { $0.second = second } == wrong)
        #expect(rules(.serverRecordWins, title) { $0.second = second } == [])
        #expect(rules(.clientRecordWins, title) { $0.second = second } == wrong)
        #expect(rules(.serverRecordWins, nil) { $0.hasArrived = true } == wrong)
        #expect(rules(.clientRecordWins, [:]) { $0.hasArrived = true } == wrong)
        #expect(
            rules(.serverRecordWins, title) { ($0.second, $0.earlier) = (second, 0) } == wrong)
    }

    @Test(
        "does not decide by an edit whose value was lost which version wins",
        arguments: [Policy.serverRecordWins, .clientRecordWins, .clientTellsWhichWins], [0, 1])
    func version(policy: Policy, earlier: Int) {
        for values in [[:], ["count": .int(8)]] as [[String: Value]] {
            #expect(Contest { $0.earlier = earlier }.rules(policy, values) == [])
        }
        #expect(
            Contest { $0.earlier = earlier }.rules(policy, ["count": .int(9)]) == ["value lost"])
    }

    @Test("decides which version wins if one has another value, or arrived before the damage")
    func decidedVersion() {
        let wrong = ["policy not followed"]
        let count: [String: Value] = ["count": .int(8)]
        #expect(Contest { $0.hasArrived = true }.rules(.clientTellsWhichWins, count) == wrong)
        #expect(Contest { $0.hasArrived = true }.rules(.clientTellsWhichWins, [:]) == [])
        let second: [String: Value] = ["count": .int(9), "photo": .data(200_000)]
        #expect(Contest { $0.second = second }.rules(.clientTellsWhichWins, count) == wrong)
        #expect(
            Contest { $0.second = second }.rules(.clientTellsWhichWins, ["count": .int(9)]) == [])
    }
}
