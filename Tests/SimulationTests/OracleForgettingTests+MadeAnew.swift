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

        var kind = Kind.tag
        var forgetting = Forgetting.beforeDeletion
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
            var history = isExchanged ? History(known: state()) : History(placeCount: 3)
            if !isExchanged {
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
            history.save(at: 1, showing: state(values, x: x))
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
}
