import Seam3
import Testing

@testable import Judge

/// Versions that have won as a whole, and are then changed again or met by another edit.
extension OracleCombinedTests {
    /// Device 1 sends a title. Not knowing it, device 0 sends a number, and its version wins, with the former title.
    /// Then device 0 changes the number again, and device 1, which knows that its title has lost, sends another one.
    private struct ChangedAgain {
        /// The numbers that device 0 sets after it has sent 8.
        var counts = [7]
        /// Whether device 0 has sent 8.
        var isSent = true
        /// When device 0 sends the last number.
        enum Moment { case afterTitle, beforeTitle, seenBeforeTitle }
        var moment = Moment.afterTitle
        /// Whether device 0 has received the second title before it changes the number again.
        var isTitleFetched = false
        /// Whether device 0 had received the first title before it sent anything.
        var isFirstFetched = false
        /// What is there in the end.
        var final = OracleCombinedTests.node("d")

        init(_ change: (inout ChangedAgain) -> Void = { _ in }) { change(&self) }

        func rules(_ policy: Policy = .clientRecordWins) -> [String] {
            func node(_ title: String, _ count: Int) -> Snapshot {
                OracleCombinedTests.node(title, count: count)
            }
            let first = isSent ? 8 : 7
            let last = counts.last ?? first
            var history = History(known: node("d", 7))
            history.save(at: 1, showing: node("b", 7))
            history.sync(1, showing: node("b", 7))
            let title = isFirstFetched ? "b" : "d"
            if isFirstFetched { history.sync(0, showing: node("b", 7)) }
            if isSent { history.save(at: 0, showing: node(title, 8)) }
            history.sync(0, showing: node(title, first))
            if !isTitleFetched {
                for count in counts { history.save(at: 0, showing: node(title, count)) }
            }
            history.sync(1, showing: node(title, first))
            if moment != .afterTitle { history.sync(0, showing: node(title, last)) }
            if moment == .seenBeforeTitle { history.sync(1, showing: node(title, last)) }
            let own = moment == .seenBeforeTitle ? last : first
            history.save(at: 1, showing: node("c", own))
            history.sync(1, showing: node("c", own))
            if isTitleFetched {
                history.sync(0, showing: node("c", first))
                for count in counts { history.save(at: 0, showing: node("c", count)) }
            }
            history.send(from: 0)
            return Oracle.rules(history, policy, final)
        }
    }

    @Test(
        "lets a title lose to the former one in a version that was changed again after it had won")
    func changedAgain() {
        #expect(ChangedAgain().rules() == [])
        #expect(
            ChangedAgain { ($0.counts, $0.final) = ([9], Self.node("d", count: 9)) }.rules() == [])
        // The app's block takes the former title, because it is greater, and the number of the server.
        let combined = ChangedAgain { $0.final = Self.node("d", count: 8) }
        #expect(combined.rules(.clientTellsWhichWins) == [])
        // The version need not win.
        #expect(ChangedAgain { $0.final = Self.node("c", count: 8) }.rules() == [])
    }

    @Test("requires the last title unless the version with the former one wins as a whole")
    func notWonAgain() {
        for policy in Self.others { #expect(ChangedAgain().rules(policy).contains("value lost")) }
        let lost = ["value lost"]
        // The title that has lost does not come back, either.
        #expect(ChangedAgain { $0.final = Self.node("b") }.rules() == lost)
        // The server had the version before device 1 sent the title, so device 1 wins, or it even knew the version.
        #expect(ChangedAgain { $0.moment = .beforeTitle }.rules() == lost)
        #expect(ChangedAgain { $0.moment = .seenBeforeTitle }.rules() == lost)
        // Device 0 knew the last title, or the first, and so its version has that.
        #expect(ChangedAgain { $0.isTitleFetched = true }.rules() == lost)
        #expect(ChangedAgain { $0.isFirstFetched = true }.rules().contains("value lost"))
        // No version of device 0 has won, so it ought to show the first title.
        let unsent = ChangedAgain {
            ($0.counts, $0.isSent, $0.final) = ([9], false, Self.node("d", count: 9))
        }
        #expect(unsent.rules().contains("value lost"))
        // Device 0 has changed nothing since, or has taken that back.
        let sent = Self.node("d", count: 8)
        #expect(ChangedAgain { ($0.counts, $0.final) = ([], sent) }.rules() == lost)
        #expect(ChangedAgain { ($0.counts, $0.final) = ([9, 8], sent) }.rules() == lost)
    }

    /// Device 1 sends a title. Not knowing it, device 0 sends a number, and its version wins, with the former title.
    /// Then device 0 sends another number, and device 1, which has not synced since, another title.
    ///
    /// - Parameter isFirstFetched: Whether device 0 had received the first title before it sent anything.
    private static func met(by title: String, isFirstFetched: Bool = false) -> History {
        var history = History(known: node("d"))
        history.save(at: 1, showing: node("b"))
        history.sync(1, showing: node("b"))
        if isFirstFetched { history.sync(0, showing: node("b")) }
        for count in [8, 9] {
            history.save(at: 0, showing: node(isFirstFetched ? "b" : "d", count: count))
            history.sync(0, showing: node(isFirstFetched ? "b" : "d", count: count))
        }
        history.save(at: 1, showing: node(title))
        _ = history.beginExchange(1)
        return history
    }

    @Test("knows that a version has the title with which it has won, and not the one that has lost")
    func metAfterWinning() {
        let (wrong, mixture) = (["policy not followed"], Self.node("d", count: 9))
        // Both versions have the same title, so only the number was changed.
        #expect(Oracle.rules(Self.met(by: "d"), .clientRecordWins, mixture) == [])
        #expect(Oracle.rules(Self.met(by: "d"), .clientRecordWins, Self.node("d")) == wrong)
        // The app's block takes the greater title, which is that of the version.
        #expect(Oracle.rules(Self.met(by: "c"), .clientTellsWhichWins, mixture) == [])
        let (title, whole) = (Self.node("c", count: 9), Self.node("c"))
        #expect(Oracle.rules(Self.met(by: "c"), .clientTellsWhichWins, title) == wrong)
        #expect(Oracle.rules(Self.met(by: "c"), .clientRecordWins, whole) == [])
        #expect(Oracle.rules(Self.met(by: "c"), .clientRecordWins, mixture).contains(wrong[0]))
    }

    @Test("knows that a version has the title that its device had received")
    func metAfterReceiving() {
        let wrong = ["policy not followed"]
        func rules(_ title: String, _ policy: Policy, _ final: Snapshot) -> [String] {
            Oracle.rules(Self.met(by: title, isFirstFetched: true), policy, final)
        }
        #expect(rules("d", .clientRecordWins, Self.node("d")) == [])
        #expect(rules("d", .clientRecordWins, Self.node("d", count: 9)) == wrong)
        #expect(rules("c", .clientTellsWhichWins, Self.node("c", count: 9)) == [])
        #expect(rules("c", .clientTellsWhichWins, Self.node("b", count: 9)) == wrong)
    }
}
