import Seam3
import Testing

@testable import Judge

/// References that have come back with their destinations, and that device 1 leads elsewhere then. It does not know that
/// they were nil.
extension OracleReturnTests {
    /// What becomes of the first destination after device 1 has led the reference elsewhere.
    enum Fate: CaseIterable { case stays, isDeleted, isMadeAgain }

    @Test(
        "requires the reference that another device has set after it had come back",
        arguments: all, Fate.allCases)
    func ledElsewhereLater(policy: Policy, fate: Fate) {
        for name in ["node", "list", "folder"] {
            for sending in [Sending.no, .perhaps] {
                let back = Self.back.with { $0.name = name }
                func rules(_ target: Int?, final: Int?, at place: Int? = nil) -> [String] {
                    let changed = back.with { $0.target = target }
                    var history = Self.history(
                        from: State(name: name), sending, shown: back, hasSynced: false)
                    history.save(at: 1, showing: changed.snapshot)
                    for device in [1, 0] { history.sync(device, showing: changed.snapshot) }
                    if fate != .stays {
                        history.save(at: 0, showing: changed.with { $0.first = nil }.snapshot)
                    }
                    if fate == .isMadeAgain { history.save(at: 0, showing: changed.snapshot) }
                    let shown = changed.with {
                        $0.target = final
                        if fate == .isDeleted { $0.first = nil }
                    }
                    for device in [0, 1] { history.sync(device, showing: shown.snapshot) }
                    return Oracle.rules(history, policy, shown.snapshot, at: place)
                }
                #expect(rules(2, final: 2) == [])
                #expect(rules(2, final: 2, at: 0) == [])
                #expect(rules(2, final: nil) == ["value lost"])
                #expect(rules(nil, final: nil) == [])
                #expect(rules(nil, final: 2) == ["value lost"])
                if fate == .isDeleted { continue }
                #expect(rules(2, final: 1) == ["value lost"])
                #expect(rules(nil, final: 1) == ["value lost"])
            }
        }
    }

    @Test("requires the reference that another device has set last of several", arguments: all)
    func ledElsewhereTwice(policy: Policy) {
        func rules(_ final: Int?) -> [String] {
            var history = Self.history(shown: Self.back, hasSynced: false)
            for target in [nil, 2] {
                let changed = Self.back.with { $0.target = target }
                history.save(at: 1, showing: changed.snapshot)
            }
            let shown = Self.back.with { $0.target = final }
            for device in [1, 0] { history.sync(device, showing: shown.snapshot) }
            return Oracle.rules(history, policy, shown.snapshot)
        }
        #expect(rules(2) == [])
        #expect(rules(1) == ["value lost"])
        #expect(rules(nil) == ["value lost"])
    }

    @Test(
        "objects if a removal is lost before another device leads the reference elsewhere",
        arguments: all)
    func removalLost(policy: Policy) {
        let start = State()
        let removed = start.with { $0.target = nil }
        let deleted = removed.with { $0.first = nil }
        // A user has removed the reference before the deletion, or has made the destination again without it.
        for states in [[removed, deleted], [deleted, removed]] {
            var history = History(known: start.snapshot)
            let isMadeAgain = states.last?.first != nil
            let back = isMadeAgain ? start : Self.back
            if !isMadeAgain {
                history.save(at: 1, showing: back.snapshot)
                history.sync(1, showing: back.snapshot)
            }
            for state in states { history.save(at: 0, showing: state.snapshot) }
            history.sync(0, showing: back.snapshot)
            let shown = back.with { $0.target = 2 }
            history.save(at: 1, showing: shown.snapshot)
            for device in [1, 0] { history.sync(device, showing: shown.snapshot) }
            #expect(Oracle.rules(history, policy, shown.snapshot) == ["value lost"])
        }
    }

    /// Device 0 leads the reference from the second destination to the first one, which it deletes. Its pass meets
    /// the edit of the first one, and the reference leads to an object again. Then device 1 leads it to a third one.
    private func ledTwice(hasArrived: Bool, shown target: Int, _ policy: Policy) -> [String] {
        let (start, sent) = (State(target: 2), State())
        var history = History(known: start.snapshot)
        history.save(at: 0, showing: sent.snapshot)
        history.send(from: 0)
        history.noteLostAnswers(to: 0)
        if hasArrived { history.look(at: 2, sent.snapshot) }
        history.save(at: 1, showing: start.with { $0.first = "b" }.snapshot)
        let edited = (hasArrived ? sent : start).with { $0.first = "b" }
        history.sync(1, showing: edited.snapshot)
        history.save(at: 0, showing: sent.with { ($0.target, $0.first) = (nil, nil) }.snapshot)
        history.sync(0, showing: edited.with { $0.target = target }.snapshot)
        let changed = edited.with { $0.target = 3 }
        history.save(at: 1, showing: changed.snapshot)
        for device in [1, 0] { history.sync(device, showing: changed.snapshot) }
        return Oracle.rules(history, policy, changed.snapshot)
    }

    @Test("lets a reference come back of which its device had got no answer", arguments: all)
    func unanswered(policy: Policy) {
        #expect(ledTwice(hasArrived: true, shown: 1, policy) == [])
    }

    @Test("objects if a nil is lost with which the server had another reference", arguments: all)
    func editLost(policy: Policy) {
        #expect(ledTwice(hasArrived: false, shown: 2, policy) == ["value lost"])
    }
}
