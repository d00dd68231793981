import Seam3
import Testing

@testable import Judge

/// Values that one device has taken back and another one has changed, and that both lose to.
extension OracleCombinedTests {
    /// Device 0 sends a number and takes it back, and changes the title. Device 1 sends something else, with which
    /// the app's block combines the number, and changes the number, too. Then device 0 sends its version.
    private struct TakenBack {
        /// The titles of both devices. It was "b" before.
        var titles = ["d", "c"]
        /// The note of device 1.
        var note = ""
        /// Whether device 1 had received the number before it changed something else.
        var isNumberFetched = false
        /// Whether device 0 has sent that it took the number back before device 1 sent something else.
        var isSent = false
        /// Whether device 1 knows the version of device 0 before it changes the number.
        var isFetched = false
        /// What device 0 has in the end.
        var last = 7

        init(_ change: (inout TakenBack) -> Void = { _ in }) { change(&self) }

        private func state(_ title: String, _ count: Int, _ note: String = "") -> Snapshot {
            OracleCombinedTests.node(title, count: count, note: note)
        }

        func rules(_ policy: Policy = .clientTellsWhichWins) -> [String] {
            let (first, combined) = (state("b", 8), state(titles[1], 8, note))
            let final = state(titles.max() ?? "", 8, note)
            var history = History(known: state("b", 7))
            history.save(at: 0, showing: first)
            history.sync(0, showing: first)
            history.save(at: 0, showing: state("b", last))
            if isNumberFetched { history.sync(1, showing: first) }
            if isSent { history.sync(0, showing: state("b", last)) }
            history.save(at: 1, showing: state(titles[1], isNumberFetched ? 8 : 7, note))
            history.save(at: 0, showing: state(titles[0], last))
            history.sync(1, showing: combined)
            if isFetched { for device in [0, 1] { history.sync(device, showing: final) } }
            history.save(at: 1, showing: state(isFetched ? titles.max() ?? "" : titles[1], 9, note))
            for device in [0, 1] { history.send(from: device) }
            return Oracle.rules(history, policy, final)
        }
    }

    @Test("lets a number remain that one device has taken back, and another one has changed")
    func takenBack() {
        #expect(TakenBack().rules() == [])
        #expect(TakenBack { $0.last = 6 }.rules() == [])
        // It is the same with another property, and if device 1 knew the number.
        #expect(TakenBack { ($0.titles, $0.note) = (["d", "b"], "n") }.rules() == [])
        #expect(TakenBack { $0.isNumberFetched = true }.rules() == [])
        #expect(
            TakenBack { ($0.titles, $0.note, $0.isNumberFetched) = (["d", "b"], "n", true) }
                .rules() == [])
    }

    @Test("lets no number remain that was changed, unless the app's block has taken a text unseen")
    func notTakenBack() {
        let lost = ["value lost"]
        for policy in Self.others + [.clientRecordWins] {
            #expect(TakenBack().rules(policy).contains("value lost"))
        }
        for isNumberFetched in [false, true] {
            func rules(_ change: (inout TakenBack) -> Void) -> [String] {
                TakenBack {
                    $0.isNumberFetched = isNumberFetched
                    change(&$0)
                }.rules()
            }
            // The block changes nothing.
            #expect(rules { $0.titles = ["A", "c"] } == lost)
            #expect(rules { $0.titles = ["b", "c"] } == lost)
            #expect(rules { ($0.titles, $0.note) = (["b", "b"], "n") } == lost)
            #expect(rules { $0.isFetched = true } == lost)
            #expect(rules { $0.isSent = true }.contains("value lost"))
        }
    }
}
