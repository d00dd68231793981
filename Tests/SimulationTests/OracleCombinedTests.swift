import Seam3
import Testing

@testable import Judge

/// Histories in which a version of an object that meets another one has values that its user has not written.
@Suite("The judge's oracle, about versions with other devices' values")
struct OracleCombinedTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    static let others: [Policy] = [
        .serverRecordWins, .keepBoth, .mergeByProperty, .mergeByPropertyClientWins,
        .mergeByPropertyClientTells,
    ]

    static func node(_ title: String, count: Int = 7, note: String = "") -> Snapshot {
        Snapshot(["n1": ["title": .text(title), "count": .int(count), "note": .text(note)]])
    }

    // MARK: - Values that come back

    /// Three devices, 0, 1 and 2, and the server, 3. Device 0 sends a title. Device 1, which has not seen it,
    /// sends another one that wins, and device 0 receives that. Then device 2 sends a number.
    ///
    /// - Parameters:
    ///   - isFetched: Whether device 2 has received the title by then.
    ///   - isNumber: Whether device 2 has changed the number.
    private static func comesBack(
        _ former: String = "d", isFetched: Bool = false, isNumber: Bool = true
    ) -> History {
        var history = History(placeCount: 4)
        history.save(at: 0, showing: node(former))
        for device in 0..<3 { history.sync(device, showing: node(former)) }
        history.save(at: 0, showing: node("b"))
        history.sync(0, showing: node("b"))
        history.save(at: 1, showing: node("c"))
        history.sync(1, showing: node("c"))
        // The second pass finds nothing. It only takes time, so that the first title has gone by then.
        for _ in 0..<2 { history.sync(0, showing: node("c")) }
        if isFetched { history.sync(2, showing: node("c")) }
        if isNumber {
            history.save(at: 2, showing: node(isFetched ? "c" : former, count: 9))
            history.send(from: 2)
        }
        return history
    }

    @Test(
        "lets an older text come back with a version that has met only the second of two later ones",
        arguments: [Policy.clientTellsWhichWins, .clientRecordWins])
    func olderText(policy: Policy) {
        #expect(Oracle.rules(Self.comesBack(), policy, Self.node("d", count: 9)) == [])
    }

    @Test("lets no older text come back unless its version wins")
    func noOlderText() {
        let lost = ["value lost"]
        for policy in Self.others {
            let rules = Oracle.rules(Self.comesBack(), policy, Self.node("d", count: 9))
            #expect(rules.contains("value lost"))
        }
        // Of the texts, the app's block takes the greater one.
        #expect(
            Oracle.rules(Self.comesBack("a"), .clientTellsWhichWins, Self.node("a", count: 9))
                == lost)
        for policy in [Policy.clientTellsWhichWins, .clientRecordWins] {
            let fetched = Self.comesBack(isFetched: true)
            #expect(Oracle.rules(fetched, policy, Self.node("d", count: 9)) == lost)
            let unchanged = Self.comesBack(isNumber: false)
            #expect(Oracle.rules(unchanged, policy, Self.node("d")).contains("value lost"))
        }
    }

    @Test("lets no number come back that the app's block does not choose")
    func noOlderNumber() {
        var history = History(placeCount: 4)
        let old = Self.node("d")
        history.save(at: 0, showing: old)
        for device in 0..<3 { history.sync(device, showing: old) }
        history.save(at: 0, showing: Self.node("d", count: 8))
        history.sync(0, showing: Self.node("d", count: 8))
        history.save(at: 1, showing: Self.node("d", count: 9))
        history.sync(1, showing: Self.node("d", count: 9))
        for _ in 0..<2 { history.sync(0, showing: Self.node("d", count: 9)) }
        history.save(at: 2, showing: Self.node("d", note: "e"))
        history.send(from: 2)
        let final = Self.node("d", note: "e")
        #expect(Oracle.rules(history, .clientRecordWins, final) == [])
        #expect(Oracle.rules(history, .clientTellsWhichWins, final) == ["value lost"])
    }

    /// Three devices, 0, 1 and 2, and the server, 3. Device 1 has received a number, and changes a note, while
    /// device 2 replaces the number. Device 1's version wins, with the number that device 2 has replaced. Then
    /// device 0 changes the title.
    ///
    /// - Parameter isFetched: Whether device 0 has received the first number before it changes the title.
    private static func olderVersion(isFetched: Bool) -> History {
        var history = History(placeCount: 4)
        let (first, second) = (node("d"), node("d", count: 9))
        history.save(at: 1, showing: first)
        for device in [1, 0, 2] { history.sync(device, showing: first) }
        history.save(at: 1, showing: second)
        for device in [1, 2] + (isFetched ? [0] : []) { history.sync(device, showing: second) }
        history.save(at: 2, showing: node("d", count: 10))
        history.save(at: 1, showing: node("d", count: 9, note: "e"))
        history.sync(2, showing: node("d", count: 10))
        for device in [1, 2] { history.sync(device, showing: node("d", count: 9, note: "e")) }
        history.save(at: 0, showing: node("f", count: isFetched ? 9 : 7))
        history.send(from: 0)
        return history
    }

    @Test("lets an older number come back with the second of two versions without edits of it")
    func olderNumber() {
        let history = Self.olderVersion(isFetched: false)
        #expect(Oracle.rules(history, .clientRecordWins, Self.node("f")) == [])
        for policy in Self.others + [.clientTellsWhichWins] {
            #expect(Oracle.rules(history, policy, Self.node("f")).contains("value lost"))
        }
        // The number that has lost to the first version is gone.
        let lost = Self.node("f", count: 10)
        #expect(Oracle.rules(history, .clientRecordWins, lost).contains("value lost"))
    }

    @Test("lets no number come back that the last version did not have")
    func receivedNumber() {
        let history = Self.olderVersion(isFetched: true)
        #expect(Oracle.rules(history, .clientRecordWins, Self.node("f", count: 9)) == [])
        #expect(Oracle.rules(history, .clientRecordWins, Self.node("f")).contains("value lost"))
    }

    /// Two devices, 0 and 1, and the server, 2. Device 0 sends a number, and sends the former one again during a pass
    /// of device 1, or before. After that pass, device 1 shows the number that is no longer there, and changes the title.
    ///
    /// - Parameters:
    ///   - isAnswered: Whether the server had the number when the pass began.
    ///   - isEdited: Whether device 1 changes the title.
    ///   - isKnown: Whether device 1 has received the later number by then.
    private static func underWay(
        isAnswered: Bool = true, isEdited: Bool = true, isKnown: Bool = false
    ) -> History {
        var history = History(known: node("a"))
        history.save(at: 0, showing: node("a", count: 5))
        history.sync(0, showing: node("a", count: 5))
        history.save(at: 0, showing: node("a"))
        var exchange = history.beginExchange(1)
        history.sync(0, showing: node("a"))
        if !isAnswered { exchange = history.beginExchange(1) }
        history.attempted(1)
        history.look(at: 1, node("a", count: 5))
        if isKnown {
            history.finish(exchange)
            history.sync(1, showing: node("a"))
        }
        if isEdited {
            history.save(at: 1, showing: node("b", count: isKnown ? 7 : 5))
            history.sync(1, showing: node("b", count: isKnown ? 7 : 5))
        }
        return history
    }

    @Test("lets an older number come back with a version whose device got it while it was replaced")
    func numberUnderWay() {
        let final = Self.node("b", count: 5)
        #expect(Oracle.rules(Self.underWay(), .clientRecordWins, final) == [])
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientWins] {
            #expect(Oracle.rules(Self.underWay(), policy, final).contains("value lost"))
        }
    }

    @Test("lets no number come back that was replaced before, or with no other version")
    func numberNotUnderWay() {
        let lost = ["value lost"]
        let final = Self.node("b", count: 5)
        for history in [Self.underWay(isAnswered: false), Self.underWay(isKnown: true)] {
            #expect(Oracle.rules(history, .clientRecordWins, final) == lost)
        }
        let unedited = Self.node("a", count: 5)
        #expect(
            Oracle.rules(Self.underWay(isEdited: false), .clientRecordWins, unedited) == lost)
    }

    // MARK: - Values that are kept

    /// Two devices, 0 and 1, and the server, 2. Device 1 sends a title, and then changes a property as device 0
    /// does, which still has the former title.
    private static func kept(
        title: String = "a", isFetched: Bool = false, _ changed: (String) -> Snapshot
    ) -> History {
        var history = History(known: node("b"))
        history.save(at: 1, showing: node(title))
        history.sync(1, showing: node(title))
        if isFetched { history.sync(0, showing: node(title)) }
        history.save(at: 1, showing: changed(title))
        history.save(at: 0, showing: changed(isFetched ? title : "b"))
        history.send(from: 0)
        history.send(from: 1)
        return history
    }

    private static func number(_ title: String) -> Snapshot { node(title, count: 9) }
    private static func note(_ title: String) -> Snapshot { node(title, note: "n") }

    @Test("lets two devices lose the same change if the app's block gives a text back at the first")
    func lostTwice() {
        let history = Self.kept(Self.number)
        #expect(Oracle.rules(history, .clientTellsWhichWins, Self.node("b")) == [])
    }

    @Test("lets no device lose a change to a version that its user knew")
    func lostOnce() {
        let lost = ["value lost"]
        let history = Self.kept(Self.number)
        for policy in Self.others + [.clientRecordWins] {
            #expect(Oracle.rules(history, policy, Self.node("b")).contains("value lost"))
        }
        func rules(_ history: History, _ title: String) -> [String] {
            Oracle.rules(history, .clientTellsWhichWins, Self.node(title))
        }
        // The server's title is the greater one, so the block changes nothing.
        #expect(rules(Self.kept(title: "c", Self.number), "c") == lost)
        // Both knew the title.
        #expect(rules(Self.kept(isFetched: true, Self.number), "a") == lost)
        // The block does not keep the lesser text.
        #expect(rules(Self.kept(Self.note), "b") == lost)
    }

    /// Device 1 sends a title, and device 0, which still has "b", a number, which loses to the server's. So what
    /// the app's block has made is all that is left of that. Then device 1 changes the number.
    private static func decided(_ title: String, isFetched: Bool = false) -> History {
        var history = History(known: node("b"))
        history.save(at: 0, showing: number("b"))
        history.save(at: 1, showing: node(title))
        history.sync(1, showing: node(title))
        let decision = node(max("b", title))
        // The second pass finds nothing. It only takes time, so that the number has gone by then.
        for _ in 0..<2 { history.sync(0, showing: decision) }
        if isFetched { history.sync(1, showing: decision) }
        history.save(at: 1, showing: node(isFetched ? max("b", title) : title, count: 12))
        history.send(from: 1)
        return history
    }

    @Test("lets a change be lost to a version with a text that the app's block gave back unseen")
    func lostToDecision() {
        let final = Self.node("b")
        #expect(Oracle.rules(Self.decided("a"), .clientTellsWhichWins, final) == [])
        for policy in Self.others + [.clientRecordWins] {
            #expect(Oracle.rules(Self.decided("a"), policy, final).contains("value lost"))
        }
        let lost = ["value lost"]
        // The user had seen what the block has made.
        #expect(
            Oracle.rules(Self.decided("a", isFetched: true), .clientTellsWhichWins, final) == lost)
        // The block has changed nothing of what the user knew.
        #expect(
            Oracle.rules(Self.decided("c"), .clientTellsWhichWins, Self.node("c")) == lost)
    }

    /// Device 0, which has the title "b", sends everything again and then receives "d". It sends another title.
    /// Both devices change the number, and device 1 still has "d".
    private static func sentAgain(title: String) -> History {
        var history = History(known: node("b"))
        history.save(at: 1, showing: node("d"))
        history.sendAgain(from: 0)
        for device in [1, 0, 1] { history.sync(device, showing: node("d")) }
        history.save(at: 0, showing: node(title))
        history.sync(0, showing: node(title))
        history.save(at: 1, showing: number("d"))
        history.save(at: 0, showing: number(title))
        history.send(from: 0)
        history.send(from: 1)
        return history
    }

    @Test(
        "takes the text that a device showed for the one of its version, not one that was sent again"
    )
    func shownText() {
        func rules(_ title: String, _ final: String) -> [String] {
            Oracle.rules(Self.sentAgain(title: title), .clientTellsWhichWins, Self.node(final))
        }
        #expect(rules("c", "d") == [])
        // The block changes nothing.
        #expect(rules("e", "e") == ["value lost"])
    }

    /// Three devices, 0, 1 and 2, and the server, 3. Device 0 sends the title "b", and device 2 receives it. Device
    /// 1, which has changed a number, meets it, but its request is refused. Then device 0 sends another title, and
    /// device 1 sends its version.
    ///
    /// - Parameter isMet: Whether device 1 meets the first title before device 0 has sent the other one.
    private static func metBetween(
        _ former: String = "a", _ later: String = "B", isMet: Bool = true
    ) -> History {
        var history = History(placeCount: 4)
        history.save(at: 0, showing: node(former))
        for device in 0..<3 { history.sync(device, showing: node(former)) }
        history.save(at: 1, showing: node(former, count: 9))
        history.save(at: 0, showing: node("b"))
        for device in [0, 2] { history.sync(device, showing: node("b")) }
        if isMet { history.send(from: 1) }
        history.save(at: 0, showing: node(later))
        history.sync(0, showing: node(later))
        history.send(from: 1)
        return history
    }

    @Test("lets a text win that the app's block has taken over before another one was sent")
    func metFirst() {
        let final = Self.node("b", count: 9)
        #expect(Oracle.rules(Self.metBetween(), .clientTellsWhichWins, final) == [])
    }

    @Test("lets no earlier text win that the app's block has not met, or does not choose")
    func notMetFirst() {
        let final = Self.node("b", count: 9)
        // The later text is the greater one, or the one that the device had before.
        for history in [
            Self.metBetween("a", "c"), Self.metBetween("z", "B"), Self.metBetween(isMet: false),
        ] {
            let rules = Oracle.rules(history, .clientTellsWhichWins, final)
            #expect(rules.contains("value lost"))
        }
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientTells, .serverRecordWins] {
            #expect(Oracle.rules(Self.metBetween(), policy, final).contains("value lost"))
        }
    }

    private static func node(_ title: Value, count: Int) -> Snapshot {
        Snapshot(["n1": ["title": title, "count": .int(count), "note": .none]])
    }

    /// Device 0 sends a title. Device 1, which has not received it, sends another one and a number, and shows what
    /// the app's block makes of that. Device 0 still has its own title and changes everything again.
    private static func blockDecidesTwice(
        _ first: Value, _ second: Value, shown: Value, isFetched: Bool = false
    ) -> History {
        var history = History(known: node(.text("b"), count: 7))
        history.save(at: 0, showing: node(first, count: 7))
        history.sync(0, showing: node(first, count: 7))
        history.save(at: 1, showing: node(second, count: 19))
        history.sync(1, showing: node(shown, count: 7))
        if isFetched { history.sync(0, showing: node(shown, count: 7)) }
        history.save(at: 0, showing: node(.text("a"), count: 22))
        history.send(from: 0)
        return history
    }

    @Test("knows which of two texts the app's block takes if one of them is long")
    func longText() {
        let long = Value.longText(3018)
        func rules(_ history: History, _ title: Value, _ policy: Policy = .clientTellsWhichWins)
            -> [String]
        { Oracle.rules(history, policy, Self.node(title, count: 7)) }
        for first in [Value.text("c"), .longText(3017)] {
            let history = Self.blockDecidesTwice(first, long, shown: long)
            #expect(rules(history, long) == [])
            for policy in [Policy.mergeByProperty, .mergeByPropertyClientTells] {
                #expect(rules(history, long, policy).contains("value lost"))
            }
            // The user knew what the block has returned.
            let fetched = Self.blockDecidesTwice(first, long, shown: long, isFetched: true)
            #expect(rules(fetched, long).contains("value lost"))
        }
        // The server's title is the greater one, so the block changes nothing.
        for first in [Value.text("y"), .longText(3019)] {
            let history = Self.blockDecidesTwice(first, long, shown: first)
            #expect(rules(history, first).contains("value lost"))
        }
        #expect(Oracle.greater(.longText(201), .text("w")) == .longText(201))
        #expect(Oracle.greater(.text("y"), .longText(201)) == .text("y"))
        #expect(Oracle.greater(.none, .longText(201)) == .longText(201))
        #expect(Oracle.greater(.int(1), .int(2)) == nil)
    }
}
