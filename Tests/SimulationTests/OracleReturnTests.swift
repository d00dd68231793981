import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which device 0 deletes the destination of a reference,
/// and device 1 edits it.
@Suite("The judge's oracle, with references whose destinations come back")
struct OracleReturnTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    static let merging: [Policy] = [
        .mergeByProperty, .mergeByPropertyClientWins, .mergeByPropertyClientTells,
    ]
    static let all: [Policy] = merging + [.serverRecordWins, .clientTellsWhichWins]

    /// A cover with a node, or a node with a list or a folder.
    struct State {
        var name = "node"
        /// The number of the destination.
        var target: Int? = 1
        var title = "a"
        /// The title of the first destination; nil if that is not there.
        var first: String? = "a"
        var isLinked = false
        /// Whether the object that has the reference is there.
        var hasReferrer = true

        var referrer: String { name == "node" ? "c1" : "n9" }

        func destination(_ number: Int) -> String {
            (["node": "n", "list": "l"][name] ?? "f") + "\(number)"
        }

        var snapshot: Snapshot {
            var objects: [String: [String: Value]] = [
                destination(2): ["title": .text("a")], destination(3): ["title": .text("a")],
                referrer: [
                    name: target.map { .object(destination($0)) } ?? .none, "title": .text(title),
                ],
            ]
            if !hasReferrer { objects[referrer] = nil }
            if let first { objects[destination(1)] = ["title": .text(first)] }
            if isLinked { objects[destination(1)]?["friends"] = .objects([destination(2)]) }
            return Snapshot(objects)
        }

        func with(_ change: (inout State) -> Void) -> State {
            var state = self
            change(&state)
            return state
        }
    }

    /// Whether device 0 can send the deletion before it meets the edit of the destination.
    enum Sending { case no, perhaps, yes }

    /// Device 1 has edited the destination, and possibly the referrer. Device 0 has deleted the destination, meets
    /// the edit, and shows a state then.
    ///
    /// - Parameter hasSynced: Whether device 1 has synced after that.
    static func history(
        from start: State = State(), _ sending: Sending = .no,
        theirs: (inout State) -> Void = { _ in },
        before: [State] = [], ours: (inout State) -> Void = { _ in }, shown: State,
        hasSynced: Bool = true
    ) -> History {
        var history = History(known: start.snapshot)
        let edited = start.with { $0.first = "b" }.with(theirs)
        history.save(at: 1, showing: edited.snapshot)
        if sending == .no { history.sync(1, showing: edited.snapshot) }
        for state in before { history.save(at: 0, showing: state.snapshot) }
        let deleted = (before.last ?? start).with { ($0.target, $0.first) = (nil, nil) }.with(ours)
        history.save(at: 0, showing: deleted.snapshot)
        switch sending {
        case .no: break
        case .perhaps: history.send(from: 0)
        case .yes: history.sync(0, showing: deleted.snapshot)
        }
        if sending != .no { history.sync(1, showing: shown.snapshot) }
        history.sync(0, showing: shown.snapshot)
        if hasSynced { history.sync(1, showing: shown.snapshot) }
        return history
    }

    static let back = State().with { $0.first = "b" }

    @Test("requires that a reference comes back with its destination", arguments: all)
    func comesBack(policy: Policy) {
        for name in ["node", "list", "folder"] {
            let back = Self.back.with { $0.name = name }
            func rules(_ target: Int?) -> [String] {
                let shown = back.with { $0.target = target }
                let history = Self.history(from: State(name: name), shown: shown)
                return Oracle.rules(history, policy, shown.snapshot)
            }
            #expect(rules(1) == [])
            #expect(rules(nil) == ["value lost"])
            #expect(rules(2) == ["value lost"])
        }
    }

    @Test("judges the pass with which a reference comes back, and no other device for it")
    func pass() {
        let nothing = Self.back.with { $0.target = nil }
        let history = Self.history(shown: nothing)
        let policy = Policy.mergeByProperty
        #expect(Oracle.rules(history, policy, nothing.snapshot, at: 0) == ["value lost"])
        #expect(Oracle.rules(history, policy, nothing.snapshot, at: 1) == [])
        #expect(Oracle.rules(history, policy, Self.back.snapshot, at: 0) == [])
    }

    @Test("lets a reference come back that its device had not sent, or be nil", arguments: merging)
    func unsent(policy: Policy) {
        for name in ["node", "list", "folder"] {
            let state = State(name: name)
            let starts = [
                state.with { $0.target = nil }, state.with { $0.target = 2 },
                state.with { $0.hasReferrer = false },
            ]
            // A reference that was there before may also have been changed in between.
            for (start, before) in starts.map({ ($0, [state]) }) + [(state, [starts[1], state])] {
                func history(_ target: Int?) -> (History, Snapshot) {
                    let shown = state.with { ($0.target, $0.first) = (target, "b") }
                    return (Self.history(from: start, before: before, shown: shown), shown.snapshot)
                }
                for target in [1, nil, 2] {
                    let (history, shown) = history(target)
                    let expected = target == 2 ? ["value lost"] : []
                    #expect(Oracle.rules(history, policy, shown) == expected)
                    #expect(Oracle.rules(history, policy, shown, at: 0) == expected)
                }
                // The nil that was sent stands.
                #expect(
                    Oracle.rules(history(nil).0, policy, history(1).1) == ["value lost"])
            }
        }
    }

    /// What becomes of the request with which device 0 sends a reference.
    enum Answer: CaseIterable { case received, lost, none }

    @Test(
        "requires a reference only if its device knew that the server had it",
        arguments: Answer.allCases, [false, true])
    func unanswered(answer: Answer, succeeds: Bool) {
        let (start, sent) = (State(target: nil), State())
        for policy in Self.merging {
            func rules(_ target: Int?) -> [String] {
                let shown = Self.back.with { $0.target = target }
                var history = History(known: start.snapshot)
                history.save(at: 0, showing: sent.snapshot)
                history.send(from: 0)
                if answer == .lost { history.noteLostAnswers(to: 0) }
                let arrived = answer == .none ? start : sent
                history.look(at: 2, arrived.snapshot)
                if succeeds { history.sync(0, showing: sent.snapshot) }
                let edited = (succeeds ? sent : arrived).with { $0.first = "b" }
                history.save(at: 1, showing: start.with { $0.first = "b" }.snapshot)
                history.sync(1, showing: edited.snapshot)
                history.save(
                    at: 0, showing: sent.with { ($0.target, $0.first) = (nil, nil) }.snapshot)
                history.sync(0, showing: shown.snapshot)
                history.sync(1, showing: shown.snapshot)
                return Oracle.rules(history, policy, shown.snapshot)
            }
            #expect(rules(1) == [])
            #expect(rules(nil) == (succeeds || answer == .received ? ["value lost"] : []))
            #expect(rules(2) == ["value lost"])
        }
    }

    @Test("lets a reference be nil if that has perhaps been sent, and requires it if it was sent")
    func sent() {
        for policy in Self.merging {
            for sending in [Sending.perhaps, .yes] {
                func rules(_ target: Int?) -> [String] {
                    let shown = Self.back.with { $0.target = target }
                    return Oracle.rules(
                        Self.history(sending, shown: shown), policy, shown.snapshot)
                }
                #expect(rules(nil) == [])
                #expect(rules(1) == (sending == .yes ? ["value lost"] : []))
                #expect(rules(2) == ["value lost"])
            }
        }
    }

    @Test("objects if a reference comes back that a user has removed before the deletion")
    func removedBefore() {
        let removed = State(target: nil)
        for policy in Self.all {
            func rules(_ shown: State) -> [String] {
                Oracle.rules(
                    Self.history(before: [removed], shown: shown), policy, shown.snapshot)
            }
            #expect(rules(Self.back) == ["value lost"])
            #expect(rules(Self.back.with { $0.target = nil }) == [])
        }
    }

    @Test("objects if a reference is undone that a user has removed or set since", arguments: all)
    func changedSince(policy: Policy) {
        for target in [nil, 2] {
            let changed = Self.back.with { $0.target = target }
            var history = Self.history(shown: Self.back)
            history.save(at: 0, showing: changed.snapshot)
            #expect(Oracle.rules(history, policy, changed.snapshot) == [])
            history.sync(0, showing: changed.snapshot)
            #expect(Oracle.rules(history, policy, Self.back.snapshot) == ["value lost"])
        }
    }

    @Test("objects if a reference is undone that a user has set while it was nil", arguments: all)
    func changedMeanwhile(policy: Policy) {
        let start = State()
        for last in [nil, 2] {
            func rules(_ shown: State) -> [String] {
                var history = History(known: start.snapshot)
                history.save(at: 1, showing: start.with { $0.first = "b" }.snapshot)
                history.sync(1, showing: start.with { $0.first = "b" }.snapshot)
                for target in last == nil ? [nil, 2, nil] : [nil, 2] {
                    history.save(
                        at: 0,
                        showing: start.with { ($0.target, $0.first) = (target, nil) }.snapshot)
                }
                history.sync(0, showing: shown.snapshot)
                return Oracle.rules(history, policy, shown.snapshot)
            }
            #expect(rules(Self.back.with { $0.target = last }) == [])
            #expect(rules(Self.back) == ["value lost"])
        }
    }

    @Test("requires the reference that another device has set instead", arguments: merging)
    func ledElsewhere(policy: Policy) {
        func rules(_ target: Int?) -> [String] {
            let shown = Self.back.with { $0.target = target }
            let history = Self.history(theirs: { $0.target = 2 }, shown: shown)
            return Oracle.rules(history, policy, shown.snapshot)
        }
        #expect(rules(2) == [])
        #expect(rules(1) == ["value lost"])
        #expect(rules(nil) == ["value lost"])
    }

    @Test("requires the other properties that another device has edited", arguments: all)
    func otherProperties(policy: Policy) {
        func rules(_ title: String, _ target: Int?) -> [String] {
            let shown = Self.back.with { ($0.title, $0.target) = (title, target) }
            let history = Self.history(theirs: { $0.title = "b" }, shown: shown)
            return Oracle.rules(history, policy, shown.snapshot)
        }
        #expect(rules("b", 1) == [])
        #expect(rules("a", 1) == ["value lost"])
        #expect(rules("b", nil) == ["value lost"])
    }

    @Test("lets a reference come back with what the same save has edited")
    func editedTogether() {
        let shown = Self.back.with { $0.title = "c" }
        for policy in Self.all {
            let history = Self.history(ours: { $0.title = "c" }, shown: shown)
            #expect(Oracle.rules(history, policy, shown.snapshot) == [])
            #expect(Oracle.rules(history, policy, Self.back.snapshot) == ["value lost"])
        }
        // One of the records may win as a whole.
        let history = Self.history(
            theirs: { $0.target = 2 }, ours: { $0.title = "c" }, shown: shown)
        #expect(Oracle.rules(history, .clientTellsWhichWins, shown.snapshot) == [])
        #expect(Oracle.rules(history, .mergeByProperty, shown.snapshot) == ["value lost"])
    }

    @Test("allows no copy because of a reference that has come back")
    func copies() {
        var two = Self.back.with { $0.title = "b" }.snapshot
        let history = Self.history(
            theirs: { $0.title = "b" }, shown: Self.back.with { $0.title = "b" })
        #expect(Oracle.rules(history, .keepBoth, two) == [])
        two.objects["copy"] = two.objects["c1"]
        #expect(Oracle.rules(history, .keepBoth, two) == ["doubled"])
    }

    @Test("objects if a reference comes back with an object that a user has made again")
    func madeAgain() {
        let (start, policy) = (State(), Policy.mergeByProperty)
        for target in [nil, 1] {
            var history = History(known: start.snapshot)
            history.save(at: 0, showing: start.with { ($0.target, $0.first) = (nil, nil) }.snapshot)
            history.save(at: 0, showing: start.with { $0.target = nil }.snapshot)
            let shown = start.with { $0.target = target }
            history.sync(0, showing: shown.snapshot)
            #expect(
                Oracle.rules(history, policy, shown.snapshot)
                    == (target == nil ? [] : ["value lost"]))
        }
    }

    @Test("lets pairs of an object come back with it, or not", arguments: [false, true])
    func pairs(isLinked: Bool) {
        let shown = Self.back.with { $0.isLinked = isLinked }
        let history = Self.history(from: State(isLinked: true), shown: shown)
        for policy in Self.all {
            #expect(Oracle.rules(history, policy, shown.snapshot) == [])
        }
    }
}
