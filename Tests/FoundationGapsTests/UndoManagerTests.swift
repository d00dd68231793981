import FoundationGaps
import Testing

@Suite struct UndoManagerTests {
    /// A text with an undo manager.
    private final class Page {
        let undoManager = UndoManager()
        private(set) var text = ""

        func write(_ text: String) {
            let old = self.text
            self.text = text
            undoManager.registerUndo(withTarget: self) { $0.write(old) }
        }

        /// Writes texts, each in a separate undo group.
        func writeInGroups(_ texts: String...) {
            for text in texts {
                undoManager.beginUndoGrouping()
                write(text)
                undoManager.endUndoGrouping()
            }
        }
    }

    private let page = Page()
    private var undoManager: UndoManager { page.undoManager }

    @Test("Groups are undone and redone one after the other")
    func undoAndRedo() {
        page.writeInGroups("a", "b", "c")
        #expect(undoManager.canUndo)
        #expect(!undoManager.canRedo)
        undoManager.undo()
        #expect(page.text == "b")
        undoManager.undo()
        #expect(page.text == "a")
        #expect(undoManager.canRedo)
        undoManager.redo()
        undoManager.redo()
        #expect(page.text == "c")
        #expect(!undoManager.canRedo)
        for _ in 0..<5 { undoManager.undo() }
        #expect(page.text == "")
        #expect(!undoManager.canUndo)
    }

    @Test("A new action leaves nothing to redo")
    func newAction() {
        page.writeInGroups("a", "b")
        undoManager.undo()
        page.writeInGroups("c")
        #expect(!undoManager.canRedo)
        undoManager.redo()
        #expect(page.text == "c")
    }

    @Test("Without explicit groups, everything until the undo is one")
    func eventGroup() {
        page.write("a")
        page.write("b")
        #expect(undoManager.groupingLevel == 1)
        undoManager.undo()
        #expect(undoManager.groupingLevel == 0)
        #expect(page.text == "")
        undoManager.redo()
        #expect(page.text == "b")
    }

    @Test("Nested groups are undone with the outer one, or alone")
    func nestedGroups() {
        undoManager.beginUndoGrouping()
        page.write("a")
        undoManager.beginUndoGrouping()
        page.write("b")
        undoManager.endUndoGrouping()
        undoManager.undoNestedGroup()
        #expect(page.text == "a")
        undoManager.endUndoGrouping()
        undoManager.undo()
        #expect(page.text == "")
    }

    @Test("Only as many groups are kept as there are levels")
    func levels() {
        undoManager.levelsOfUndo = 2
        page.writeInGroups("a", "b", "c")
        for _ in 0..<3 { undoManager.undo() }
        #expect(page.text == "a")
        #expect(undoManager.redoCount == 2)
    }

    @Test("Nothing is registered while registration is off, however often")
    func registration() {
        undoManager.disableUndoRegistration()
        undoManager.disableUndoRegistration()
        undoManager.enableUndoRegistration()
        #expect(!undoManager.isUndoRegistrationEnabled)
        page.write("a")
        undoManager.enableUndoRegistration()
        #expect(undoManager.isUndoRegistrationEnabled)
        #expect(!undoManager.canUndo)
    }

    @Test("Actions of a target can be removed, and those of a released one do nothing")
    func targets() {
        let other = Page()
        undoManager.beginUndoGrouping()
        page.write("a")
        undoManager.registerUndo(withTarget: other) { $0.write("undone") }
        undoManager.registerUndo(withTarget: Page()) { _ in Issue.record("The page is gone.") }
        undoManager.endUndoGrouping()
        undoManager.removeAllActions(withTarget: page)
        undoManager.undo()
        #expect(page.text == "a")
        #expect(other.text == "undone")
        undoManager.removeAllActions(withTarget: other)
        #expect(undoManager.undoCount == 0)
    }

    @Test("The name of a group is that of its undo and its redo")
    func names() {
        page.writeInGroups("a")
        undoManager.setActionName("Typing")
        #expect(undoManager.undoActionName == "Typing")
        #expect(undoManager.undoMenuItemTitle == "Undo Typing")
        #expect(undoManager.redoMenuItemTitle == "Redo")
        undoManager.undo()
        #expect(undoManager.redoActionName == "Typing")
        #expect(undoManager.undoMenuItemTitle == "Undo")
    }

    @Test("Observers are notified of groups and of undos, in order")
    func notifications() {
        let expected: [NSNotification.Name] = [
            .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerCheckpoint,
            .NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
            .NSUndoManagerCheckpoint, .NSUndoManagerCheckpoint, .NSUndoManagerWillUndoChange,
            .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
            .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerDidUndoChange,
        ]
        nonisolated(unsafe) var heard: [NSNotification.Name] = []
        let observers = Set(expected).map { name in
            NotificationCenter.default.addObserver(
                forName: name, object: undoManager, queue: nil
            ) { heard.append($0.name) }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        page.writeInGroups("a")
        undoManager.undo()

        #expect(heard.map(\.rawValue) == expected.map(\.rawValue))
    }

    @Test("A use for which Apple's class raises an exception stops the process")
    func misuse() async {
        await #expect(processExitsWith: .failure) { UndoManager().endUndoGrouping() }
        await #expect(processExitsWith: .failure) { UndoManager().enableUndoRegistration() }
        await #expect(processExitsWith: .failure) {
            let undoManager = UndoManager()
            undoManager.groupsByEvent = false
            undoManager.registerUndo(withTarget: undoManager) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            let undoManager = UndoManager()
            undoManager.beginUndoGrouping()
            undoManager.beginUndoGrouping()
            undoManager.undo()
        }
    }
}
