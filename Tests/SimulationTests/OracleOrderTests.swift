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
}
