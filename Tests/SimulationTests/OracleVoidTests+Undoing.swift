import Seam3
import Testing

@testable import Judge

/// Edits of objects whose deletion was undone, or has lost to another device's edit.
extension OracleVoidTests {
    /// Device 0 deletes an item and undoes this. Then a device changes the title and takes that back. Device 1
    /// deletes the item.
    private struct Undone {
        /// The title in the end.
        var last = "a"
        /// When the server gets the deletion that is undone.
        enum Moment { case never, afterUndoing, before }
        var moment = Moment.afterUndoing
        /// The device that changes the title.
        var editor = 0

        init(_ change: (inout Undone) -> Void = { _ in }) { change(&self) }

        private func item(_ title: String?) -> Snapshot {
            Snapshot(title.map { ["i1": ["title": .text($0)]] } ?? [:])
        }

        func rules(_ policy: Policy = .mergeByProperty) -> [String] {
            var history = History(placeCount: 4)
            history.save(at: 0, showing: item("a"))
            for device in 0...2 { history.sync(device, showing: item("a")) }
            history.save(at: 0, showing: item(nil))
            if moment == .before { history.sync(0, showing: item(nil)) }
            history.save(at: 0, showing: item("a"))
            history.save(at: 1, showing: item(nil))
            if moment != .never { history.sync(0, showing: item("a")) }
            if editor == 2 { history.sync(2, showing: item("a")) }
            for title in ["b", last] { history.save(at: editor, showing: item(title)) }
            for device in [1, editor, 0, 2] { history.sync(device, showing: item(nil)) }
            return Oracle.rules(history, policy, item(nil))
        }
    }

    @Test("does not count what was taken back after a deletion was undone", arguments: [0, 2])
    func takenBackAfterUndoing(editor: Int) {
        #expect(Undone { $0.editor = editor }.rules() == [])
        #expect(Undone { ($0.editor, $0.moment) = (0, .never) }.rules() == [])
    }

    @Test(
        "counts what has changed after a deletion was undone, or was undone after the server had it",
        arguments: [0, 2])
    func changedAfterUndoing(editor: Int) {
        let lost = ["edit lost to a deletion"]
        #expect(Undone { ($0.editor, $0.last) = (editor, "c") }.rules() == lost)
        #expect(Undone { ($0.editor, $0.moment) = (editor, .before) }.rules() == lost)
        #expect(Undone { $0.editor = editor }.rules(.serverRecordWins) == [])
    }

    /// Device 0 deletes a tag, which it has not sent, or of which it does not know an edit by device 2. Another
    /// device's tag or edit wins. Then a device changes the tag and takes that back. Device 1 deletes the tag.
    private struct Overruled {
        /// What wins against device 0's deletion.
        enum Winner { case tag, edit, nothing }
        var winner = Winner.tag
        /// The text of the tag in the end.
        var last: String?
        /// Whether the server lacks the tag before device 2 makes it again.
        var isGone = false
        /// The device that changes the text.
        var editor = 0

        init(_ change: (inout Overruled) -> Void = { _ in }) { change(&self) }

        private func tag(_ text: String? = nil) -> Snapshot {
            Snapshot([
                "twork": ["name": .text("work"), "y": text.map { .text($0) } ?? Value.none]
            ])
        }

        func rules(_ policy: Policy = .mergeByPropertyClientWins) -> [String] {
            var history = History(placeCount: 4)
            let makers = isGone ? [0, 1, 2] : [0, 1]
            for device in winner == .tag ? makers : [1] {
                history.save(at: device, showing: tag())
            }
            history.sync(1, showing: tag())
            if winner != .tag { for device in [0, 2] { history.sync(device, showing: tag()) } }
            for device in [0, 1] { history.save(at: device, showing: Snapshot()) }
            let first = winner == .edit ? "a" : nil
            if winner == .edit {
                history.save(at: 2, showing: tag(first))
                history.sync(2, showing: tag(first))
            }
            if isGone {
                history.sync(0, showing: Snapshot())
                history.sync(2, showing: tag())
            }
            for device in [0, editor] { history.sync(device, showing: tag(first)) }
            for text in ["b", last] {
                history.save(at: editor, showing: tag(text))
                history.sync(editor, showing: tag(text))
            }
            for device in [1, editor, 0, 2] { history.sync(device, showing: Snapshot()) }
            return Oracle.rules(history, policy, Snapshot())
        }
    }

