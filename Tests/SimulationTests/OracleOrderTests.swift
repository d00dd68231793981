import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which both change the order of a list.
@Suite("The judge's oracle, about orders")
struct OracleOrderTests {
    /// Device 0 moves n2 to the front, and changes another property of the list. Device 1 gets that and appends n3.
    private struct Story {
        /// The other property.
        var name = "title"
        /// Whether device 0 changes both in one save.
        var isOneSave = false
        /// Whether the move arrives, too.
        var isMoved = false

        init(_ change: (inout Story) -> Void = { _ in }) { change(&self) }

        private func list(_ nodes: String..., isChanged: Bool = false) -> Snapshot {
            let titles = [Value.text("a"), .text("b")]
            let picks = [Value.ordered(["n1", "n2"]), .ordered(["n2", "n1"])]
            var all: [String: [String: Value]] = [
                "l1": [
                    "nodes": .ordered(nodes), "title": titles[name == "title" && isChanged ? 1 : 0],
                    "picks": picks[name == "picks" && isChanged ? 1 : 0],
                ]
            ]
            for node in ["n1", "n2", "n3"] {
                all[node] = ["list": nodes.contains(node) ? .object("l1") : Value.none]
            }
            return Snapshot(all)
        }

        /// The rules that the end breaks, in which the list has the move or not.
        func rules(hasMove: Bool) -> [String] {
            var history = History(known: list("n1", "n2"))
            if !isOneSave { history.save(at: 0, showing: list("n2", "n1")) }
            history.save(at: 0, showing: list("n2", "n1", isChanged: true))
            history.send(from: 0)
            let (sent, appended) =
                isMoved
                ? (list("n2", "n1", isChanged: true), list("n2", "n1", "n3", isChanged: true))
                : (list("n1", "n2", isChanged: true), list("n1", "n2", "n3", isChanged: true))
            history.sync(1, showing: sent)
            history.save(at: 1, showing: appended)
            return Oracle.rules(
                history, .mergeByProperty,
                hasMove
                    ? list("n2", "n1", "n3", isChanged: true)
                    : list("n1", "n2", "n3", isChanged: true))
        }
    }

    @Test(
        "lets an order that has not arrived hold, although another property of its object has",
        arguments: ["title", "picks"], [false, true])
    func otherProperty(name: String, isOneSave: Bool) {
        let story = Story { ($0.name, $0.isOneSave) = (name, isOneSave) }
        #expect(story.rules(hasMove: true) == [])
        #expect(story.rules(hasMove: false) == [])
    }

    @Test("requires an order that has arrived", arguments: ["title", "picks"], [false, true])
    func arrived(name: String, isOneSave: Bool) {
        let story = Story { ($0.name, $0.isOneSave, $0.isMoved) = (name, isOneSave, true) }
        #expect(story.rules(hasMove: true) == [])
        #expect(story.rules(hasMove: false) == ["order lost"])
    }

    // MARK: - Moves

    /// A list with its members, of which the second one may have another title, or be gone.
    private static func members(_ nodes: [String], title: String = "a") -> Snapshot {
        var all: [String: [String: Value]] = ["l1": ["nodes": .ordered(nodes)]]
        for node in nodes { all[node] = ["list": .object("l1"), "title": .text("a")] }
        if nodes.contains("n2") { all["n2"]?["title"] = .text(title) }
        return Snapshot(all)
    }

    /// The rules that an end breaks after two devices have changed the list of four at the same time.
    private static func rules(
        _ first: Snapshot, _ second: Snapshot, _ final: Snapshot,
        _ policy: SMSyncConflictResolutionPolicy = .serverRecordWins, count: Int = 4
    ) -> [String] {
        var history = History(known: members((1...count).map { "n\($0)" }))
        history.save(at: 0, showing: first)
        history.save(at: 1, showing: second)
        for device in [0, 1] { history.send(from: device) }
        return Oracle.rules(history, policy, final)
    }

    @Test(
        "lets no edit or deletion lose to a move of the member or of the ones beside it",
        arguments: [["n2", "n1", "n3", "n4"], ["n4", "n1", "n2", "n3"]],
        SMSyncConflictResolutionPolicy.allCases)
    func moved(order: [String], policy: SMSyncConflictResolutionPolicy) {
        let edited = Self.members(["n1", "n2", "n3", "n4"], title: "b")
        let deleted = Self.members(["n1", "n3", "n4"])
        func rules(_ other: Snapshot, _ end: Snapshot) -> [String] {
            Self.rules(Self.members(order), other, end, policy)
        }
        #expect(rules(edited, Self.members(order, title: "b")) == [])
        #expect(rules(edited, Self.members(order)) == ["value lost"])
        #expect(rules(deleted, Self.members(order.filter { $0 != "n2" })) == [])
        #expect(rules(deleted, Self.members(order)) == ["deletion undone"])
    }

    @Test("lets no move past several members lose to the move of another one")
    func move() {
        let (first, second) = (
            Self.members(["n2", "n3", "n4", "n5", "n1", "n6"]),
            Self.members(["n1", "n2", "n6", "n3", "n4", "n5"])
        )
        func rules(_ order: String...) -> [String] {
            Self.rules(first, second, Self.members(order), .mergeByProperty, count: 6)
        }
        #expect(rules("n2", "n6", "n3", "n4", "n5", "n1") == [])
        #expect(rules("n2", "n6", "n3", "n1", "n4", "n5") == [])
        #expect(rules("n1", "n2", "n6", "n3", "n4", "n5") == ["move lost"])
    }
}
