import Seam3
import Testing

@testable import Judge

/// Histories with deletions that meet edits which their devices have not seen, on two devices, 0 and 1, and the
/// server, 2.
@Suite("The judge's oracle, about deletions that their device sends later")
struct OracleForgettingTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    private static let gone = Snapshot()

    private static func node(_ title: String, count: Int = 7) -> [String: Value] {
        ["title": .text(title), "count": .int(count)]
    }

    /// Device 0 deletes a node, and is told to forget the server before it syncs.
    ///
    /// - Parameter isEdited: Whether device 1 edits the node meanwhile.
    private static func forgets(isEdited: Bool) -> History {
        var history = History(known: Snapshot(["n1": node("a")]))
        history.save(at: 0, showing: gone)
        history.sendAgain(from: 0)
        if isEdited {
            history.save(at: 1, showing: Snapshot(["n1": node("b")]))
            history.sync(1, showing: Snapshot(["n1": node("b")]))
        }
        history.send(from: 0)
        return history
    }

    @Test(
        "follows the policy if a device that was told to forget the server deletes what another one has edited"
    )
    func editedMeanwhile() {
        let history = Self.forgets(isEdited: true)
        let edited = Snapshot(["n1": Self.node("b")])
        let edits: [Policy] = [
            .clientTellsWhichWins, .keepBoth, .mergeByProperty, .mergeByPropertyClientWins,
            .mergeByPropertyClientTells,
        ]
        for policy in edits {
            #expect(Oracle.rules(history, policy, Self.gone) == ["edit lost to a deletion"])
            #expect(Oracle.rules(history, policy, edited) == [])
        }
        #expect(Oracle.rules(history, .serverRecordWins, Self.gone) == ["policy not followed"])
        #expect(Oracle.rules(history, .serverRecordWins, edited) == [])
        #expect(Oracle.rules(history, .clientRecordWins, Self.gone) == [])
        #expect(Oracle.rules(history, .clientRecordWins, edited) == ["policy not followed"])
    }

    @Test(
        "requires the deletion of a device that was told to forget the server",
        arguments: Policy.allCases)
    func unedited(policy: Policy) {
        let history = Self.forgets(isEdited: false)
        #expect(Oracle.rules(history, policy, Self.gone) == [])
        let rules = Oracle.rules(history, policy, Snapshot(["n1": Self.node("a")]))
        #expect(rules == ["deletion undone"])
    }

    /// Two devices edit a node, so that there is a copy, which no longer has what device 0 has edited. Then device
    /// 1 deletes all that it shows.
    ///
    /// - Parameter isReceived: Whether device 1 has received the copy.
    private static func copied(isReceived: Bool) -> History {
        var history = History(known: Snapshot(["n1": node("a")]))
        history.save(at: 1, showing: Snapshot(["n1": node("b")]))
        history.sync(1, showing: Snapshot(["n1": node("b")]))
        history.save(at: 0, showing: Snapshot(["n1": node("a", count: 8)]))
        history.sync(0, showing: both)
        if isReceived { history.sync(1, showing: both) }
        history.save(at: 1, showing: gone)
        history.send(from: 1)
        return history
    }

    private static let both = Snapshot(["n1": node("b"), "n1#1": node("a")])

    @Test("lets a copy stay that a deletion's device had not received, even if its edit is gone")
    func unreceivedCopy() {
        let copy = Snapshot(["n1#1": Self.node("a")])
        #expect(Oracle.rules(Self.copied(isReceived: false), .keepBoth, copy) == [])
        let lost = ["deletion undone"]
        #expect(Oracle.rules(Self.copied(isReceived: true), .keepBoth, copy) == lost)
        #expect(Oracle.rules(Self.copied(isReceived: false), .mergeByProperty, copy) == lost)
    }
}
