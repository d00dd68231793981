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
}
