import Seam3
import Testing

@testable import Judge

/// What a device has edited in the same record as a title that meets another one in the new field.
extension OracleFieldTests {
    /// Device 1 gives a node the title "c" in the new field, and device 0 edits the node without
    /// seeing this.
    private struct Unseen {
        /// The title and note after each save of device 0.
        var saves = [("b", "b")]
        /// The note that device 1 has written, and device 0 sees.
        var note = "a"
        /// Whether device 0 gets the model.
        var getsModel = true
        /// Whether it has the model when it saves.
        var hasModel = false
        /// Whether it syncs with the model before its saves.
        var hasReceived = false
        /// Whether it tries to send its saves before it gets the model.
        var tries = true
        /// Whether it syncs between its saves.
        var syncs = false

        init(_ change: (inout Unseen) -> Void = { _ in }) { change(&self) }
    }

    private static func history(_ unseen: Unseen) -> History {
        var history = start()
        edit("c", unseen.note, on: 1, &history)
        pass(0, shows: state("a", unseen.note), &history)
        if unseen.hasModel { getModel(0, &history) }
        if unseen.hasReceived { pass(0, shows: state("c", unseen.note), &history) }
        for (index, (title, note)) in unseen.saves.enumerated() {
            if unseen.syncs, index > 0 { pass(0, &history) }
            history.save(at: 0, showing: state(title, note))
        }
        if unseen.tries { history.send(from: 0) }
        if unseen.getsModel, !unseen.hasModel { getModel(0, &history) }
        history.send(from: 0)
        return history
    }

    private static func rules(
        _ unseen: Unseen, _ policy: Policy, _ title: String, note: String
    ) -> [String] {
        Oracle.rules(history(unseen), policy, state(title, note))
    }

    /// The policies under which the server's record may win as a whole, and is not copied.
    private static let policiesOfRecords = [Policy.serverRecordWins, .clientTellsWhichWins]
    private static let otherPolicies = [
        Policy.clientRecordWins, .keepBoth, .mergeByProperty, .mergeByPropertyClientWins,
        .mergeByPropertyClientTells,
    ]

    /// What lets the record of device 0 meet the other title.
    private static let meeting: [@Sendable (inout Unseen) -> Void] = [
        { _ in }, { $0.tries = false }, { $0.hasModel = true },
        { $0.saves = [("b", "a"), ("b", "b")] }, { $0.saves = [("a", "b"), ("b", "b")] },
    ]

    @Test(
        "lets what is edited with the title be lost with it if the server's record may win",
        arguments: meeting.indices)
    func lostTogether(index: Int) {
        let unseen = Unseen(Self.meeting[index])
        for policy in Self.policiesOfRecords {
            #expect(Self.rules(unseen, policy, "c", note: "a") == [])
            #expect(Self.rules(unseen, policy, "b", note: "b") == [])
            #expect(Self.rules(unseen, policy, "c", note: "z") == ["value lost"])
        }
        for policy in Self.otherPolicies {
            #expect(Self.rules(unseen, policy, "c", note: "a").contains("value lost"))
        }
    }

    /// What does not let it meet another title, or nothing else that it has.
    private static let notMeeting: [@Sendable (inout Unseen) -> Void] = [
        { $0.saves = [("a", "b")] }, { $0.saves = [("c", "b")] }, { $0.getsModel = false },
        { ($0.saves, $0.syncs) = ([("b", "a"), ("b", "b")], true) },
        { ($0.hasModel, $0.hasReceived) = (true, true) },
        { ($0.saves, $0.syncs, $0.hasModel) = ([("b", "a"), ("b", "b")], true, true) },
    ]

    @Test(
        "requires what is edited without the title, or with one that meets no other",
        arguments: notMeeting.indices)
    func notLostTogether(index: Int) {
        let unseen = Unseen(Self.notMeeting[index])
        let title = unseen.hasModel ? "b" : "c"
        for policy in Self.policiesOfRecords + Self.otherPolicies {
            #expect(Self.rules(unseen, policy, title, note: "a").contains("value lost"))
            #expect(Self.rules(unseen, policy, title, note: "b") == [])
        }
    }

    @Test("requires the note of the server's record if the edited one is lost with the title")
    func noteOfServer() {
        let unseen = Unseen { $0.note = "d" }
        for policy in Self.policiesOfRecords {
            #expect(Self.rules(unseen, policy, "c", note: "d") == [])
            #expect(Self.rules(unseen, policy, "c", note: "a") == ["value lost"])
        }
    }
}
