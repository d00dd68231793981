import Seam3
import Testing

@testable import Judge

/// Deletions by a device that has forgotten which version of a record it knew. It cannot tell that version from an
/// object that has been made anew with the same values.
extension OracleForgettingTests {
    /// Device 1 deletes a tag and makes it anew, and device 0 deletes the one that it knew.
    private struct MadeAnew {
        /// What device 0 is told to forget, and when.
        enum Forgetting {
            case never, beforeDeletion, afterDeletion
            /// It syncs afterwards, before it deletes the tag.
            case longAgo
            /// It has only found that its token has expired.
            case tokenOnly
        }

        /// Another object of device 1.
        enum Kind: String {
            case tag = "twork"
            /// One without a natural key.
            case node = "n1"
        }

        /// What has become of device 0's insertion, if device 1 has not made the tag.
        enum Answer {
            case received, lost
            /// It is lost after the deletion, and the one before was received.
            case lostLater
        }

        var kind = Kind.tag
        var forgetting = Forgetting.beforeDeletion
        /// The answer that device 0 got when it sent the tag and its pass failed; nil if the pass succeeded.
        var answer: Answer?
        /// Whether device 0 syncs after that.
        var hasSynced = false
        /// Whether device 1 undoes its deletion, which gives the object its record again.
        var isUndone = false
        /// Whether device 0 has sent or received the tag before it forgets.
        var isExchanged = true
        /// Whether a pass of device 0 that fails shows it an edit between forgetting and deleting.
        var isHeardOf = false
        /// What device 0 has edited without sending it.
        var unsent: [String: Value]?
        /// What the new tag has besides its name.
        var values: [String: Value] = [:]
        /// What device 1 changes afterwards.
        var later: [String: Value]?
        /// Whether device 1 sends the new tag only after device 0 has sent its deletion.
        var isLate = false
        /// Whether device 1 has deleted the tag before it makes it anew. Otherwise it has only edited it twice, so
        /// that nothing is left of that.
        var isDeleted = true

        private func state(_ values: [String: Value] = [:], x: String = "a") -> Snapshot {
            let own: [String: Value] =
                kind == .tag
                ? ["name": .text("work"), "x": .text(x), "y": .none]
                : ["title": .text(x), "count": .int(7)]
            return Snapshot([kind.rawValue: own.merging(values) { $1 }])
        }

        private func history() -> History {
            let isKnown = isExchanged && answer == nil
            var history = isKnown ? History(known: state()) : History(placeCount: 3)
            if let answer {
                history.save(at: 0, showing: state())
                history.send(from: 0)
                history.look(at: 2, state())
                if answer == .lost { history.noteLostAnswers(to: 0) }
                history.sync(1, showing: state())
                if hasSynced { history.sync(0, showing: state()) }
            } else if !isExchanged {
                history.save(at: 1, showing: state())
                history.sync(1, showing: state())
                history.save(at: 0, showing: state())
            }
            if let unsent { history.save(at: 0, showing: state(unsent)) }
            if [.beforeDeletion, .longAgo].contains(forgetting) { history.sendAgain(from: 0) }
            if forgetting == .tokenOnly { history.sendAgain(from: 0, forgetsVersions: false) }
            if forgetting == .longAgo { history.sync(0, showing: state()) }
            if isHeardOf {
                history.save(at: 1, showing: state(x: "b"))
                history.sync(1, showing: state(x: "b"))
                history.send(from: 0)
                history.look(at: 0, state(x: "b"))
            }
            let x = isHeardOf ? "b" : "a"
            history.save(at: 1, showing: isDeleted ? Snapshot() : state(x: "c"))
            history.sync(1, showing: isDeleted ? Snapshot() : state(x: "c"))
            history.save(at: 0, showing: Snapshot())
            if forgetting == .afterDeletion { history.sendAgain(from: 0) }
            let count = history.edits.count
            history.save(at: 1, showing: state(values, x: x))
            if isUndone { history.noteUndoing(since: count) }
            if answer == .lostLater {
                history.send(from: 0)
                history.noteLostAnswers(to: 0)
            }
            if isLate { history.sync(0, showing: Snapshot()) }
            history.sync(1, showing: state(values, x: x))
            if let later {
                history.save(at: 1, showing: state(later, x: x))
                history.sync(1, showing: state(later, x: x))
            }
            return history
        }

        /// The rules that are broken if the object is gone in the end.
        func rulesIfGone(_ policy: Policy = .keepBoth) -> [String] {
            var history = history()
            for device in [0, 1] { history.sync(device, showing: Snapshot()) }
            return Oracle.rules(history, policy, Snapshot())
        }

        /// Those that are broken if the new one is there.
        func rulesIfThere(_ policy: Policy) -> [String] {
            var history = history()
            for device in [0, 1] { history.sync(device, showing: state(values)) }
            return Oracle.rules(history, policy, state(values))
        }
    }

    private static let surviving: [Policy] = [
        .clientTellsWhichWins, .keepBoth, .mergeByProperty, .mergeByPropertyClientWins,
        .mergeByPropertyClientTells,
    ]

    @Test("lets a device that has forgotten a tag delete one that was made anew just like it")
    func madeAnew() {
        for policy in Self.surviving {
            #expect(MadeAnew().rulesIfGone(policy) == [])
            #expect(MadeAnew().rulesIfThere(policy) == [])
            // As ever, what has been taken back is no edit.
            #expect(MadeAnew(isDeleted: false).rulesIfGone(policy) == [])
            #expect(MadeAnew(forgetting: .never, isDeleted: false).rulesIfGone(policy) == [])
        }
    }

