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

    // MARK: - References that are nil

    private static func cover(_ node: String?, _ title: String = "a", hasThird: Bool = true)
        -> Snapshot
    {
        let n2: [String: Value] = ["title": .text("n2")]
        let c1: [String: Value] = [
            "node": node.map { .object($0) } ?? .none, "title": .text(title),
        ]
        return Snapshot(hasThird ? ["c1": c1, "n2": n2, "n3": n2] : ["c1": c1, "n2": n2])
    }

    /// Device 1 leads the cover to n3, which device 0 has deleted. So device 1 makes the reference nil. Device 0
    /// changes the title.
    private static func ledElsewhere(from former: String?, isFetched: Bool = false) -> History {
        var history = History(known: cover(former))
        history.save(at: 1, showing: cover("n3"))
        history.save(at: 0, showing: cover(former, hasThird: false))
        history.sync(0, showing: cover(former, hasThird: false))
        history.sync(1, showing: cover(nil, hasThird: false))
        if isFetched { history.sync(0, showing: cover(nil, hasThird: false)) }
        history.save(at: 0, showing: cover(isFetched ? nil : former, "b", hasThird: false))
        history.send(from: 0)
        return history
    }

    @Test("lets an edit lose to a reference that is nil, and had led to another object before")
    func nilIsEdit() {
        let final = Self.cover(nil, hasThird: false)
        #expect(Oracle.rules(Self.ledElsewhere(from: "n2"), .serverRecordWins, final) == [])
        let merged = Self.ledElsewhere(from: "n2")
        #expect(Oracle.rules(merged, .mergeByProperty, final) == ["value lost"])
    }

    @Test("lets no edit lose to a reference that is nil as before, or that its user knew")
    func nilIsNoEdit() {
        let final = Self.cover(nil, hasThird: false)
        for history in [
            Self.ledElsewhere(from: nil), Self.ledElsewhere(from: "n2", isFetched: true),
        ] {
            #expect(Oracle.rules(history, .serverRecordWins, final) == ["value lost"])
        }
    }

    /// Device 0 leads c1 to n3, which device 1 has given c2. So c1 leads to nothing on the server. Device 1, where
    /// it still has its former node, changes its title.
    ///
    /// - Parameters:
    ///   - isTaken: Whether device 1 has given c2 that node.
    ///   - isFetched: Whether device 1 has received that c1 leads to nothing.
    private static func taken(
        from former: String?, isTaken: Bool = true, isFetched: Bool = false
    ) -> History {
        var history = History(known: covers(former, nil))
        let winner = isTaken ? "n3" : nil
        history.save(at: 1, showing: covers(former, winner))
        history.sync(1, showing: covers(former, winner))
        history.save(at: 0, showing: covers("n3", nil))
        let exchange = history.beginExchange(0)
        history.attempted(0)
        for place in [2, 0] { history.look(at: place, covers(nil, winner)) }
        history.finish(exchange)
        if isFetched { history.sync(1, showing: covers(nil, winner)) }
        history.save(at: 1, showing: covers(isFetched ? nil : former, winner, title: "b"))
        history.send(from: 1)
        return history
    }

    private static func covers(_ first: String?, _ second: String?, title: String = "a")
        -> Snapshot
    {
        func cover(_ node: String?, _ title: String) -> [String: Value] {
            ["node": node.map { .object($0) } ?? .none, "title": .text(title)]
        }
        let node: [String: Value] = ["title": .text("n")]
        return Snapshot([
            "n2": node, "n3": node, "c1": cover(first, title), "c2": cover(second, "a"),
        ])
    }

    @Test("lets a version win that has the destination which another device's edit has given up")
    func givenUp() {
        let client = Self.covers("n2", "n3", title: "b")
        #expect(Oracle.rules(Self.taken(from: "n2"), .clientRecordWins, client) == [])
        let server = Self.covers(nil, "n3")
        #expect(Oracle.rules(Self.taken(from: "n2"), .serverRecordWins, server) == [])
        for policy in [Policy.mergeByProperty, .mergeByPropertyClientWins] {
            let history = Self.taken(from: "n2")
            #expect(Oracle.rules(history, policy, client) == ["value lost"])
            #expect(Oracle.rules(history, policy, server) == ["value lost"])
        }
    }

    @Test("lets no former destination return if nobody has taken the later one, or its user knew")
    func notGivenUp() {
        let lost = ["value lost"]
        let client = Self.covers("n2", "n3", title: "b")
        #expect(
            Oracle.rules(Self.taken(from: "n2", isFetched: true), .clientRecordWins, client)
                == lost)
        let free = Self.taken(from: "n2", isTaken: false)
        #expect(
            Oracle.rules(free, .clientRecordWins, Self.covers("n2", nil, title: "b")) == lost)
        // It leads to nothing, as before.
        #expect(
            Oracle.rules(Self.taken(from: nil), .serverRecordWins, Self.covers(nil, "n3")) == lost)
    }

    // MARK: - References that return

    /// Another client leads the cover to n3, which device 0 deletes and device 1 edits, so it returns.
    private static func returned(isKept: Bool) -> History {
        var history = History(known: cover(nil))
        history.save(at: 2, before: cover(nil), after: cover("n3"))
        history.save(at: 0, showing: cover(nil, hasThird: false))
        var edited = cover(nil)
        edited.objects["n3"]?.values["title"] = .text("b")
        history.save(at: 1, showing: edited)
        if isKept { history.keptReferences = ["c1": ["node": [.object("n3")]]] }
        history.sync(0, showing: cover(nil, hasThird: false))
        history.send(from: 1)
        return history
    }

    @Test(
        "lets a reference show again only if the server kept it while its destination was deleted")
    func destinationReturns() {
        var final = Self.cover("n3")
        final.objects["n3"]?.values["title"] = .text("b")
        #expect(Oracle.rules(Self.returned(isKept: true), .mergeByProperty, final) == [])
        #expect(
            Oracle.rules(Self.returned(isKept: false), .mergeByProperty, final)
                == ["value lost"])
    }
}
