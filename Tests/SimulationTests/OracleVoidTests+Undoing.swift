import Seam3
import Testing

@testable import Judge

/// Edits of objects whose deletion was undone.
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
}
