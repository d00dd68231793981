import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2. Device 0 gets a model that syncs a memo which was local before,
/// and sends its value.
@Suite("The judge's oracle, about values that are sent because a model has begun to sync them")
struct OracleFirstValueTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static let allPolicies = Policy.allCases.filter { $0 != .clientRecordWins }

    private static func node(_ title: String = "a", _ memo: String? = nil) -> Snapshot {
        Snapshot(["n1": ["title": .text(title), "memo": memo.map { .text($0) } ?? .none]])
    }

    /// What device 1 does, and when it gets the model.
    private struct Course {
        /// The title that device 1 writes; nil if it deletes the node.
        var title: String?
        /// Whether it gets the model before that, and whether it ever does.
        var hasModel = false
        var getsModel = true
        /// Whether it has read the record with the model before that, or tried to send its change without the model.
        var hasRead = false
        var hasTried = false
        /// Whether it has also set the memo.
        var setsMemo = false
        /// Whether device 0 has no memo before it gets the model.
        var isEmpty = false
        /// Whether the user of device 0 sets the memo before it is sent.
        var isEdited = false
        /// Whether device 1 syncs first.
        var isFirst = false
    }

    private static func history(_ course: Course) -> History {
        var history = History(known: node())
        func getModel(_ device: Int, _ memo: String? = nil) {
            history.getModel(at: device, lacking: [], syncing: ["memo"])
            guard let memo else { return }
            history.save(at: device, before: node(), after: node("a", memo), isOld: true)
        }
        func change() {
            guard let title = course.title else {
                return history.save(at: 1, showing: Snapshot())
            }
            history.save(at: 1, showing: node(title))
            if course.setsMemo { history.save(at: 1, showing: node(title, "d")) }
        }
        for device in [0, 1] { history.unknownNames[device] = ["memo"] }
        if course.hasModel { getModel(1) }
        if course.hasRead { history.sync(1, showing: node()) }
        change()
        if course.hasTried { history.send(from: 1) }
        getModel(0, course.isEmpty ? nil : "b")
        if course.isEdited { history.save(at: 0, showing: node("a", "c")) }
        let memo = course.isEdited ? "c" : course.isEmpty ? nil : "b"
        if !course.isFirst { history.sync(0, showing: node("a", memo)) }
        if course.getsModel, !course.hasModel { getModel(1) }
        let state = course.title.map { node($0, course.isFirst ? nil : memo) } ?? Snapshot()
        history.sync(1, showing: state)
        history.sync(0, showing: course.title.map { node($0, memo) } ?? Snapshot())
        return history
    }

    // MARK: - Deletions

    @Test(
        "requires that a deletion holds whose device has not read the record with the model before",
        arguments: [Course(), Course(hasModel: true), Course(isFirst: true)] as [Course])
    private func deletion(course: Course) {
        let history = Self.history(course)
        for policy in Policy.allCases {
            #expect(Oracle.rules(history, policy, Snapshot()) == [])
            #expect(Oracle.rules(history, policy, Self.node("a", "b")) == ["deletion undone"])
        }
    }

    @Test(
        "lets the object come back if the deletion's device knew that it had no value, or cannot know the value",
        arguments: [
            Course(hasModel: true, hasRead: true), Course(getsModel: false), Course(hasTried: true),
        ])
    private func takenForEdit(course: Course) {
        let history = Self.history(course)
        for policy in Policy.allCases {
            #expect(Oracle.rules(history, policy, Snapshot()) == [])
            #expect(Oracle.rules(history, policy, Self.node("a", "b")) == [])
        }
    }

    @Test(
        "leaves open whether the object comes back if the user of the other device has edited the value",
        arguments: [false, true], [false, true])
    func edited(isEmpty: Bool, hasModel: Bool) {
        let history = Self.history(
            Course(hasModel: hasModel, isEmpty: isEmpty, isEdited: true))
        for policy in Self.allPolicies {
            #expect(Oracle.rules(history, policy, Snapshot()) == [])
            #expect(Oracle.rules(history, policy, Self.node("a", "c")) == [])
        }
    }

    @Test("requires that such an edit survives if the deletion's device had read the record before")
    func editedAfterReading() {
        let history = Self.history(Course(hasModel: true, hasRead: true, isEdited: true))
        #expect(
            Oracle.rules(history, .mergeByProperty, Snapshot()) == ["edit lost to a deletion"])
    }

    // MARK: - Edits

    @Test(
        "requires that the value competes with no edit of something else",
        arguments: [
            Course(title: "b"), Course(title: "b", hasModel: true),
            Course(title: "b", isFirst: true),
        ])
    private func otherEdit(course: Course) {
        let history = Self.history(course)
        for policy in Policy.allCases {
            #expect(Oracle.rules(history, policy, Self.node("b", "b")) == [])
            #expect(Set(Oracle.rules(history, policy, Self.node("a", "b"))) == ["value lost"])
            let two = Snapshot([
                "n1#0": ["title": .text("a"), "memo": .text("b")],
                "n1#1": ["title": .text("b"), "memo": .text("b")],
            ])
            #expect(Oracle.rules(history, policy, two) == ["doubled"])
        }
    }

    @Test(
        "lets an edit lose to the value if its device had read the record before, or has edited the value, too",
        arguments: [
            Course(title: "b", hasModel: true, hasRead: true), Course(title: "b", getsModel: false),
            Course(title: "b", hasModel: true, setsMemo: true), Course(title: "b", isEdited: true),
        ])
    private func competing(course: Course) {
        let history = Self.history(course)
        let memo = course.isEdited ? "c" : "b"
        #expect(Oracle.rules(history, .serverRecordWins, Self.node("a", memo)) == [])
    }

    @Test("lets both edits hold if one of them may be taken for what a migration sends")
    func bothHold() {
        let history = Self.history(Course(title: "b", isEdited: true))
        for policy in Policy.allCases {
            #expect(Oracle.rules(history, policy, Self.node("b", "c")) == [])
        }
        // The device has read the record, and knows an edit when it meets one.
        let read = Self.history(Course(title: "b", hasModel: true, hasRead: true, isEdited: true))
        #expect(Oracle.rules(read, .serverRecordWins, Self.node("a", "c")) == [])
    }

    // MARK: - Other first values

    /// Device 0 sends the memo "b" because of its new model, and device 1 then sends the memo "c".
    ///
    /// - Parameters:
    ///   - isEdit: Whether the user of device 1 has set its memo with the model, after reading the record.
    ///   - title: The title that the user of device 1 has set.
    ///   - last: The memo that device 0 sets in the end.
    private static func twoValues(
        isEdit: Bool = false, title: String = "a", last: String? = nil
    ) -> History {
        var history = History(known: node())
        for device in [0, 1] { history.unknownNames[device] = ["memo"] }
        if title != "a" { history.save(at: 1, showing: node(title)) }
        if isEdit {
            history.getModel(at: 1, lacking: [], syncing: ["memo"])
            history.sync(1, showing: node(title))
            history.save(at: 1, showing: node(title, "c"))
        }
        history.getModel(at: 0, lacking: [], syncing: ["memo"])
        history.save(at: 0, before: node(), after: node("a", "b"), isOld: true)
        history.sync(0, showing: node("a", "b"))
        if let last {
            history.save(at: 0, showing: node("a", last))
            history.sync(0, showing: node("a", last))
        }
        if !isEdit {
            history.getModel(at: 1, lacking: [], syncing: ["memo"])
            history.save(at: 1, before: node(title), after: node(title, "c"), isOld: true)
        }
        history.send(from: 1)
        return history
    }

    @Test("lets either of two devices' first values win, with or without a copy")
    func twoFirstValues() {
        let history = Self.twoValues()
        for policy in Policy.allCases {
            for memo in ["b", "c"] {
                #expect(Oracle.rules(history, policy, Self.node("a", memo)) == [])
            }
        }
        let two = Snapshot([
            "n1#0": ["title": .text("a"), "memo": .text("b")],
            "n1#1": ["title": .text("a"), "memo": .text("c")],
        ])
        #expect(Oracle.rules(history, .keepBoth, two) == [])
        #expect(Oracle.rules(history, .mergeByProperty, two) == ["doubled"])
    }

    @Test("requires that one of two first values remains under keepBoth")
    func noFirstValue() {
        let rules = Oracle.rules(Self.twoValues(), .keepBoth, Self.node())
        #expect(Set(rules) == ["value lost"])
    }

    @Test("requires no copy of a first value if another one was edited, but the edit")
    func editedFirstValue() {
        let history = Self.twoValues(last: "d")
        #expect(Oracle.rules(history, .keepBoth, Self.node("a", "d")) == [])
        #expect(Oracle.rules(history, .keepBoth, Self.node("a", "c")) == ["value lost"])
    }

    @Test("requires that an edit of something else holds beside two first values")
    func editBesideFirstValues() {
        let history = Self.twoValues(title: "b")
        for policy in Policy.allCases {
            for memo in ["b", "c"] {
                #expect(Oracle.rules(history, policy, Self.node("b", memo)) == [])
                #expect(Set(Oracle.rules(history, policy, Self.node("a", memo))) == ["value lost"])
            }
        }
    }

    @Test("requires a copy if a first value meets an edit of the same attribute")
    func firstValueAndEdit() {
        let history = Self.twoValues(isEdit: true)
        #expect(Oracle.rules(history, .keepBoth, Self.node("a", "b")) == ["value lost"])
        let two = Snapshot([
            "n1#0": ["title": .text("a"), "memo": .text("b")],
            "n1#1": ["title": .text("a"), "memo": .text("c")],
        ])
        #expect(Oracle.rules(history, .keepBoth, two) == [])
    }
}