    @Test(
        "does not count what was taken back after a deletion had lost to another device",
        arguments: [0, 2])
    func takenBackAfterLosing(editor: Int) {
        #expect(Overruled { $0.editor = editor }.rules() == [])
    }

    @Test("does not count the edit that a deletion has lost to if its device takes that back")
    func takenBackAfterWinning() {
        #expect(Overruled { ($0.editor, $0.winner) = (2, .edit) }.rules() == [])
    }

    @Test(
        "counts what has changed after a deletion had lost, or had removed the object for a while",
        arguments: [0, 2])
    func changedAfterLosing(editor: Int) {
        let lost = ["edit lost to a deletion"]
        // It was not taken back, or has another value now.
        for last in ["b", "c"] {
            for winner in [Overruled.Winner.tag, .edit] {
                let changed = Overruled {
                    ($0.editor, $0.winner, $0.last) = (editor, winner, last)
                }
                #expect(changed.rules() == lost)
                #expect(changed.rules(.serverRecordWins) == [])
            }
        }
        // Nothing has won against the deletion, or it was there before the other tag.
        #expect(Overruled { ($0.editor, $0.winner) = (editor, .nothing) }.rules() == lost)
        #expect(Overruled { ($0.editor, $0.isGone) = (editor, true) }.rules() == lost)
    }

    /// Device 0 changes the title of a cover, sends this, and deletes the cover. Device 1 deletes it, too, and gets it
    /// back with the title. Device 0 sends its deletion. Then a device that does not know of this changes the cover.
    private struct Returned {
        typealias Values = [String: Value]

        /// What the device makes of the cover, one save after another.
        var edits: [Values] = [["pages": .int(2)], [:]]
        /// The node that it deletes afterwards.
        var deletedNode: String?
        /// What device 1 had made of the cover before it deleted this, and had not sent.
        var unsent: Values?
        /// What has come of the device's first edit before it makes the next one.
        enum Sending { case none, failed, unanswered, done }
        var sending = Sending.none
        /// Whether the pages are new in the model of the others than device 0.
        var isNew = false
        /// Whether the cover is back because device 1 has made it anew, when the server had device 1's deletion.
        var isMadeAnew = false
        /// The device that changes the cover.
        var editor = 1

        init(_ change: (inout Returned) -> Void = { _ in }) { change(&self) }

        private static let gone = Snapshot(["n1": [:], "n2": [:]])

        private func cover(
            _ title: String, _ values: Values = [:], at device: Int = 1
        ) -> Snapshot {
            var former: Values = ["title": .text(title), "node": .object("n1")]
            if !isNew || device > 0 { former["pages"] = Value.none }
            return Snapshot(["c1": former.merging(values) { $1 }, "n1": [:], "n2": [:]])
        }

        private func without(_ node: String?, _ state: Snapshot) -> Snapshot {
            var state = state
            if let node { state.objects[node] = nil }
            return state
        }

        private func send(_ state: Snapshot, _ history: inout History) {
            switch sending {
            case .none: break
            case .failed: history.send(from: editor)
            case .unanswered:
                history.send(from: editor)
                history.look(at: 3, state)
            case .done: history.sync(editor, showing: state)
            }
        }

        func rules(_ policy: Policy = .mergeByPropertyClientTells) -> [String] {
            var history = History(placeCount: 4)
            history.save(at: 0, showing: cover("a", at: 0))
            for device in 0...2 { history.sync(device, showing: cover("a", at: device)) }
            history.save(at: 0, showing: cover("b", at: 0))
            history.sync(0, showing: cover("b", at: 0))
            history.save(at: 0, showing: Self.gone)
            if isMadeAnew { history.sync(1, showing: cover("b")) }
            if let unsent { history.save(at: 1, showing: cover("a", unsent)) }
            history.save(at: 1, showing: Self.gone)
            if isMadeAnew {
                history.sync(1, showing: Self.gone)
                history.save(at: 1, showing: cover("b"))
            }
            history.sync(1, showing: cover("b"))
            if editor == 2 { history.sync(2, showing: cover("b")) }
            if !isMadeAnew { history.sync(0, showing: Self.gone) }
            for (number, values) in edits.enumerated() {
                history.save(at: editor, showing: cover("b", values))
                if number == 0 { send(cover("b", values), &history) }
            }
            if deletedNode != nil {
                let last = (edits.last ?? [:]).merging(["node": .none]) { $1 }
                history.save(at: editor, showing: without(deletedNode, cover("b", last)))
            }
            let final = without(deletedNode, Self.gone)
            for device in [editor, 0, 1, 2] { history.sync(device, showing: final) }
            return Oracle.rules(history, policy, final)
        }
    }