    @Test("lets it also delete one that is just like the tag that it had before its own edits")
    func unsentEdits() {
        for unsent in [["x": Value.text("b")], ["y": .text("b")]] {
            for values in [[:], unsent] {
                let story = MadeAnew(unsent: unsent, values: values)
                #expect(story.rulesIfGone() == [])
            }
        }
        // It has never had such a tag.
        let mixed = MadeAnew(
            unsent: ["x": .text("b"), "y": .text("b")], values: ["x": .text("b")])
        #expect(mixed.rulesIfGone() == ["edit lost to a deletion"])
    }

    @Test("misses a tag that was made anew and differs from the one that was forgotten")
    func differs() {
        let lost = ["edit lost to a deletion"]
        for policy in Self.surviving {
            #expect(MadeAnew(values: ["y": .text("b")]).rulesIfGone(policy) == lost)
            #expect(MadeAnew(values: ["x": .text("b")]).rulesIfGone(policy) == lost)
            #expect(MadeAnew(values: ["x": .none]).rulesIfGone(policy) == lost)
            #expect(MadeAnew(later: ["y": .text("b")]).rulesIfGone(policy) == lost)
        }
    }

    @Test("misses a tag that was made anew if the deletion's device knew which version it deleted")
    func knows() {
        let lost = ["edit lost to a deletion"]
        for policy in Self.surviving {
            #expect(MadeAnew(forgetting: .never).rulesIfGone(policy) == lost)
            #expect(MadeAnew(forgetting: .afterDeletion).rulesIfGone(policy) == lost)
            #expect(MadeAnew(forgetting: .longAgo).rulesIfGone(policy) == lost)
            #expect(MadeAnew(forgetting: .tokenOnly).rulesIfGone(policy) == lost)
            #expect(MadeAnew(isHeardOf: true).rulesIfGone(policy) == lost)
            // There was nothing to forget.
            #expect(MadeAnew(isExchanged: false).rulesIfGone(policy) == lost)
        }
    }

    @Test("misses an object that was made anew if the deletion cannot have met it")
    func cannotMeet() {
        let lost = ["edit lost to a deletion"]
        for policy in Self.surviving {
            #expect(MadeAnew(isLate: true).rulesIfGone(policy) == lost)
            // Without a natural key, it has another record.
            #expect(MadeAnew(kind: .node).rulesIfGone(policy) == lost)
        }
    }

    private static func undone(
        _ forgetting: MadeAnew.Forgetting = .beforeDeletion, _ values: [String: Value] = [:],
        isLate: Bool = false
    ) -> MadeAnew {
        MadeAnew(
            kind: .node, forgetting: forgetting, isUndone: true, values: values, isLate: isLate)
    }

    @Test("lets a device that has forgotten an object delete one that an undo has brought back")
    func undone() {
        let lost = ["edit lost to a deletion"]
        for policy in Self.surviving {
            #expect(Self.undone().rulesIfGone(policy) == [])
            #expect(Self.undone().rulesIfThere(policy) == [])
            for forgetting in [MadeAnew.Forgetting.never, .afterDeletion, .longAgo, .tokenOnly] {
                #expect(Self.undone(forgetting).rulesIfGone(policy) == lost)
            }
            let differing = Self.undone(.beforeDeletion, ["count": .int(8)])
            #expect(differing.rulesIfGone(policy) == lost)
            #expect(Self.undone(isLate: true).rulesIfGone(policy) == lost)
        }
        var story = Self.undone()
        story.isHeardOf = true
        #expect(story.rulesIfGone() == lost)
        story = Self.undone()
        story.later = ["title": .text("b")]
        #expect(story.rulesIfGone() == lost)
    }

    /// Device 0 has sent the object, and has never forgotten anything.
    private static func sent(
        _ kind: MadeAnew.Kind, _ answer: MadeAnew.Answer, values: [String: Value] = [:]
    ) -> MadeAnew {
        MadeAnew(
            kind: kind, forgetting: .never, answer: answer, isUndone: kind == .node,
            values: values)
    }

    @Test("lets a device without an answer delete what was made anew like the object that it sent")
    func unanswered() {
        for kind in [MadeAnew.Kind.tag, .node] {
            for policy in Self.surviving {
                let story = Self.sent(kind, .lost)
                #expect(story.rulesIfGone(policy) == [])
                #expect(story.rulesIfThere(policy) == [])
            }
        }
        // It need not have sent its own edits.
        var story = Self.sent(.tag, .lost)
        story.unsent = ["y": .text("b")]
        #expect(story.rulesIfGone() == [])
    }

    @Test("misses an object that was made anew if the one sent before differs, or was heard of")
    func unansweredDiffers() {
        let lost = ["edit lost to a deletion"]
        for (kind, name) in [(MadeAnew.Kind.tag, "y"), (.node, "title")] {
            for policy in Self.surviving {
                let differing = Self.sent(kind, .lost, values: [name: .text("b")])
                #expect(differing.rulesIfGone(policy) == lost)
                #expect(Self.sent(kind, .received).rulesIfGone(policy) == lost)
                #expect(Self.sent(kind, .lostLater).rulesIfGone(policy) == lost)
            }
            let changes: [(inout MadeAnew) -> Void] = [
                { $0.hasSynced = true }, { $0.isHeardOf = true }, { $0.isLate = true },
                { $0.later = [name: .text("b")] },
            ]
            for change in changes {
                var story = Self.sent(kind, .lost)
                change(&story)
                #expect(story.rulesIfGone() == lost)
            }
        }
        var story = Self.sent(.node, .lost)
        story.isUndone = false
        #expect(story.rulesIfGone() == lost)
    }
}
