import Seam3
import Testing

@testable import Judge

/// Histories of two devices, 0 and 1, and the server, 2, in which an edit counts although no place shows its
/// value.
@Suite("The judge's oracle, about edits whose values nobody shows")
struct OracleEndTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    // MARK: - Edits in a request

    private static func node(_ title: String, _ count: Int = 7) -> Snapshot {
        Snapshot(["n1": ["title": .text(title), "count": .int(count)]])
    }

    /// When device 0 sets the title "c".
    private enum Moment { case before, during, duringWithoutEffect }

    /// Device 0 sets the title "b", and then "c". Device 1 receives "b" and changes the count.
    private static func changedAgain(_ moment: Moment) -> History {
        var history = History(known: node("a"))
        history.save(at: 0, showing: node("b"))
        if moment == .before { history.save(at: 0, showing: node("c")) }
        _ = history.beginExchange(0)
        if moment != .before { history.save(at: 0, showing: node("c")) }
        history.attempted(0)
        if moment == .duringWithoutEffect { history.bury() }
        for place in [2, 1] { history.look(at: place, node("b")) }
        history.save(at: 1, showing: node("b", 9))
        history.send(from: 1)
        return history
    }

    @Test("lets a value win that its device replaced while a request had it")
    func replacedInRequest() {
        let final = Self.node("b", 9)
        #expect(Oracle.rules(Self.changedAgain(.during), .clientRecordWins, final) == [])
    }

    @Test(
        "lets no value win that its device replaced before a request, or whose request had no effect"
    )
    func replacedBeforeRequest() {
        let final = Self.node("b", 9)
        for moment in [Moment.before, .duringWithoutEffect] {
            #expect(
                Oracle.rules(Self.changedAgain(moment), .clientRecordWins, final)
                    == ["value lost"])
        }
    }
}