    @Test(
        "does not count what was taken back before it was sent, if another deletion has removed the object",
        arguments: [1, 2])
    func takenBackAfterReturning(editor: Int) {
        func rules(_ edits: [Returned.Values], deletedNode: String? = nil) -> [String] {
            Returned { ($0.editor, $0.edits, $0.deletedNode) = (editor, edits, deletedNode) }
                .rules()
        }
        #expect(rules([["pages": .int(2)], [:]]) == [])
        #expect(rules([["title": .text("c")], [:]]) == [])
        let nodes: [Returned.Values] = [["node": .object("n2")], [:]]
        #expect(rules(nodes) == [])
        #expect(rules(nodes, deletedNode: "n1") == [])
        // The pass that tried to send the edit may have met nothing.
        #expect(Returned { ($0.editor, $0.sending) = (editor, .failed) }.rules() == [])
        #expect(Returned { ($0.editor, $0.isNew) = (editor, true) }.rules() == [])
    }

    @Test(
        "counts an edit of an object that had come back if it was sent, or not taken back completely",
        arguments: [1, 2])
    func changedAfterReturning(editor: Int) {
        let lost = ["edit lost to a deletion"]
        func returned(
            _ edits: Returned.Values..., change: (inout Returned) -> Void = { _ in }
        ) -> Returned {
            Returned {
                ($0.editor, $0.edits) = (editor, edits)
                change(&$0)
            }
        }
        let two: Returned.Values = ["pages": .int(2)]
        let three: Returned.Values = ["pages": .int(3)]
        #expect(returned(two).rules() == lost)
        #expect(returned(two, three).rules() == lost)
        #expect(returned(two, three) { $0.sending = .failed }.rules() == lost)
        #expect(returned(two, three) { $0.isNew = true }.rules() == lost)
        // Only one of two edits is taken back.
        let title: Returned.Values = ["title": .text("c")]
        let both = two.merging(title) { $1 }
        #expect(returned(both, title).rules() == lost)
        #expect(returned(title, both, title).rules() == lost)
        // The title is the one from before the deletions, and not the one with which the object came back.
        #expect(returned(title, ["title": .text("a")]).rules() == lost)
        // The lost destination is not the one with which the object came back.
        let node: Returned.Values = ["node": .object("n2")]
        #expect(returned(node) { $0.deletedNode = "n2" }.rules() == lost)
        // The edit was sent before it was taken back, and so has met the deletion.
        for sending in [Returned.Sending.unanswered, .done] {
            let sent = returned(two, [:]) { $0.sending = sending }
            #expect(sent.rules() == lost)
            #expect(sent.rules(.serverRecordWins) == [])
        }
        // The object is another one.
        #expect(returned(two, [:]) { $0.isMadeAnew = true }.rules() == lost)
    }

    @Test("compares with what an object came back with, not with what has gone with its deletion")
    func goneWithDeletion() {
        func rules(
            _ values: Returned.Values..., sending: Returned.Sending = .none
        ) -> [String] {
            Returned {
                ($0.unsent, $0.edits, $0.sending) = (["pages": .int(1)], values, sending)
            }.rules()
        }
        let lost = ["edit lost to a deletion"]
        let one: Returned.Values = ["pages": .int(1)]
        let two: Returned.Values = ["pages": .int(2)]
        #expect(rules(two, [:]) == [])
        #expect(rules(one, [:]) == [])
        #expect(rules(two, one) == lost)
        #expect(rules(one) == lost)
        #expect(rules(two, [:], sending: .done) == lost)
    }
}
